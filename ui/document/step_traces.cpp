#include "ui/document/step_traces.h"

#include "core/transformer/run/forward.h"

namespace headlight::ui {

core::Result<core::TracePointer> StepTraces::of(const DocumentState &state) {
    const core::Result<core::Computable> computable =
        core::computableOf(m_session, state.model, state.input);
    if (!computable)
        return computable.error();
    core::Result<core::TracePointer> made = core::forward(*computable, m_previous, m_stop);
    if (made)
        m_previous = *made;
    return made;
}

core::Outcome forEachStep(const core::Session &session, std::stop_token stop,
                          const StepVisitor &visit, const std::function<void(int, int)> &done) {
    StepTraces traces(session, std::move(stop));
    const auto count = static_cast<core::Index>(session.lesson->steps.size());
    for (core::Index step = 0; step < count; ++step) {
        const DocumentState state = baseAt(session, step);
        const core::Result<core::TracePointer> trace = traces.of(state);
        if (!trace)
            return trace.error();
        visit(step, state, *trace);
        if (done)
            done(static_cast<int>(step) + 1, static_cast<int>(count));
    }
    return core::Done{};
}

} // namespace headlight::ui
