#include "core/formats/json_reader.h"
#include "core/formats/regular_file.h"
#include "core/formats/session_parts.h"
#include "core/formats/step_text.h"
#include "core/in_quotes.h"
#include "core/transformer/forward.h"

#include <filesystem>
#include <new>

namespace headlight::core {

namespace {

/// The version of the format that this program reads and writes.
constexpr Index kVersion = 1;

bool isKnownVersion(const Field &document) {
    const Field version = document.member("headlight");
    if (!document.is(JsonValue::Kind::Object) || !version.present()) {
        version.fail("it is missing", "a session is an object that begins with \"headlight\": 1");
        return false;
    }
    if (version.is(JsonValue::Kind::Number) && version.value().number == kVersion)
        return true;
    version.expected("1, the version of the format that this program reads",
                     "open the file with a newer Headlight");
    return false;
}

/// Every step can be reached, shows what is there, and can be computed where the base can.
void checkSteps(const Field &lesson, const Session &session, bool viewIsGood, bool computable) {
    const auto count = static_cast<Index>(session.lesson->steps.size());
    for (Index index = 0; index < count; ++index) {
        const Field field = lesson.member("steps").element(static_cast<std::size_t>(index));
        const auto state = atStep(session, index);
        if (!state) {
            field.member("set")
                .member(state.error().where)
                .fail(state.error().what, state.error().remedy);
            continue;
        }
        const std::size_t before = field.reading().problems.size();
        // What a broken view hands down to the steps has been said already.
        const LessonStep &step = session.lesson->steps[static_cast<std::size_t>(index)];
        checkSelection(field.member("show"), viewIsGood ? state->view : step.show, *state);
        checkInterventions(field.member("set").member("interventions"), *state);
        checkSequences(field.member("set"), step.set, *state);
        if (field.reading().problems.size() > before || !computable ||
            !field.member("set").present())
            continue;
        if (const Outcome outcome = fits(state->model, state->input); !outcome)
            sayWithin(field.member("set"), outcome.error());
    }
}

/// The sequences, and what they may see of each other.
void readInput(const Field &document, Session &session) {
    const Model &model = session.model;
    Input &input = session.input;
    const Index width = model.config.width > 0 ? model.config.tokenWidth() : 0;
    const Field batch = document.member("batch"), source = document.member("source");
    const BatchPart part = readBatch(batch, width);
    input.batch = part.batch;
    session.minimumLength = part.minimumLength;
    if (source.present()) {
        const BatchPart second = readBatch(source, width);
        input.source = second.batch;
        session.sourceMinimumLength = second.minimumLength;
    }
    AttentionMasks masks = readMasks(document, model, input.batch.get(), input.source.get());
    input.masks = std::move(masks.self).value_or(MaskLayers());
    // Padding is no part of a second sequence's text; who wants it seen says so.
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

/// A view that does not say which attention it means looks at one that there is.
void completeView(Session &session) {
    const Site site = siteOf(session.view, session.model);
    if (session.model.hasEncoder() && !session.view.stack)
        session.view.stack = site.stack;
    if (site.block != Block::SelfAttention)
        session.view.block = site.block;
}

Session readDocument(const Field &document) {
    Session session;
    if (!isKnownVersion(document))
        return session;
    if (const Field title = document.member("title"); title.present())
        session.title = title.text().value_or("");
    const Field now = document.member("now");
    std::optional<std::uint64_t> savedSeed;
    if (const Field seed = now.member("seed"); seed.present())
        savedSeed = readSeed(seed);
    if (!document.reading().seed)
        document.reading().seed = savedSeed;
    session.model = readModel(document.member("model"));
    readInput(document, session);
    if (const Field interventions = document.member("interventions"); interventions.present()) {
        session.input.interventions = readInterventions(interventions, session.model);
        checkInterventions(interventions, session);
    }
    const std::size_t beforeView = document.reading().problems.size();
    if (const Field view = document.member("view"); view.present()) {
        session.view = readSelection(view);
        checkSelection(view, session.view, session);
    }
    completeView(session);
    const bool viewIsGood = document.reading().problems.size() == beforeView;
    const Field lesson = document.member("lesson");
    if (lesson.present())
        session.lesson = readLesson(lesson, session);
    bool computable = document.reading().problems.empty();
    if (computable)
        if (const Outcome outcome = fits(session.model, session.input); !outcome) {
            document.reading().add(outcome.error());
            computable = false;
        }
    if (session.lesson && session.input.batch)
        checkSteps(lesson, session, viewIsGood, computable);
    if (now.present() && session.input.batch && (!session.lesson || !session.lesson->steps.empty()))
        session.now = readNow(now, savedSeed, session);
    return session;
}

void checkTexts(const LessonStep &step, const std::string &where, const Trace &trace,
                Reading &reading) {
    const auto check = [&](const std::string &text, const std::string &field) {
        if (const auto expanded = expandNumbers(text, trace); !expanded)
            reading.add({expanded.error().what + ": " + inQuotes(expanded.error().where),
                         where + field, expanded.error().remedy});
    };
    for (std::size_t index = 0; index < step.text.size(); ++index)
        check(step.text[index], ".text[" + std::to_string(index) + "]");
    check(step.tryIt, ".try_it");
}

/// The session as it was left.
Result<Session> whereItWasLeft(const Session &session) {
    const auto below = session.lesson ? atStep(session, session.now->step) : session;
    return below ? patched(*below, session.now->set) : below;
}

/// What only the computation itself shows: numbers that grow out of bounds, and marks in a lesson's
/// text that no stage answers.
void checkComputation(const Session &session, Reading &reading) {
    if (const auto trace = forward(session.model, session.input); !trace)
        return reading.add(trace.error());
    const auto steps = session.lesson ? session.lesson->steps.size() : 0;
    for (std::size_t index = 0; index < steps; ++index) {
        const std::string where = "lesson.steps[" + std::to_string(index) + "]";
        const auto state = atStep(session, static_cast<Index>(index));
        if (!state)
            continue; // said already
        const auto trace = forward(state->model, state->input);
        if (!trace)
            reading.add(
                {trace.error().what, where + ": " + trace.error().where, trace.error().remedy});
        else
            checkTexts(session.lesson->steps[index], where, **trace, reading);
    }
    if (!session.now)
        return;
    const auto left = whereItWasLeft(session);
    if (const auto trace = left ? forward(left->model, left->input) : left.error(); !trace)
        reading.add({trace.error().what, "now: " + trace.error().where, trace.error().remedy});
}

/// The session is only worth something where there are no problems.
Session readInto(std::string_view json, Reading &reading) {
    try {
        const auto document = readJson(json);
        if (!document) {
            reading.add(document.error());
            return {};
        }
        Session session = readDocument(Field(&*document, "", reading));
        if (reading.problems.empty())
            session.json = json;
        return session;
    } catch (const std::bad_alloc &) {
        reading.problems = {{"there is not enough memory to read it", "", ""}};
    } catch (const std::exception &problem) {
        reading.problems = {{std::string("it cannot be read: ") + problem.what(), "", ""}};
    }
    return {};
}

/// Errors do not name the file.
Result<std::string> wholeFile(const std::string &path) try {
    std::error_code code;
    const std::filesystem::path file(path);
    if (std::filesystem::is_directory(file, code))
        return Error{"it is a folder, not a session file", "", ""};
    Result<std::string> text =
        readRegularFile(path, kMaximumSessionBytes,
                        {"it is larger than " + std::to_string(kMaximumSessionBytes >> 20) + " MB",
                         "", "write large matrices as base64 or use a smaller model"});
    if (!text)
        return Error{text.error().what, "", text.error().remedy};
    return text;
} catch (const std::exception &problem) { // no memory for it, or no such name on this system
    return Error{std::string("it cannot be read: ") + problem.what(), "", ""};
}

} // namespace

Result<Session> readSession(std::string_view json, std::optional<std::uint64_t> seed) {
    Reading reading;
    reading.seed = seed;
    Session session = readInto(json, reading);
    if (!reading.problems.empty())
        return std::move(reading.problems.front());
    return session;
}

std::vector<Error> checkSession(std::string_view json) {
    Reading reading;
    const Session session = readInto(json, reading);
    if (reading.problems.empty())
        checkComputation(session, reading);
    return std::move(reading.problems);
}

Result<Session> readSessionFile(const std::string &path, std::optional<std::uint64_t> seed) {
    const auto inFile = [&path](Error error) {
        error.where = error.where.empty() ? path : path + ": " + error.where;
        return error;
    };
    const auto text = wholeFile(path);
    if (!text)
        return inFile(text.error());
    auto session = readSession(*text, seed);
    if (!session)
        return inFile(session.error());
    return session;
}

std::vector<Error> checkSessionFile(const std::string &path) {
    const auto text = wholeFile(path);
    return text ? checkSession(*text) : std::vector<Error>{text.error()};
}

} // namespace headlight::core
