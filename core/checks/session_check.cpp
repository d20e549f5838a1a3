#include "core/checks/session_check.h"

#include "core/cancelled.h"
#include "core/checks/capture_check.h"
#include "core/formats/capture/captured_session.h"
#include "core/in_quotes.h"
#include "core/lesson/question.h"
#include "core/lesson/step_condition.h"
#include "core/lesson/step_text.h"
#include "core/training/tasks/task.h"
#include "core/transformer/run/forward.h"

#include <new>

namespace headlight::core {

namespace {

Result<Session> whereItWasLeft(const Session &session) {
    auto state = session.lesson ? atStep(session, session.now->step) : session;
    if (!state)
        return state;
    const std::optional<Computable> &read = session.now->computable;
    if (!read)
        return patched(*std::move(state), session.now->set);
    state->model = read->model();
    state->input = read->input();
    state->computable = read;
    return state;
}

/// Moves the mark or condition from error.where to the message. The new error's location is
/// `where`, the position of the text in the file.
Error quoted(const Error &error, const std::string &where) {
    if (error.where.empty())
        return {error.what, where, error.remedy};
    return {{"%1: %2", error.what, inQuotes(error.where)}, where, error.remedy};
}

class Computation {
  public:
    explicit Computation(std::stop_token stop) : m_stop(std::move(stop)) {}

    void check(const Session &session);
    std::vector<Error> takeProblems() { return std::move(m_problems); }

  private:
    void add(Error problem) {
        if (m_problems.size() < kMaxProblems)
            m_problems.push_back(std::move(problem));
    }
    /// Computes the trace of a session. On failure, adds a problem and returns null. `where` is
    /// prepended to the problem's own position.
    TracePointer computed(const Session &state, const std::string &where);
    void checkStep(const Session &session, std::size_t index);
    void checkText(const std::string &text, const std::string &where, const Trace &trace);
    void checkNotEmpty(const std::string &text, const std::string &where);
    template <typename Choice>
    bool checkChoice(const Choice &choice, const std::string &where, const Trace &trace);
    void checkQuestion(const Question &question, const std::string &where, const Trace &trace);
    void checkExercise(const Session &session, std::size_t index, const std::string &where,
                       const Trace &trace);
    void checkRun(const LessonRun &run, const std::string &where);

