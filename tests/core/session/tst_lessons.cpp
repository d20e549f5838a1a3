// Every built-in lesson can be read, and every step can be computed. The numbers in its text exist,
// and its claims hold (check evaluates each {if}, question and exercise). Each lesson asks early,
// next to a picture, and gives a reason for each wrong answer.
#include "core/checks/session_check.h"
#include "core/lesson/question.h"
#include "core/lesson/step_text.h"
#include "core_test.h"
#include "support.h"

namespace {

void checkText(const std::string &text, const Trace &trace) {
    CAPTURE(text);
    const auto expanded = valueOf(expandNumbers(text, trace));
    CHECK(expanded.find_first_of("{}") == std::string::npos);
    const std::string html = markedToHtml(expanded);
    CHECK(html.find('*') == std::string::npos); // every mark is closed
}

} // namespace

TEST_CASE("all lessons") {
    const std::vector<std::string> ids = lessonIds();
    for (const std::string &id : ids) {
        CAPTURE(id);
        const std::string json = lessonFile(id);
        for (const Error &error : checkSession(json))
            FAIL(error.text());
        const auto session = valueOf(readSession(json));
        REQUIRE(session.lesson);
        CHECK_FALSE(session.title.empty());
        CHECK_FALSE(session.lesson->summary.empty());
        CHECK(session.lesson->summary.find('*') == std::string::npos);
        const auto &steps = session.lesson->steps;
        CHECK(steps.size() >= 4);
        CHECK(steps.size() <= 12);
        for (std::size_t index = 0; index < steps.size(); ++index) {
            CAPTURE(index);
            const LessonStep &step = steps[index];
            CHECK_FALSE(step.title.empty());
            CHECK(step.text.size() >= 1);
            CHECK(step.text.size() <= 3);
            CHECK(step.show.stage);
            CHECK(step.show.sequence);
            const TracePointer trace = traceAt(session, static_cast<Index>(index));
            for (const std::string &paragraph : step.text)
                checkText(paragraph, *trace);
            checkText(step.tryIt, *trace);
        }
    }
    CHECK(ids.size() >= 5);
}

TEST_CASE("every lesson asks early, next to a picture, and explains wrong answers") {
    constexpr std::size_t kLatestFirstQuestion = 3;
    for (const std::string &id : lessonIds()) {
        CAPTURE(id);
        const Session session = lesson(id);
        const auto &steps = session.lesson->steps;
        const auto first = std::ranges::find_if(
            steps, [](const LessonStep &step) { return step.question.has_value(); });
        CHECK(static_cast<std::size_t>(first - steps.begin()) <= kLatestFirstQuestion);
        for (std::size_t index = 0; index < steps.size(); ++index) {
            const auto &question = steps[index].question;
            if (!question)
                continue;
            CAPTURE(index);
            CHECK(question->show); // otherwise its card covers the picture
            const TracePointer trace = traceAt(session, static_cast<Index>(index));
            checkText(question->text, *trace);
            const std::size_t right = valueOf(rightAnswer(*question, *trace));
            for (std::size_t answer = 0; answer < question->answers.size(); ++answer) {
                const Answer &each = question->answers[answer];
                CAPTURE(each.text);
                const auto reason = valueOf(expandNumbers(each.because, *trace));
                const bool hasReason = reason.find_first_not_of(' ') != std::string::npos;
                CHECK((answer == right || hasReason));
            }
        }
    }
}

TEST_CASE("who-is-it: seven steps with one task each") {
    const Session session = lesson("who-is-it");
    const auto &steps = session.lesson->steps;
    CHECK(steps.size() == 7);
    for (const LessonStep &step : steps) {
        CAPTURE(step.title);
        const int things = !step.tryIt.empty() + step.question.has_value() +
                           step.exercise.has_value() + step.run.has_value();
        CHECK(things == 1);
    }
}

TEST_CASE("a lesson can be opened with another seed") {
    const std::string json = lessonFile("batch");
    const auto own = readSession(json);
    const auto other = valueOf(readSession(json, 5));
    CHECK(traceOf(*own)->stage(Stage::AttentionWeights).values() !=
          traceOf(other)->stage(Stage::AttentionWeights).values());
}

TEST_CASE("with other words, a lesson does not mention words that are gone") {
    for (const auto &entry : std::filesystem::directory_iterator(HEADLIGHT_LESSONS)) {
        if (entry.path().extension() != ".headlight" || entry.path().stem() == "batch")
            continue; // the batch lesson is about all of its sentences at once
        const std::string name = entry.path().filename().string();
        CAPTURE(name);
        const auto session = valueOf(readSessionFile(entry.path().string()));
        for (std::size_t step = 0; step < session.lesson->steps.size(); ++step) {
            CAPTURE(step);
            auto state = valueOf(atStep(session, static_cast<Index>(step)));
            const auto words =
                valueOf(Batch::ofWords({{"dogs", "run", "over", "seven", "green", "hills", "every",
                                         "day", "of", "the", "year"}}));
            state.input.batch = words;
            state.input.interventions = {};
            state.input.masks.clear();
            const auto trace = valueOf(forward(state.model, state.input));
            for (const std::string &text : session.lesson->steps[step].text) {
                const std::string html = stepTextToHtml(text, trace.get());
                CAPTURE(html);
                CHECK(html.find("…") == std::string::npos);
                CHECK(html.find_first_of("{}") == std::string::npos);
            }
        }
    }
}
