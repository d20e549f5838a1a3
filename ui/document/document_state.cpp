#include "ui/document/document_state.h"

namespace headlight::ui {

core::Result<DocumentState> stateAtStep(const core::Session &base, core::Index step,
                                        const DocumentState &now) {
    core::Result<core::Session> patched = core::atStep(base, step);
    if (!patched)
        return patched.error();
    const core::StatePatch &set = base.lesson->steps[static_cast<std::size_t>(step)].set;

    DocumentState next;
    next.lessonStep = step;
    next.edits = {now.edits.batch && !set.text, now.edits.masks && !set.masks,
                  now.edits.positions && !set.positions, now.edits.scale && !set.scale,
                  now.edits.temperature && !set.temperature};
    next.model = patched->model;
    next.input = patched->input;
    if (next.edits.batch)
        next.input.batch = now.input.batch;
    if (next.edits.masks)
        next.input.masks = now.input.masks;
    if (next.edits.positions)
        next.model.config.positions = now.model.config.positions;
    if (next.edits.scale)
        next.model.config.scale = now.model.config.scale;
    if (next.edits.temperature)
        next.model.config.temperature = now.model.config.temperature;
    return next;
}

} // namespace headlight::ui
