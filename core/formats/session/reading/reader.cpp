#include "core/formats/json/reader.h"
#include "core/formats/files/gguf.h"
#include "core/formats/files/regular_file.h"
#include "core/formats/pretrained/pretrained_folder.h"
#include "core/formats/session/data/fields.h"
#include "core/formats/session/data/selection_patch.h"
#include "core/formats/session/reading/parts.h"
#include "core/in_quotes.h"
#include "core/training/recipe/character_reader.h"
#include "core/training/tasks/own_text.h"
#include "core/training/tasks/task.h"
#include "core/transformer/plan/computable.h"

#include <filesystem>
#include <new>

namespace headlight::core {

namespace {

/// The newest version of the format that Headlight reads and writes. It only adds fields to version
/// 1.
constexpr int kNewestVersion = 2;

/// Paths are shown in full so that users can find the folder, but a file may contain a path of any
/// length.
constexpr std::size_t kPathShown = 1000;

bool isKnownVersion(const Field &document) {
    const Field version = document.member("headlight");
    if (!document.is(JsonValue::Kind::Object) || !version.present()) {
        version.fail("it is missing", "a session is an object that begins with \"headlight\": 1");
        return false;
    }
    if (version.is(JsonValue::Kind::Number) &&
        (version.value().number == 1 || version.value().number == kNewestVersion))
        return true;
    version.expected("1 or 2, the versions of the format that this program reads",
                     "open the file with a newer Headlight");
    return false;
}

/// Applies the patch and checks that the state can be computed. Returns the state with its
/// Computable; nullopt after a problem.
std::optional<Session> checkedState(const Field &set, const Session &base, StatePatch patch) {
    const StatePatch own = patch;
    patch.words.clear(); // already checked; applying them takes as long as everything else
    auto state = patched(base, patch);
    if (!state) {
        set.member(state.error().where).fail(state.error().what, state.error().remedy);
        return std::nullopt;
    }
    const std::size_t before = set.reading().problems.size();
    checkInterventions(set.member("interventions"), *state);
    checkSequences(set, own, *state);
    if (set.present() && set.reading().problems.size() == before) {
        if (Result<Computable> computable = Computable::of(state->model, state->input); computable)
            state->computable = *std::move(computable);
        else
            reportWithin(set, computable.error());
    }
    return set.reading().problems.size() == before ? std::optional(*std::move(state))
                                                   : std::nullopt;
}

/// Returns the result of checkedState() for later use; null if it does not cover the complete
/// patch.
std::shared_ptr<const CheckedPatch> keptState(const Field &set, const Session &before,
                                              const StatePatch &patch, const Session &after) {
    if (!set.present() || !patch.words.empty() || !after.computable)
        return nullptr;
    return std::make_shared<const CheckedPatch>(
        CheckedPatch{patch, *after.computable, before.view, after.view});
}

/// Checks that the selections of a step and its question exist, and that its exercise's solution
/// can be applied.
CheckedStep checkStep(const Field &field, const Session &base, LessonStep &step) {
    CheckedStep checked;
    const Field set = field.member("set");
    const auto state = checkedState(set, base, step.set);
    if (!state)
        return checked;
    checked.state = keptState(set, base, step.set, *state);
    fitSelection(field.member("show").advice(), step.show, state->view, *state);
    if (step.question && step.question->show)
        fitSelection(field.member("question").member("show").advice(), *step.question->show,
                     state->view, *state);
    if (step.exercise) {
        const StatePatch &patch = step.exercise->solution;
        const Field solution = field.member("exercise").member("solution");
        Session shown = *state; // as atStep() returns it
        shown.view = merged(shown.view, step.show);
        if (const auto solved = checkedState(solution, shown, patch))
            checked.solution = keptState(solution, shown, patch, *solved);
    }
    return checked;
}

/// Returns the work of applying one step, to be compared with kMaxStepWork.
Index workOf(const Model &model, const Input &input) {
    Index work = input.batch->count() * input.batch->length();
    if (input.source)
        work += input.source->count() * input.source->length();
    for (const MaskLayers *layers : {&input.masks, &input.encoderMasks, &input.crossMasks})
        for (const MaskLayer &layer : *layers)
            if (const auto *cells = std::get_if<CellMask>(&layer))
                work += static_cast<Index>(cells->cells.size());
    work +=
        static_cast<Index>(input.interventions.heads.size() + input.interventions.scores.size());
    constexpr std::size_t kParameters = 32; // typical number of parameters in a layer
    const ModelParameters &weights = model.parameters;
    return work + static_cast<Index>(kParameters *
                                     (weights.main.layers.size() + weights.encoder.layers.size()));
}

void checkSteps(const Field &lesson, Session &session) {
    const Session base = withoutLesson(session);
    const Field steps = lesson.member("steps");
    const auto count = static_cast<Index>(session.lesson->steps.size());
    if (workOf(base.model, base.input) > kMaxStepWork / count)
        return steps.fail({"%1 steps are too many for a session of this size", count},
                          "use fewer steps, or a shorter text");
    std::vector<CheckedStep> checked(session.lesson->steps.size());
    Index work = 0; // sum over the kept states
    for (std::size_t index = 0; index < checked.size(); ++index) {
        CheckedStep step = checkStep(steps.element(index), base, session.lesson->steps[index]);
        for (const CheckedPatch *kept : {step.state.get(), step.solution.get()})
            if (kept)
                work += workOf(kept->computable.model(), kept->computable.input());
        if (work <= kMaxCheckedWork)
            checked[index] = std::move(step);
    }
    session.checkedSteps = std::make_shared<const std::vector<CheckedStep>>(std::move(checked));
}

/// Reads the batches and their masks.
void readInput(const Field &document, Session &session) {
    const Model &model = session.model;
    Input &input = session.input;
    const Field batch = document.member("batch"), source = document.member("source");
    const BatchPart part = readBatch(batch, model, model.mainStack());
    input.batch = part.batch;
    session.minimumLength = part.minimumLength;
    if (source.present()) {
        const BatchPart second = readBatch(source, model, model.sourceStack());
        input.source = second.batch;
        session.sourceMinimumLength = second.minimumLength;
    }
    AttentionMasks masks = readMasks(document, model, input.batch.get(), input.source.get());
    input.masks = std::move(masks.self).value_or(MaskLayers());
    // Padding of the second sequences is masked by default.
    if (model.hasEncoder())
        input.encoderMasks = std::move(masks.encoder).value_or(MaskLayers{PaddingMask()});
    if (model.hasCrossAttention())
        input.crossMasks = std::move(masks.cross).value_or(MaskLayers{PaddingMask()});
    if (!document.reading().problems.empty())
        return;
    checkTokens(batch, *input.batch, model, model.mainStack());
    if (input.source)
        checkTokens(source, *input.source, model, model.sourceStack());
}

/// Selects an existing attention module if the view does not select one.
void completeView(Session &session) {
    const AttentionId attention = attentionIdOf(session.view, session.model);
    if (session.model.hasEncoder() && !session.view.stack)
        session.view.stack = attention.stack;
    if (attention.block != Block::SelfAttention)
        session.view.block = attention.block;
}

/// Checks whether the parts fit together. Each check requires that earlier parts had no problems,
/// because an unreadable model has no layers, and an unreadable batch has no sequences.
void checkWhole(const Field &document, std::optional<std::uint64_t> savedSeed, Session &session) {
    const auto isGood = [&document] { return document.reading().problems.empty(); };
    checkInterventions(document.member("interventions"), session);
    if (!isGood())
        return;
    Result<Computable> computable = Computable::of(session.model, session.input);
    if (!computable)
        return document.reading().add(computable.error());
    session.computable = *std::move(computable);
    fitSelection(document.member("view").advice(), session.view, {}, session);
    completeView(session);
    if (session.lesson)
        checkSteps(document.member("lesson"), session);
    if (const Field now = document.member("now"); now.present() && isGood())
        session.now = readNow(now, savedSeed, session);
}

/// Reads a document that shows a capture. The selection cannot be checked until the capture is
/// read.
void readCaptureDocument(const Field &document, Session &session) {
    readInto(document.member("capture"), session.capture.emplace());
    for (const char *other :
         {"model", "batch", "source", "lesson", "interventions", "masks", "training"})
        if (const Field field = document.member(other); field.present())
            field.fail("a session that shows a capture cannot have it", "leave one of the two out");
    if (const Field view = document.member("view"); view.present())
        session.view = readSelection(view.advice());
    if (const Field now = document.member("now"); now.present() && now.isObject()) {
        session.now.emplace();
        if (const Field show = now.member("show"); show.present())
            session.now->show = readSelection(show.advice());
        if (const Field set = now.member("set"); set.present())
            set.fail("a capture cannot be changed", "leave it out");
    }
}

/// Reads the model in a folder, whose path is relative to the document.
void readPretrainedModel(const Field &field, Session &session) {
    ModelReference model;
    if (!readInto(field, model) || model.folder.find('\0') != model.folder.npos ||
        !field.reading().problems.empty())
        return;
    const std::string path =
        (std::filesystem::path(field.reading().folder) / model.folder).lexically_normal().string();
    if (std::error_code unknown; !std::filesystem::exists(path, unknown))
        return field.member("folder").fail(
            {"it needs the model in the folder %1, which is not there", inQuotes(path, kPathShown)},
            "put the model's folder there, or create the session again from the folder");
    const auto folder =
        readPretrained(path, field.reading().stop.token(), model.expression, model.tower);
    if (!folder)
        return field.member("folder").fail(Message::verbatim(folder.error().text()));
    for (const Warning &warning : (*folder)->warnings)
        field.reading().warn(warning);
    if (model.hash && *model.hash != (*folder)->hash)
        field.member("hash").advice().fail(
            "the model in the folder is not the one that the session was saved with",
            "your changes may not fit it");
    session.pretrained = *folder;
    session.model = (*folder)->model;
}

Session readDocument(const Field &document) {
    Session session;
    if (!isKnownVersion(document))
        return session;
    readInto<SessionHeader>(document, session);
    if (document.member("capture").present()) {
        readCaptureDocument(document, session);
        return session;
    }
    const Field now = document.member("now");
    std::optional<std::uint64_t> savedSeed;
    if (const Field seed = now.member("seed"); seed.present())
        savedSeed = readSeed(seed);
    if (!document.reading().seed)
        document.reading().seed = savedSeed;
    if (const Field pretrained = document.member("pretrained"); pretrained.present()) {
        readPretrainedModel(pretrained, session);
        if (const Field model = document.member("model"); model.present())
            model.fail("a session with a pretrained model cannot have it",
                       "leave one of the two out");
    } else {
        session.model = readModel(document.member("model"));
    }
    if (const Field training = document.member("training"); training.present())
        if (!session.model.reader)
            session.model.reader = readerOfTask(training, session.model);
    readInput(document, session);
    if (const Field interventions = document.member("interventions"); interventions.present())
        session.input.interventions = readInterventions(interventions, session.model);
    if (const Field view = document.member("view"); view.present())
        session.view = readSelection(view.advice());
    if (const Field field = document.member("lesson"); field.present()) {
        Lesson lesson;
        field.reading().base = &session;
        readInto(field, lesson);
        field.reading().base = nullptr;
        session.lesson = std::move(lesson);
    }
    if (const Field training = document.member("training"); training.present())
        session.training = readTraining(training, session.model);
    if (const TaskPointer task =
            session.training ? findTask(session.training->recipe.task) : nullptr)
        session.model.answersInPlace = task->info().answersInPlace;
    // The vocabulary does not determine whether words are characters.
    const bool readsCharacters =
        session.training && session.training->recipe.task == idOf(TextUnits::Characters);
    if (readsCharacters && session.model.vocabulary)
        session.model.reader = characterReader(session.model.vocabulary);
    if (document.reading().problems.empty())
        checkWhole(document, savedSeed, session);
    else if (now.present())
        session.now = readNow(now, savedSeed, session);
    return session;
}

/// Reads a document. The session is valid only if no problems were reported.
Session readInto(std::string_view json, Reading &reading) {
    try {
        const auto document = readJson(json, reading.stop.token());
        if (!document) {
            reading.add(document.error());
            return {};
        }
        Session session = readDocument(Field(&*document, "", reading));
        if (!reading.problems.empty())
            return {}; // otherwise unread fields would be reported as unknown
        for (Warning &warning : reading.asked.unknownIn(*document, kMaxProblems))
            reading.warn(std::move(warning));
        session.json = json;
        session.warnings = reading.warnings;
        return session;
    } catch (const Cancelled &) {
        reading.problems = {cancelled()};
    } catch (const std::bad_alloc &) {
        reading.problems = {{"there is not enough memory to read it", "", ""}};
    } catch (const std::exception &problem) {
        reading.problems = {{{"it cannot be read: %1", std::string(problem.what())}, "", ""}};
    }
    return {};
}

std::string folderOf(const std::string &path) {
    return std::filesystem::path(path).parent_path().string();
}

/// Reads a whole file. Errors do not name the file.
Result<std::string> wholeFile(const std::string &path, const std::stop_token &stop) try {
    std::error_code code;
    const std::filesystem::path file(path);
    if (std::filesystem::is_directory(file, code))
        return Error{"it is a folder, not a session file", "", ""};
    if (isGguf(path))
        return Error{"it is a GGUF file with a model, not a session", "",
                     "give it a name that ends with .gguf"};
    Result<std::string> text =
        readRegularFile(path, kMaxSessionBytes,
                        {{"it is larger than %1 MB", kMaxSessionBytes >> 20},
                         "",
                         "write large matrices as base64 or use a smaller model"},
                        stop);
    if (!text)
        return Error{text.error().what, "", text.error().remedy};
    return text;
} catch (const std::exception &problem) { // not enough memory, or an invalid file name
    return Error{{"it cannot be read: %1", std::string(problem.what())}, "", ""};
}

} // namespace

Result<Session> readSession(std::string_view json, std::optional<std::uint64_t> seed,
                            std::stop_token stop, const std::string &folder) {
    Reading reading;
    reading.seed = seed;
    reading.folder = folder;
    reading.stop = StopCheck(std::move(stop));
    Session session = readInto(json, reading);
    if (!reading.problems.empty())
        return std::move(reading.problems.front());
    return session;
}

SessionReading readWithFindings(std::string_view json, std::stop_token stop,
                                const std::string &folder) {
    Reading reading;
    reading.folder = folder;
    reading.stop = StopCheck(std::move(stop));
    SessionReading read{readInto(json, reading), {}};
    if (!reading.problems.empty())
        read.session.reset();
    read.findings = {std::move(reading.problems), std::move(reading.warnings)};
    return read;
}

Result<Session> readSessionFile(const std::string &path, std::optional<std::uint64_t> seed,
                                std::stop_token stop) {
    const auto inFile = [&path](Error error) {
        error.where = error.where.empty() ? path : path + ": " + error.where;
        return error;
    };
    const auto text = wholeFile(path, stop);
    if (!text)
        return inFile(text.error());
    auto session = readSession(*text, seed, std::move(stop), folderOf(path));
    if (!session)
        return inFile(session.error());
    return session;
}

SessionReading readFileWithFindings(const std::string &path, std::stop_token stop) {
    const auto text = wholeFile(path, stop);
    return text ? readWithFindings(*text, std::move(stop), folderOf(path))
                : SessionReading{std::nullopt, {{text.error()}, {}}};
}

} // namespace headlight::core