    std::stop_token m_stop;
    std::vector<Error> m_problems; // at most kMaxProblems
};

void Computation::check(const Session &session) {
    if (!computed(session, ""))
        return;
    for (std::size_t index = 0; session.lesson && index < session.lesson->steps.size(); ++index)
        checkStep(session, index);
    if (!session.now)
        return;
    if (const auto left = whereItWasLeft(session))
        computed(*left, "now: ");
    else
        add({left.error().what, "now: " + left.error().where, left.error().remedy});
}

TracePointer Computation::computed(const Session &state, const std::string &where) {
    const Result<Computable> computable = computableOf(state, state.model, state.input);
    Result<TracePointer> trace =
        computable ? forward(*computable, nullptr, m_stop) : computable.error();
    throwIfCancelled(m_stop);
    if (trace)
        return *std::move(trace);
    add({trace.error().what, where + trace.error().where, trace.error().remedy});
    return nullptr;
}

void Computation::checkStep(const Session &session, std::size_t index) {
    const auto state = atStep(session, static_cast<Index>(index));
    if (!state)
        return; // reading the session has already reported it
    const std::string where = "lesson.steps[" + std::to_string(index) + "]";
    const TracePointer trace = computed(*state, where + ": ");
    if (!trace)
        return;
    const LessonStep &step = session.lesson->steps[index];
    checkNotEmpty(step.title, where + ".title");
    for (std::size_t text = 0; text < step.text.size(); ++text)
        checkText(step.text[text], where + ".text[" + std::to_string(text) + "]", *trace);
    checkText(step.tryIt, where + ".try_it", *trace);
    checkText(step.mistake, where + ".mistake", *trace);
    if (step.question)
        checkQuestion(*step.question, where + ".question", *trace);
    if (step.exercise)
        checkExercise(session, index, where + ".exercise", *trace);
    if (step.run)
        checkRun(*step.run, where + ".run");
}

void Computation::checkQuestion(const Question &question, const std::string &where,
                                const Trace &trace) {
    checkNotEmpty(question.text, where + ".text");
    checkText(question.text, where + ".text", trace);
    bool isWhole = true;
    for (std::size_t answer = 0; answer < question.answers.size(); ++answer) {
        const std::string place = where + ".answers[" + std::to_string(answer) + "]";
        isWhole = checkChoice(question.answers[answer], place, trace) && isWhole;
        checkText(question.answers[answer].because, place + ".because", trace);
    }
    if (!isWhole)
        return;
    if (const auto right = rightAnswer(question, trace); !right)
        add(quoted(right.error(), where + ".answers"));
}

/// Checks that all goals hold with the solution, and that not all of them hold without it.
void Computation::checkExercise(const Session &session, std::size_t index, const std::string &where,
                                const Trace &trace) {
    const Exercise &exercise = *session.lesson->steps[index].exercise;
    checkText(exercise.text, where + ".text", trace);
    bool isWhole = true;
    for (std::size_t goal = 0; goal < exercise.goals.size(); ++goal)
        isWhole = checkChoice(exercise.goals[goal], where + ".goals[" + std::to_string(goal) + "]",
                              trace) &&
                  isWhole;
    for (std::size_t hint = 0; hint < exercise.hints.size(); ++hint)
        checkText(exercise.hints[hint], where + ".hints[" + std::to_string(hint) + "]", trace);
    if (!isWhole)
        return;
    const Interventions &before = trace.input().interventions;
    if (solvingOf(exercise, trace, before).isSolved())
        add({"it is already solved at the start", where + ".goals",
             "set a goal that does not hold yet"});
    if (exercise.solution == StatePatch())
        return add({"it has no solution yet", where + ".solution",
                    "give the changes that reach all goals"});
    const auto state = solved(session, static_cast<Index>(index));
    if (!state)
        return; // reading the session has already reported it
    const TracePointer after = computed(*state, where + ".solution: ");
    if (!after)
        return;
    const ExerciseProgress solving = solvingOf(exercise, *after, before);
    for (std::size_t goal = 0; goal < solving.reached.size(); ++goal)
        if (!solving.reached[goal])
            add({"the solution does not reach it", where + ".goals[" + std::to_string(goal) + "]",
                 ""});
    if (solving.isByHand)
        add({"it overrides heads or scores, which does not count", where + ".solution",
             "set \"by_hand\": true"});
}

void Computation::checkRun(const LessonRun &run, const std::string &where) {
    const TaskPointer task = findTask(run.recipe.task);
    if (!task)
        return add({{"there is no task %1", inQuotes(run.recipe.task)},
                    where + ".recipe.task",
                    "`headlight tasks` lists them"});
    Outcome outcome = validate(run.recipe);
    if (outcome && run.ablation)
        if (const auto ablated = withAblation(*run.ablation, run.recipe.architecture, task->info());
            !ablated)
            outcome = ablated.error();
    if (!outcome)
        add({outcome.error().what, where + ".recipe: " + outcome.error().where,
             outcome.error().remedy});
}

void Computation::checkNotEmpty(const std::string &text, const std::string &where) {
    if (text.find_first_not_of(" \t\n") == std::string::npos)
        add({"it is empty", where, ""});
}

/// Checks an answer or a goal. Returns false if its condition cannot be evaluated.
template <typename Choice>
bool Computation::checkChoice(const Choice &choice, const std::string &where, const Trace &trace) {
    checkNotEmpty(choice.text, where + ".text");
    checkText(choice.text, where + ".text", trace);
    const Result<bool> holds = conditionHolds(choice.condition, trace);
    if (!holds)
        add(quoted(holds.error(), where + ".if"));
    return holds.ok();
}

void Computation::checkText(const std::string &text, const std::string &where, const Trace &trace) {
    if (const Outcome outcome = checkStepText(text, trace); !outcome)
        add(quoted(outcome.error(), where));
}

/// Adds the problems found by computing the session. `path`: its file; empty if there is none.
Findings completed(SessionReading read, std::stop_token stop, const std::string &path = {}) {
    Findings findings{std::move(read.findings.problems), {}};
    if (read.session && read.session->capture) {
        const Outcome captured = readCaptureOf(*read.session, path, stop);
        findings.problems = captured ? problemsOf(*read.session->capture->content, stop)
                                     : std::vector{captured.error()};
        read.findings.warnings = read.session->warnings;
    } else if (read.session)
        findings.problems = problemsOf(*read.session, std::move(stop));
    for (Warning &warning : read.findings.warnings)
        if (warning.where.starts_with("model.") || warning.where.starts_with("model["))
            findings.problems.push_back({warning.what, warning.where, warning.remedy});
        else
            findings.warnings.push_back(std::move(warning));
    return findings;
}

} // namespace

std::vector<Error> problemsOf(const Session &session, std::stop_token stop) try {
    Computation computation(std::move(stop));
    computation.check(session);
    return computation.takeProblems();
} catch (const Cancelled &) {
    return {cancelled()};
} catch (const std::bad_alloc &) {
    return {{"there is not enough memory to compute it", "", ""}};
} catch (const std::exception &problem) {
    return {{{"it cannot be computed: %1", std::string(problem.what())}, "", ""}};
}

Findings inspectSession(std::string_view json, std::stop_token stop) {
    return completed(readWithFindings(json, stop), stop);
}

Findings inspectSessionFile(const std::string &path, std::stop_token stop) {
    return completed(readFileWithFindings(path, stop), stop, path);
}

std::vector<Error> checkSession(std::string_view json, std::stop_token stop) {
    return inspectSession(json, std::move(stop)).problems;
}

std::vector<Error> checkSessionFile(const std::string &path, std::stop_token stop) {
    return inspectSessionFile(path, std::move(stop)).problems;
}

} // namespace headlight::core
