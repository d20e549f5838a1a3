#include "app/arguments.h"

#include "app/figure_command_line.h"
#include "app/option_reader.h"
#include "core/closest_name.h"
#include "core/training/tasks/own_text.h"
#include "ui/document/lesson_catalogue.h"
#include "ui/words/file_path.h"

#include <QFileInfo>

#include <algorithm>

namespace headlight::app {

namespace {

/// Reads the options that select the input and how to read it.
void readSource(const OptionReader &reader, ui::SourceRequest &request) {
    using Mask = ui::SourceRequest::Mask;
    if (const auto text = reader.word("text"))
        request.text = text->toStdString();
    if (const auto text = reader.word("pair")) {
        if (!request.text)
            throw OptionError{Words::tr("--pair: say the first text with --text")};
        request.pair = text->toStdString();
    }
    if (const auto expression = reader.word("expression"))
        request.expression = expression->toStdString();
    if (const auto text = reader.word("target-text"))
        request.targetText = text->toStdString();
    request.tokenIds = reader.ids("token-ids");
    request.targetTokenIds = reader.ids("target-token-ids");
    request.mask = static_cast<Mask>(reader.allowed("mask").indexOf(reader.oneOf("mask", "own")));
    if (reader.word("positions"))
        request.positions = reader.oneOf("positions") == "none" ? core::Positions::None
                                                                : core::Positions::Sinusoidal;
    if (reader.word("scaling"))
        request.scale =
            core::Scale{reader.oneOf("scaling") == "off" ? core::Scale::Kind::Off
                                                         : core::Scale::Kind::SquareRoot};
    request.step = reader.index("step");
    request.sequence = reader.index("sequence");
    request.vectors = reader.path("vectors");
}

/// Reads the options that select a position in the source.
void readPlace(const OptionReader &reader, Arguments &arguments) {
    ui::SourceRequest &request = arguments.request;
    request.layer = reader.index("layer");
    request.query = reader.indexOrNone("query");
    request.key = reader.indexOrNone("key");
    request.dimension = reader.indexOrNone("dimension");
    request.seed = reader.number<quint64>("seed", "a whole number from 0");
    const QStringList choices = reader.allowed("head"); // or an index
    if (const auto head = reader.word("head"); head && choices.contains(*head))
        arguments.heads = static_cast<HeadChoice>(1 + choices.indexOf(*head));
    else
        request.head = reader.index("head");
    if (reader.word("block"))
        request.block = reader.oneOf("block") == "cross" ? core::Block::CrossAttention
                                                         : core::Block::SelfAttention;
    if (reader.word("stack"))
        request.stack =
            reader.oneOf("stack") == "encoder" ? core::Stack::Encoder : core::Stack::Decoder;
}

void readGeneration(const OptionReader &reader, Arguments &arguments) {
    core::GenerationOptions &options = arguments.generation;
    const std::optional<core::Index> tokens = reader.index("tokens");
    if (!tokens)
        throw OptionError{Words::tr("say how many tokens there may be: --tokens N")};
    options.maximum = *tokens;
    const char *expected = "a number from 0";
    const float temperature = reader.number<float>("temperature", expected).value_or(0.0f);
    if (!std::isfinite(temperature) || temperature < 0)
        throw OptionError{
            Words::tr("--%1 %2: expected %3")
                .arg("temperature", *reader.word("temperature"), Words::tr(expected))};
    options.sampling.temperature = temperature;
    options.sampling.topK = reader.index("top-k").value_or(0);
    options.sampling.seed = reader.number<quint64>("seed", "a whole number from 0").value_or(0);
    arguments.end = reader.word("end").value_or("");
    arguments.json = reader.isSet("json");
}

void readTokenize(const OptionReader &reader, Arguments &arguments) {
    arguments.text = reader.word("text");
    if (const auto expression = reader.word("expression"))
        arguments.tokenizer.expression = expression->toStdString();
    arguments.pair = reader.word("pair");
    arguments.decodes = reader.isSet("decode");
    arguments.special = reader.isSet("special");
    arguments.json = reader.isSet("json");
    if (arguments.text.has_value() == !arguments.files.isEmpty())
        throw OptionError{
            Words::tr("say which text: --text TEXT, a file, or - for standard input")};
    if (arguments.pair && arguments.decodes)
        throw OptionError{Words::tr("--pair: leave it out; with --decode the text holds ids")};
}

void readPaper(const OptionReader &reader, Arguments &arguments) {
    arguments.paper = reader.isSet("paper");
    arguments.transparent = reader.isSet("transparent");
    arguments.textAsPaths = reader.isSet("text-as-paths");
    if (arguments.paper && arguments.theme == "dark")
        throw OptionError{Words::tr("--theme dark: on paper a figure is light; leave out one of "
                                    "--theme and --paper")};
    if (arguments.transparent && !arguments.paper)
        throw OptionError{Words::tr("--transparent: only a figure on paper has nothing behind it; "
                                    "add --paper")};
}

void readLook(const OptionReader &reader, Arguments &arguments) {
    if (arguments.command == Command::Figure || arguments.command == Command::Window) {
        arguments.view = reader.oneOf("view");
        arguments.theme = reader.oneOf("theme");
        arguments.choices = readChoices(reader);
        arguments.request.opened = arguments.choices.opened;
        arguments.request.softmax = arguments.choices.softmax;
    }
    arguments.stage = reader.word("stage").value_or("");
    if (arguments.command != Command::Trace) // for trace, it is a pattern
        arguments.request.place = core::findStageAnywhere(arguments.stage.toStdString());
    if (arguments.command != Command::Figure)
        return;
    arguments.title = reader.word("title").value_or("");
    if (const auto size = reader.word("size")) {
        const std::optional<ui::FigureSize> parsed = ui::FigureSize::parse(*size);
        if (!parsed)
            throw OptionError{
                Words::tr("--%1 %2: expected %3")
                    .arg("size", *size,
                         Words::tr("a width, or width x height, in pixels, mm or in, such as "
                                   "800x600, 84mm or 3.3inx2.5in"))};
        arguments.size = *parsed;
    }
    readPaper(reader, arguments);
    arguments.scale = reader.positive("scale");
    arguments.textScale = reader.positive("text-scale");
    arguments.session = !reader.isSet("no-session");
    arguments.caption = reader.word("caption").value_or("");
}

/// Checks that the word can be a source. The error names the closest known source.
void requireSource(const QString &word, Command command) {
    if (ui::kindOfSource(word) != ui::SourceKind::Unknown)
        return;
    std::vector<std::string> known;
    for (const QString &id : ui::lessonIds() + ui::modelIds())
        known.push_back(id.toStdString());
    if (command == Command::Window)
        for (const QString &each : commandWords())
            known.push_back(each.toStdString());
    const QString closest = QString::fromStdString(core::closestName(word.toStdString(), known));
    throw OptionError{
        (command == Command::Window
             ? Words::tr("%1: no command, file or lesson of this name; did you mean '%2'?")
             : Words::tr("%1: no file or lesson of this name; did you mean '%2'?"))
            .arg(word, closest)};
}

/// Reads the comparison options. The default is to show the difference.
void readComparison(const OptionReader &reader, Arguments &arguments) {
    const std::optional<QString> source = reader.path("compare");
    arguments.compare.source = source.value_or("");
    arguments.compare.step = reader.index("compare-step");
    arguments.compare.sequence = reader.index("compare-sequence");
    const QString shown = reader.oneOf("show");
    if (!source && arguments.compare.step)
        throw OptionError{Words::tr("--compare-step: say of which source with --compare SOURCE")};
    if (!source && !arguments.compare.sequence) {
        if (!shown.isEmpty())
            throw OptionError{
                Words::tr("--show %1: there is nothing to compare with; give --compare SOURCE or "
                          "--compare-sequence N")
                    .arg(shown)};
        return;
    }
    if (source)
        requireSource(*source, arguments.command);
    arguments.shown = ui::findShown(shown).value_or(ui::ComparisonSide::Difference);
}

void readOutput(const OptionReader &reader, Arguments &arguments) {
    const QStringList formats = reader.allowed("format");
    const std::optional<QString> output = reader.path("output");
    if (!output || output->isEmpty())
        throw OptionError{Words::tr("say where to write: -o FILE")};
    arguments.output = *output;
    arguments.format = reader.oneOf("format");
    if (!arguments.format.isEmpty())
        return;
    arguments.format = QFileInfo(*output).suffix().toLower();
    if (!formats.contains(arguments.format))
        throw OptionError{
            Words::tr("%1: unknown extension; expected .%2, or --format with one of them")
                .arg(*output, formats.join(", ."))};
}

void readWorksheet(const OptionReader &reader, Arguments &arguments) {
    arguments.answers = reader.isSet("answers");
    arguments.sheet = *ui::findSheetOfPaper(reader.oneOf("sheet", "a4"));
    arguments.page = reader.index("page");
    readOutput(reader, arguments);
}

void readCourse(const QStringList &words, const OptionReader &reader, Arguments &arguments) {
    if (words.size() != 1)
        throw OptionError{words.isEmpty() ? Words::tr("course: give a folder with lessons")
                                          : Words::tr("%1: one word too many").arg(words.last())};
    arguments.request.source = words.first();
    arguments.output = reader.path("output").value_or("");
    if (arguments.output.isEmpty())
        throw OptionError{Words::tr("say where to write: -o FILE")};
    // Headlight could not open it under another extension.
    if (arguments.output != "-" && !arguments.output.endsWith(".headlight-course"))
        throw OptionError{
            Words::tr("%1: unknown extension; expected .headlight-course").arg(arguments.output)};
}

/// Reads a task or a session file; missing if a run is resumed.
void readTrainWord(const QStringList &words, TrainRequest &train) {
    if (words.size() > 1)
        throw OptionError{Words::tr("%1: one word too many").arg(words.last())};
    if (!words.isEmpty() && !train.resume.isEmpty())
        throw OptionError{
            Words::tr("%1: leave it out; the run of --resume says its task").arg(words.first())};
    if (words.isEmpty() && train.resume.isEmpty())
        throw OptionError{Words::tr("say what to train on: a task (headlight tasks lists them), a "
                                    "session, or --resume FILE")};
    if (words.isEmpty())
        return;
    std::vector<std::string> known{"characters", "words"};
    for (const core::TaskPointer &task : core::allTasks())
        known.push_back(task->info().id);
    const std::string word = words.first().toStdString();
    if (std::ranges::count(known, word) > 0)
        train.task = words.first();
    else if (ui::kindOfSource(words.first()) == ui::SourceKind::Session)
        train.resume = words.first();
    else
        throw OptionError{
            Words::tr("%1: no task or session of this name; did you mean '%2'?")
                .arg(words.first(), QString::fromStdString(core::closestName(word, known)))};
}

std::optional<core::Ablation> readAblation(const OptionReader &reader, const TrainRequest &train) {
    const std::optional<QString> id = reader.word("race");
    if (!id)
        return std::nullopt;
    if (train.task.isEmpty())
        throw OptionError{Words::tr("--race: leave it out; the run that goes on has its rival, or "
                                    "none, already")};
    const auto ablation = core::findAblation(id->toStdString());
    if (ablation)
        return ablation;
    std::vector<std::string> known;
    for (const QString &each : reader.allowed("race"))
        known.push_back(each.toStdString());
    throw OptionError{
        Words::tr("--race %1: there is no such switch; did you mean '%2'?")
            .arg(*id, QString::fromStdString(core::closestName(id->toStdString(), known)))};
}

void readTrain(const QStringList &words, const OptionReader &reader, Arguments &arguments) {
    TrainRequest &train = arguments.train;
    train.resume = reader.path("resume").value_or("");
    train.isResumed = !train.resume.isEmpty();
    readTrainWord(words, train);
    train.textFile = reader.path("text-file").value_or("");
    const bool readsText = core::findTextUnits(train.task.toStdString()).has_value();
    if (readsText && train.textFile.isEmpty())
        throw OptionError{Words::tr("%1: say which text: --text-file FILE").arg(train.task)};
    if (!readsText && !train.task.isEmpty() && !train.textFile.isEmpty())
        throw OptionError{
            Words::tr("--text-file: the task %1 makes its own examples; characters and words read "
                      "a text")
                .arg(train.task)};
    train.race = readAblation(reader, train);
    train.changes = readRecipeChanges(reader);
    for (const RecipeChange &change : train.changes)
        if (change.isOfModel && train.task.isEmpty())
            throw OptionError{
                Words::tr("--%1: leave it out; the run that goes on has its model and "
                          "its examples already")
                    .arg(change.option)};
    const std::optional<QString> output = reader.path("output");
    if (output ? output->isEmpty() : !reader.isSet("resume"))
        throw OptionError{Words::tr("say where to write: -o FILE")};
    arguments.output = output.value_or(train.resume);
}

/// Reads the positional words: the source, or the files of check.
void readWords(QStringList words, Arguments &arguments) {
    const Command command = arguments.command;
    if (command == Command::Check) {
        if (words.isEmpty())
            throw OptionError{Words::tr("check: give at least one file")};
        arguments.files = words;
        return;
    }
    if (command == Command::Tokenize) {
        if (words.isEmpty())
            throw OptionError{Words::tr("tokenize: give a folder with a tokenizer")};
        if (words.size() > 2)
            throw OptionError{Words::tr("%1: one word too many").arg(words.last())};
        arguments.tokenizer.path = ui::bytesOf(words.takeFirst());
        arguments.files = words;
        return;
    }
    if (command == Command::Window && words.size() > 1 && commandWords().contains(words.first()))
        throw OptionError{Words::tr("%1: a command is the first word").arg(words.first())};
    const bool lists = command == Command::Lessons || command == Command::Tasks;
    if (lists ? !words.isEmpty() : words.size() > 1)
        throw OptionError{Words::tr("%1: one word too many").arg(words.last())};
    if (lists)
        return;
    if (words.isEmpty()) {
        if (command != Command::Window)
            throw OptionError{Words::tr("give a source: the id of a lesson or a file")};
        return;
    }
    arguments.request.source = words.first();
    requireSource(words.first(), command);
}

Arguments read(const QCommandLineParser &parser, Command command) {
    Arguments arguments;
    arguments.command = command;
    const OptionReader reader(parser, command);
    if (command == Command::Train) {
        readTrain(parser.positionalArguments(), reader, arguments);
        return arguments;
    }
    if (command == Command::Course) {
        readCourse(parser.positionalArguments(), reader, arguments);
        return arguments;
    }
    readWords(parser.positionalArguments(), arguments);
    if (command == Command::Lessons || command == Command::Check)
        return arguments;
    if (command == Command::Tasks) {
        arguments.json = reader.isSet("json");
        return arguments;
    }
    if (command == Command::Tokenize) {
        readTokenize(reader, arguments);
        return arguments;
    }
    if (command == Command::Worksheet) {
        readWorksheet(reader, arguments);
        return arguments;
    }
    readSource(reader, arguments.request);
    if (command == Command::Generate) {
        readGeneration(reader, arguments);
        return arguments;
    }
    if (command == Command::Verify) {
        arguments.json = reader.isSet("json");
        return arguments;
    }
    readPlace(reader, arguments);
    if (command == Command::Info) {
        arguments.json = parser.isSet("json");
        return arguments;
    }
    readLook(reader, arguments);
    if (command == Command::Figure)
        readComparison(reader, arguments);
    if (command != Command::Window)
        readOutput(reader, arguments);
    return arguments;
}

/// Decodes the words to Unicode. File names may contain any bytes; OptionReader rejects those
/// elsewhere.
QStringList decoded(int count, char **words) {
    QStringList list{"headlight"}; // argv[0] may be any path
    for (int i = 1; i < count; ++i)
        list << ui::pathOf(words[i]);
    return list;
}

} // namespace

namespace {

/// `list` starts with the program's name; the command is already removed.
ParsedArguments parse(const QStringList &list, Command command) {
    try {
        // Checked before the options, because those of a mistyped command would be reported as
        // unknown.
        if (command == Command::Window && list.size() > 1 && !list[1].startsWith('-'))
            requireSource(list[1], command);
        QCommandLineParser parser;
        parser.addOption({{"h", "help"}, ""});
        parser.addOption({{"v", "version"}, ""});
        for (const Option &option : allOptions()) {
            if (!option.commands.contains(command))
                continue;
            QStringList names{option.name};
            if (option.letter)
                names << option.letter;
            parser.addOption({names, "", option.value ? option.value : ""});
        }
        const bool understood = parser.parse(list);
        if (understood && parser.isSet("help"))
            return PrintAndExit{helpText(command)};
        if (understood && parser.isSet("version"))
            return PrintAndExit{"headlight " HEADLIGHT_VERSION "\n"};
        if (!understood)
            throw OptionError{Words::tr("%1 (headlight --help lists what there is)")
                                  .arg(parser.errorText().section('\n', 0, 0))};
        Arguments arguments = read(parser, command);
        if (command == Command::Figure) {
            arguments.words = withoutOutput(list.mid(1));
            arguments.recipe = recipeOf(arguments.words, arguments.format);
        }
        return arguments;
    } catch (const OptionError &malformed) {
        return UsageError{malformed.text};
    }
}

} // namespace

ParsedArguments parseArguments(int count, char **words) {
    QStringList list = decoded(count, words);
    Command command = Command::Window;
    if (list.size() > 1 && commandWords().contains(list[1])) {
        command = static_cast<Command>(1 + commandWords().indexOf(list[1]));
        list.removeAt(1);
    }
    return parse(list, command);
}

ParsedArguments paintedAgain(const Arguments &typed, const QStringList &carried) {
    const MergedOptions recipe = laidOver(carried, typed.words, typed.format);
    const QStringList list =
        QStringList{"headlight", "--output=" + typed.output, "--format=" + typed.format} +
        withSource(recipe.words, typed.request.source);
    ParsedArguments parsed = parse(list, Command::Figure);
    if (auto *arguments = std::get_if<Arguments>(&parsed)) {
        arguments->words = recipe.words;
        arguments->recipe = recipeOf(recipe.words, typed.format);
        arguments->leftOut = recipe.leftOut;
        if (!says(typed.words, "size") && !says(typed.words, "scale"))
            arguments->maximumPixels = kMaximumCarriedPixels;
    }
    return parsed;
}

} // namespace headlight::app
