#include "core/checks/session_check.h"

#include "core/cancelled.h"
#include "core/checks/capture_check.h"
#include "core/formats/capture/captured_session.h"
#include "core/formats/session/step_text.h"
#include "core/in_quotes.h"
#include "core/transformer/run/forward.h"

#include <new>

namespace headlight::core {

namespace {

/// The session as it was left.
Result<Session> whereItWasLeft(const Session &session) {
    const auto below = session.lesson ? atStep(session, session.now->step) : session;
    return below ? patched(*below, session.now->set) : below;
}

class Computation {
  public:
    explicit Computation(std::stop_token stop) : m_stop(std::move(stop)) {}

    void check(const Session &session);
    std::vector<Error> takeProblems() { return std::move(m_problems); }

  private:
    void add(Error problem) {
        if (m_problems.size() < kMaximumProblems)
            m_problems.push_back(std::move(problem));
    }
    /// Null after a problem, which is said with `where` before its own place.
    TracePointer computed(const Session &state, const std::string &where);
    void checkStep(const Session &session, std::size_t index);
    void checkText(const std::string &text, const std::string &where, const Trace &trace);

    std::stop_token m_stop;
    std::vector<Error> m_problems; // at most kMaximumProblems
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
    auto trace = forward(state.model, state.input, nullptr, m_stop);
    throwIfCancelled(m_stop);
    if (trace)
        return *std::move(trace);
    add({trace.error().what, where + trace.error().where, trace.error().remedy});
    return nullptr;
}

void Computation::checkStep(const Session &session, std::size_t index) {
    const auto state = atStep(session, static_cast<Index>(index));
    if (!state)
        return; // its reader has said so
    const std::string where = "lesson.steps[" + std::to_string(index) + "]";
    const TracePointer trace = computed(*state, where + ": ");
    if (!trace)
        return;
    const LessonStep &step = session.lesson->steps[index];
    for (std::size_t text = 0; text < step.text.size(); ++text)
        checkText(step.text[text], where + ".text[" + std::to_string(text) + "]", *trace);
    checkText(step.tryIt, where + ".try_it", *trace);
}

void Computation::checkText(const std::string &text, const std::string &where, const Trace &trace) {
    if (const Outcome said = checkStepText(text, trace); !said)
        add({{"%1: %2", said.error().what, inQuotes(said.error().where)},
             where,
             said.error().remedy});
}

/// `path` is where the session lies; empty: nowhere.
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
