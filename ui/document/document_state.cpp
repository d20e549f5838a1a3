#include "ui/document/document_state.h"

#include "core/transformer/parameter_places.h"
#include "ui/document/fitting_input.h"

#include <algorithm>

namespace headlight::ui {

core::Result<DocumentState> stateAtStep(const core::Session &base, core::Index step,
                                        const DocumentState &now) {
    core::Result<core::Session> patched = core::atStep(base, step);
    if (!patched)
        return patched.error();
    const core::StatePatch &set = base.lesson->steps[static_cast<std::size_t>(step)].set;

    DocumentState next;
    next.lessonStep = step;
    const bool reads = set.text || set.batch || set.sourceText || set.source;
    const bool masks = set.masks || set.encoderMasks || set.crossMasks;
    next.edits = {now.edits.batch && !reads,
                  now.edits.masks && !masks,
                  now.edits.positions && !set.positions,
                  now.edits.scale && !set.scale,
                  now.edits.temperature && !set.temperature,
                  now.edits.softmax && !set.softmax,
                  now.edits.masking && !set.masking,
                  now.edits.interventions && !set.interventions,
                  now.edits.words && set.words.empty(),
                  now.edits.parameters};
    std::erase_if(next.edits.parameters, [&set](const core::ParameterId &id) {
        return std::any_of(set.parameters.begin(), set.parameters.end(),
                           [&id](const core::ParameterPatch &patch) { return patch.id == id; });
    });
    next.model = patched->model;
    next.input = patched->input;
    // Such as the gains of a norm that the step turns off.
    std::erase_if(next.edits.parameters, [&next](const core::ParameterId &id) {
        return !hasPlaceFor(next.model.config, id);
    });
    if (next.edits.batch) {
        next.input.batch = now.input.batch;
        next.input.source = now.input.source;
    }
    if (next.edits.masks) {
        next.input.masks = now.input.masks;
        next.input.encoderMasks = now.input.encoderMasks;
        next.input.crossMasks = now.input.crossMasks;
    }
    if (next.edits.positions)
        next.model.config.positions = now.model.config.positions;
    if (next.edits.scale)
        next.model.config.scale = now.model.config.scale;
    if (next.edits.temperature)
        next.model.config.temperature = now.model.config.temperature;
    if (next.edits.softmax)
        next.model.config.softmax = now.model.config.softmax;
    if (next.edits.masking)
        next.model.config.masking = now.model.config.masking;
    if (next.edits.interventions)
        next.input.interventions = now.input.interventions;
    dropWhatDoesNotFit(next.input); // the step's text may be shorter, or the person's
    if (next.edits.words)
        next.model.embeddings = now.model.embeddings;
    for (const core::ParameterId &id : next.edits.parameters)
        parameterOf(next.model.weights, id) = parameterOf(now.model.weights, id);
    return next;
}

} // namespace headlight::ui
