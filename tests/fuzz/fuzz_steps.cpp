// Reads arbitrary bytes as a session, and visits its view and its steps in order. Computes each
// step's state if it is small, saves it with a selection, and expects to read back the same.
#include "core/formats/session/data/selection_patch.h"
#include "core/formats/session/writing/writer.h"
#include "core/lesson/step_text.h"
#include "tests/fuzz/hold.h"
#include "tests/support/forward.h"

#include <algorithm>

using namespace headlight::core;
using headlight::test::forward;

namespace {

/// False if a small file would take minutes to compute.
bool isSmall(const Session &session) {
    return traceBytes(session.model, Extent(session.input)) < (Index(1) << 20) &&
           session.json.size() < 65536;
}

/// Saves as the window does: the difference from the step, and any view, even an invalid one.
void savedAndRead(const Session &session, const Session &below, const Session &state, Index step,
                  const SelectionPatch &show) {
    const SavedState now{step, differenceOf(below, state.model, state.input), show, {}};
    const std::string written = writeSession(session, now);
    const auto again = readSession(written);
    hold(again.ok());
    if (!again->now)
        return;
    const auto base = again->lesson ? atStep(*again, again->now->step) : *again;
    hold(base.ok());
    const auto left = patched(*base, again->now->set);
    hold(left.ok());
    hold(differenceOf(*left, state.model, state.input).parameters.empty());
    hold(left->input.batch->sequences().size() == state.input.batch->sequences().size());
    hold(readSession(writeSession(*again, *again->now)).ok());
}

void lookAt(const Session &session, const Session &below, const Session &state, Index step,
            const SelectionPatch &view) {
    savedAndRead(session, below, state, step, {});
    savedAndRead(session, below, state, step, view);
    const Index tokens = std::max(state.input.batch->length(),
                                  state.input.source ? state.input.source->length() : 0);
    // Also selects positions that do not exist: the last token of the longer sequence, in every
    // stack.
    for (const std::optional<Stack> stack :
         {std::optional<Stack>(), std::optional(state.model.mainStack()),
          std::optional(state.model.sourceStack())}) {
        Selection selection = view.applied({});
        selection.query = selection.key = tokens - 1;
        SelectionPatch patch = patchOf(selection);
        patch.stack = stack;
        patch.block = view.block;
        savedAndRead(session, below, state, step, patch);
    }
}

void interpret(const Session &session, const Session &below, const Session &state, Index step,
               const LessonStep *said) {
    lookAt(session, below, state, step, state.view);
    const auto trace = forward(state.model, state.input);
    hold(trace.ok() || !trace.error().what.empty());
    if (said)
        for (const std::string &text : said->text)
            stepTextToHtml(text, trace ? trace->get() : nullptr, {});
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const auto session = readSession({reinterpret_cast<const char *>(data), size});
    if (!session || !isSmall(*session))
        return 0;
    for (const Warning &warning : session->warnings)
        hold(!warning.what.empty() && warning.text().find('\n') == std::string::npos);
    const auto steps = session->lesson ? session->lesson->steps.size() : 0;
    if (steps == 0)
        interpret(*session, *session, *session, 0, nullptr);
    for (std::size_t index = 0; index < std::min<std::size_t>(steps, 4); ++index) {
        const auto step = static_cast<Index>(index);
        const auto state = atStep(*session, step);
        hold(state.ok());
        if (isSmall(*state))
            interpret(*session, *state, *state, step, &session->lesson->steps[index]);
    }
    if (!session->now)
        return 0;
    const auto below = session->lesson ? atStep(*session, session->now->step) : *session;
    hold(below.ok());
    const auto left = patched(*below, session->now->set);
    hold(left.ok());
    lookAt(*session, *below, *left, session->now->step, session->now->show);
    return 0;
}
