#include "app/arguments.h"

#include "app/figure_command_line.h"
#include "app/figure_files.h"
#include "app/words.h"
#include "core/closest_name.h"
#include "core/training/tasks/own_text.h"
#include "ui/command_line/output_pattern.h"
#include "ui/document/lesson_catalogue.h"
#include "ui/text/file_path.h"

#include <QCommandLineParser>
#include <QFileInfo>

#include <algorithm>

namespace headlight::app {

namespace {

/// Reads each option that is set, with the read function of its table row.
void readOptions(const QCommandLineParser &parser, Arguments &arguments) {
    for (const OptionRow &row : allOptions())
        if (row.commands.contains(arguments.command) && parser.isSet(row.name))
            row.read({row.name, parser.value(row.name), parser.values(row.name)}, arguments);
    if (arguments.command != Command::Trace) // trace takes a pattern instead
        arguments.request.place = core::findStageAnywhere(arguments.stage.toStdString());
    arguments.request.opened = arguments.choices.opened;
    arguments.request.softmax = arguments.choices.softmax;
}

void checkGeneration(const QCommandLineParser &parser) {
    if (!parser.isSet("tokens"))
        throw OptionError{Words::tr("missing number of tokens: use --tokens N")};
    if (parser.isSet("alternatives") && !parser.isSet("json"))
        throw OptionError{Words::tr("--alternatives: requires --json")};
}

/// Rejects a second text, because the program would ignore one of the two.
void checkText(const ui::SourceRequest &request) {
    QStringList texts;
    if (request.text)
        texts << "--text";
    if (request.tokenIds)
        texts << "--token-ids";
    if (request.randomRepeats)
        texts << "--random-repeats";
    if (texts.size() > 1)
        throw OptionError{Words::tr("%1: cannot be used with %2").arg(texts[1], texts[0])};
}

/// Checks that --texts is the only source of texts, and that each text has its own output file.
void checkTexts(const QCommandLineParser &parser, const Arguments &arguments) {
    if (!parser.isSet("texts"))
        return;
    if (arguments.texts.isEmpty())
        throw OptionError{Words::tr("--texts: missing file")};
    for (const char *option :
         {"text", "pair", "target-text", "token-ids", "random-repeats", "target-token-ids"})
        if (parser.isSet(option))
            throw OptionError{Words::tr("--%1: cannot be used with --texts").arg(option)};
    if (!ui::hasPattern(arguments.output, QLatin1Char('n')))
        throw OptionError{Words::tr("--texts: the output name must contain %n, the number of the "
                                    "text: use -o out-%n.json")};
}

void checkTokenize(const Arguments &arguments) {
    if (arguments.text.has_value() == !arguments.files.isEmpty())
        throw OptionError{
            Words::tr("missing text: use --text TEXT, a file, or - for standard input")};
    if (arguments.pair && arguments.decodes)
        throw OptionError{Words::tr("--pair: cannot be used with --decode, which reads ids")};
}

void checkPaper(const Arguments &arguments) {
    if (arguments.paper && arguments.theme == "dark")
        throw OptionError{
            Words::tr("--theme dark: cannot be used with --paper, which is always light")};
    if (arguments.transparent && !arguments.paper)
        throw OptionError{Words::tr("--transparent: requires --paper")};
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

/// Checks that there is a head to compare with if --only requests the similarity.
void checkSimilarity(const Arguments &arguments) {
    if (!arguments.similarTo && arguments.measures.contains(ui::asWord(core::kSimilarity.name)))
        throw OptionError{Words::tr("--only similarity: requires --similar-to LAYER.HEAD")};
}

/// Checks that `compare` has a side A.
void checkSides(const Arguments &arguments) {
    if (arguments.compare.source.isEmpty() && !arguments.compare.text)
        throw OptionError{
            Words::tr("missing text A: use --compare-text TEXT, or --compare SOURCE")};
    if (!arguments.compare.source.isEmpty())
        requireSource(arguments.compare.source, Command::Compare);
}

/// Checks the comparison options. The default is to show the difference.
void checkComparison(const QCommandLineParser &parser, Arguments &arguments) {
    const bool hasSource = parser.isSet("compare"), hasText = parser.isSet("compare-text");
    if (!hasSource && arguments.compare.step)
        throw OptionError{Words::tr("--compare-step: requires --compare SOURCE")};
    if (hasText && !hasSource && arguments.compare.sequence)
        throw OptionError{Words::tr("--compare-sequence: cannot be used with --compare-text")};
    if (!hasSource && !hasText && !arguments.compare.sequence) {
        if (arguments.shown)
            throw OptionError{Words::tr("--show %1: requires --compare SOURCE, --compare-text TEXT "
                                        "or --compare-sequence N")
                                  .arg(ui::nameOf(*arguments.shown))};
        if (!arguments.pairEdits.empty())
            throw OptionError{Words::tr("--align: requires --compare-text TEXT, --compare SOURCE "
                                        "or --compare-sequence N")};
        return;
    }
    if (hasSource)
        requireSource(arguments.compare.source, arguments.command);
    if (!arguments.shown)
        arguments.shown = ui::ComparisonSide::Difference;
}

/// Checks the options of --effect.
void checkEffect(const Arguments &arguments) {
    if (!arguments.effectOnLoss && (arguments.silencesByMean || arguments.token))
        throw OptionError{arguments.token ? Words::tr("--token: requires --effect logit")
                                          : Words::tr("--mean: requires --effect logit or loss")};
    if (arguments.effectOnLoss && !arguments.measure.isEmpty())
        throw OptionError{Words::tr("--measure: cannot be used with --effect")};
    if (arguments.effectOnLoss.value_or(false) && arguments.token)
        throw OptionError{
            Words::tr("--token: the loss is the mean over all tokens; use --effect logit")};
}

/// Rejects several layers or heads. Only `figure` accepts them, and makes a figure for each.
void checkLists(const Arguments &arguments) {
    if (arguments.command == Command::Figure)
        return;
    const auto reject = [](const char *option, const ui::IndexList &list) {
        if (list.isSet())
            throw OptionError{
                Words::tr("--%1: only headlight figure takes several; use one").arg(option)};
    };
    reject("layer", arguments.layers);
    reject("head", arguments.eachHead);
}

/// Checks the output. Its extension is the default format.
void checkOutput(Arguments &arguments) {
    if (arguments.output.isEmpty())
        throw OptionError{Words::tr("missing output file: use -o FILE")};
    if (!arguments.format.isEmpty())
        return;
    const QStringList formats = valuesOf("format", arguments.command);
    arguments.format = QFileInfo(arguments.output).suffix().toLower();
    if (!formats.contains(arguments.format))
        throw OptionError{
            Words::tr("%1: unknown extension; expected .%2, or --format with one of them")
                .arg(arguments.output, formats.join(", ."))};
}

/// Rejects options that the format cannot honour: HTML and plain text have no pages, and they
/// cannot contain worksheets.
void checkHandout(const Arguments &arguments) {
    if (arguments.answers && !arguments.worksheets)
        throw OptionError{Words::tr("--answers: requires --worksheets")};
    if (arguments.format != "html" && arguments.format != "txt")
        return;
    if (arguments.worksheets)
        throw OptionError{Words::tr("--worksheets: a worksheet is printed as .pdf, .png or .svg")};
    if (arguments.page)
        throw OptionError{Words::tr("--page: .html and .txt have no pages")};
}

void readCourse(const QStringList &words, Arguments &arguments) {
    if (words.size() != 1)
        throw OptionError{words.isEmpty() ? Words::tr("course: missing lesson folder")
                                          : Words::tr("%1: unexpected argument").arg(words.last())};
    arguments.request.source = words.first();
    if (arguments.output.isEmpty())
        throw OptionError{Words::tr("missing output file: use -o FILE")};
    // Headlight recognises a course by its extension.
    if (arguments.output != "-" && !arguments.output.endsWith(".headlight-course"))
        throw OptionError{
            Words::tr("%1: unknown extension; expected .headlight-course").arg(arguments.output)};
}

/// Reads the task or the session file. If a run is resumed, there is neither.
void readTrainWord(const QStringList &words, TrainRequest &train) {
    if (words.size() > 1)
        throw OptionError{Words::tr("%1: unexpected argument").arg(words.last())};
    if (!words.isEmpty() && !train.resume.isEmpty())
        throw OptionError{
            Words::tr("%1: cannot be used with --resume: the saved run already defines its task")
                .arg(words.first())};
    if (words.isEmpty() && train.resume.isEmpty())
        throw OptionError{Words::tr(
            "missing task: give a task (headlight tasks lists them), a session, or --resume FILE")};
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

void readTrain(const QStringList &words, const QCommandLineParser &parser, Arguments &arguments) {
    TrainRequest &train = arguments.train;
    train.isResumed = !train.resume.isEmpty();
    readTrainWord(words, train);
    const bool readsText = core::findTextUnits(train.task.toStdString()).has_value();
    if (readsText && train.textFile.isEmpty())
        throw OptionError{Words::tr("%1: missing text: use --text-file FILE").arg(train.task)};
    if (!readsText && !train.task.isEmpty() && !train.textFile.isEmpty())
        throw OptionError{Words::tr("--text-file: the task %1 generates its examples; only the "
                                    "tasks characters and words read a text")
                              .arg(train.task)};
    if (train.race && train.task.isEmpty())
        throw OptionError{
            Words::tr("--race cannot be used with --resume: the saved run already defines it")};
    for (const RecipeChange &change : train.changes)
        if (change.isOfModel && train.task.isEmpty())
            throw OptionError{
                Words::tr("--%1 cannot be used with --resume: the saved run already defines it")
                    .arg(change.option)};
    const bool hasOutput = parser.isSet("output");
    if (hasOutput ? arguments.output.isEmpty() : !train.isResumed)
        throw OptionError{Words::tr("missing output file: use -o FILE")};
    if (!hasOutput)
        arguments.output = train.resume;
}

/// Reads the positional words: the source, or the files of check.
void readWords(QStringList words, Arguments &arguments) {
    const Command command = arguments.command;
    if (command == Command::Check) {
        if (words.isEmpty())
            throw OptionError{Words::tr("check: missing file")};
        arguments.files = words;
        return;
    }
    if (command == Command::Tokenize) {
        if (words.isEmpty())
            throw OptionError{Words::tr("tokenize: missing tokenizer folder")};
        if (words.size() > 2)
            throw OptionError{Words::tr("%1: unexpected argument").arg(words.last())};
        arguments.tokenizer.path = ui::bytesOf(words.takeFirst());
        arguments.files = words;
        return;
    }
    if (command == Command::Window && words.size() > 1 && commandWords().contains(words.first()))
        throw OptionError{
            Words::tr("%1: the command must be the first argument").arg(words.first())};
    const bool lists = command == Command::Lessons || command == Command::Tasks;
    if (lists ? !words.isEmpty() : words.size() > 1)
        throw OptionError{Words::tr("%1: unexpected argument").arg(words.last())};
    if (lists)
        return;
    if (words.isEmpty()) {
        if (command != Command::Window)
            throw OptionError{Words::tr("missing source: give the id of a lesson or a file")};
        return;
    }
    arguments.request.source = words.first();
    requireSource(words.first(), command);
}

Arguments read(const QCommandLineParser &parser, Command command) {
    Arguments arguments;
    arguments.command = command;
    const QStringList words = parser.positionalArguments();
    const bool isPack = command == Command::Handout && parser.isSet("all");
    if (isPack && !words.isEmpty())
        throw OptionError{
            Words::tr("%1: cannot be used with --all, which prints the built-in lessons")
                .arg(words.first())};
    if (command != Command::Train && command != Command::Course && !isPack)
        readWords(words, arguments);
    readOptions(parser, arguments);
    switch (command) {
    case Command::Train:
        readTrain(words, parser, arguments);
        break;
    case Command::Course:
        readCourse(words, arguments);
        break;
    case Command::Tokenize:
        checkTokenize(arguments);
        break;
    case Command::Cosine:
        if (!arguments.text || (!arguments.pair && !arguments.request.picture))
            throw OptionError{Words::tr("cosine: missing text: use --text TEXT, and --pair TEXT or "
                                        "--picture FILE")};
        if (arguments.pair && arguments.request.picture)
            throw OptionError{Words::tr("--pair and --picture exclude each other")};
        break;
    case Command::Generate:
        checkGeneration(parser);
        break;
    case Command::Figure:
        checkPaper(arguments);
        checkEffect(arguments);
        checkComparison(parser, arguments);
        [[fallthrough]];
    case Command::Trace:
    case Command::Worksheet:
        checkOutput(arguments);
        if (command == Command::Figure)
            checkFigureNames(arguments);
        break;
    case Command::Handout:
        checkOutput(arguments);
        checkHandout(arguments);
        break;
    case Command::Compare:
        checkSides(arguments);
        [[fallthrough]];
    case Command::Measures:
        checkSimilarity(arguments);
        [[fallthrough]];
    case Command::Ablate:
    case Command::Rollout:
    case Command::Flow:
        if (arguments.csv && arguments.json)
            throw OptionError{Words::tr("--csv: cannot be used with --json")};
        break;
    case Command::Window:
    case Command::Lessons:
    case Command::Verify:
    case Command::Info:
    case Command::Check:
    case Command::Tasks:
    case Command::Measure:
        break;
    }
    checkLists(arguments);
    if (arguments.request.pair && !arguments.request.text)
        throw OptionError{Words::tr("--pair: requires --text for the first text")};
    checkText(arguments.request);
    checkTexts(parser, arguments);
    return arguments;
}

/// Decodes the words to Unicode. File names may contain any bytes. In other values,
/// TypedValue::text() rejects invalid bytes.
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
        // Checked before the options, because the options of a mistyped command would be reported
        // as unknown.
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
            throw OptionError{
                Words::tr("%1 (see headlight --help)").arg(parser.errorText().section('\n', 0, 0))};
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
            arguments->maximumPixels = kMaxCarriedPixels;
    }
    return parsed;
}

} // namespace headlight::app
