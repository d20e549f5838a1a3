#include "core/transformer/run/run_state.h"

namespace headlight::core {

StepId behindCopies(const Plan &plan, StepId asked) {
    StepId id = plan.origin(asked);
    while (isCopy(plan[id]))
        id = plan.origin(plan[id].reads[0]);
    return id;
}

RunState::RunState(const RunRequest &from) : request(from), steps(from.plan.size()) {
    isKept.resize(from.plan.size());
    if (!from.observer)
        return;
    observed.resize(from.plan.size());
    for (const AttentionId attention : from.model.attentions())
        if (const auto step = from.plan.find({Stage::AttentionWeights, attention}))
            observed[sourceOf(*step)] = attention;
}

MatrixView RunState::held(StepId id, MatrixKey place, Index from) const {
    const StepState &state = steps[id];
    const Step &step = plan()[id];
    const Index heads = step.heads();
    const auto sequence = static_cast<Index>(place) / heads;
    const auto head = static_cast<Index>(place) % heads;
    if (!state.numbers.isNull())
        return state.numbers.view(sequence, head);
    if (state.isLent(place))
        return state.lent.view(sequence, head);
    if (state.madeFrom.empty() || state.madeFrom[place] > from)
        return {};
    const Index rows = step.shape.last(1), columns = step.shape.last(0);
    return {state.values.data() + place * sizeOfMatrix(step), rows, columns, columns};
}

void RunState::findNarrow() {
    isNarrow.assign(plan().size(), false);
    const auto isPassedOn = [this](StepId id) { return isPassing(id) && steps[id].readers == 1; };
    for (StepId id = 0; id < plan().size(); ++id) {
        if (!plan()[id].isOwn())
            continue;
        const Operation &operation = plan()[id].operation;
        const bool isSoftmax = std::holds_alternative<op::Softmax>(operation);
        if (!isSoftmax || !infoOf(plan()[id].at.stage).overKeys())
            continue;
        // Scores hidden by −∞ have attention weight 0, whatever their values were before the mask.
        StepId below = sourceOf(plan()[id].reads[0]);
        if (!mayHide(plan()[below].operation) || !isPassedOn(below))
            continue;
        isNarrow[id] = isPassedOn(id);
        isNarrow[below] = true;
        while (traitsOf(plan()[below].operation).rows == RowsRead::Same) {
            below = sourceOf(plan()[below].reads[0]);
            if (!isPassedOn(below))
                break;
            isNarrow[below] = true;
        }
    }
}

void RunState::noteUnsound(StepId id) {
    StepId first = firstUnsound;
    while (id < first && !firstUnsound.compare_exchange_weak(first, id)) {
    }
}

} // namespace headlight::core
