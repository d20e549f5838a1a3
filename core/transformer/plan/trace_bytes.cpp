#include "core/transformer/plan/trace_bytes.h"

#include <algorithm>
#include <map>

namespace headlight::core {

namespace {

// Sizes are double, because the sizes in a file could overflow an integer. They are exact far
// beyond the budget.
double numbersOf(const Shape &shape) {
    double count = 1;
    for (const Index size : shape.sizes())
        count *= static_cast<double>(size);
    return count;
}

/// Returns the size of a step in bytes. Renamed and cloned tensors share memory.
double bytesOf(const Step &step) {
    const bool isShared = !step.isOwn() || std::holds_alternative<op::Clone>(step.operation);
    return isShared || step.isAside ? 0 : numbersOf(step.shape) * sizeof(float);
}

/// Returns the size of the matrix of one sequence and head in bytes.
double bytesOfMatrix(const Step &step) {
    return numbersOf(step.shape) * sizeof(float) /
           static_cast<double>(step.sequences() * step.heads());
}

/// True for temporary tensors, which are freed after the next stage has been computed.
bool isPassing(const Step &step) {
    return !step.isNamed() && !infoOf(step.at.stage).overKeys();
}

Index asIndex(double bytes) {
    return bytes < 0x1p62 ? static_cast<Index>(bytes) : Index(1) << 62;
}

/// The stages that are only partly in memory.
enum class InParts { None, OverKeys, OverKeysOrWords };

/// Returns the size in bytes of the trace of a long input. It includes the inputs, outputs, keys
/// and values of all layers, and the details of the largest layer.
Index longBytes(const Plan &plan, InParts inParts) {
    const bool byHead = inParts != InParts::None, byRow = inParts == InParts::OverKeysOrWords;
    double bytes = 0, largest = 0, head = 0, matrix = 0;
    std::map<AttentionId, double> details; // by layer
    for (const Step &step : plan.steps()) {
        const Part part = infoOf(step.at.stage).part;
        if (byHead && infoOf(step.at.stage).overKeys())
            matrix = std::max(matrix, bytesOfMatrix(step));
        else if (part == Part::OutputLayer)
            head += byRow && infoOf(step.at.stage).overWords() ? 0 : bytesOf(step);
        else if (step.at.stage == Stage::Key || step.at.stage == Stage::Value)
            bytes += bytesOf(step); // retained for appended tokens
        else if (part == Part::Attention || part == Part::FeedForward)
            largest = std::max(largest, details[layerOf(step.at.attention)] += bytesOf(step));
        else // layer outputs are retained even if they rename the attention output
            bytes += step.at.stage == Stage::LayerOutput ? numbersOf(step.shape) * sizeof(float)
                                                         : bytesOf(step);
    }
    if (byHead)
        matrix = std::max(2 * matrix, static_cast<double>(kMatricesBytes));
    return asIndex(bytes + largest + head + matrix + static_cast<double>(byRow ? kRowsBytes : 0));
}

/// Returns the size in bytes of the trace of a long input with the detail that forward() selects.
Index minBytes(const Model &model, const Extent &extent) {
    const Plan plan = planOf(model, extent);
    if (const Index ends = longBytes(plan, InParts::None); ends <= kLayersTraceBytes)
        return ends;
    const Index heads = longBytes(plan, InParts::OverKeys);
    return heads <= kTraceBudgetBytes ? heads : longBytes(plan, InParts::OverKeysOrWords);
}

/// Returns the largest length up to `high` for which the input fits; 0 if none fits. Uses
/// bisection, because the size increases with the length.
template <typename ExtentOf>
Index longest(const Model &model, Index high, ExtentOf extentOf) {
    Index fits = 0;
    for (Index low = 1; low <= high;) {
        const Index middle = (low + high) / 2;
        if (minBytes(model, extentOf(middle)) <= kTraceBudgetBytes) {
            fits = middle;
            low = middle + 1;
        } else {
            high = middle - 1;
        }
    }
    return fits;
}

} // namespace

Index traceBytes(const Model &model, const Extent &extent) {
    double bytes = 0, passing = 0;
    const Plan plan = planOf(model, extent);
    for (const Step &step : plan.steps())
        if (isPassing(step))
            passing = std::max(passing, bytesOf(step));
        else
            bytes += bytesOf(step);
    return asIndex(bytes + passing);
}

Index endsBytes(const Model &model, const Extent &extent) {
    return longBytes(planOf(model, extent), InParts::None);
}

Index headsBytes(const Model &model, const Extent &extent) {
    return longBytes(planOf(model, extent), InParts::OverKeys);
}

Index rowsBytes(const Model &model, const Extent &extent) {
    return longBytes(planOf(model, extent), InParts::OverKeysOrWords);
}

Index detailBytes(const Plan &plan, bool byHead) {
    double largest = 0, matrix = 0;
    std::map<AttentionId, double> details; // by layer
    for (StepId id = 0; id < plan.size(); ++id) {
        const Step &step = plan[id];
        const StageInfo &info = infoOf(step.at.stage);
        const bool isRetained = step.at.stage == Stage::Key || step.at.stage == Stage::Value;
        const bool isCounted = !step.isOwn() && plan[plan.origin(id)].isNamed();
        if (!step.isNamed() || step.isAside || isRetained || isCounted ||
            (info.part != Part::Attention && info.part != Part::FeedForward))
            continue;
        if (byHead && info.overKeys())
            matrix = std::max(matrix, bytesOfMatrix(step));
        else
            // Count clones too, because unnamed originals are not counted.
            largest = std::max(largest, details[layerOf(step.at.attention)] +=
                                        numbersOf(step.shape) * sizeof(float));
    }
    return asIndex(largest + 2 * matrix);
}

Index heldBytes(const Model &model, const Extent &extent) {
    const Index all = traceBytes(model, extent);
    return all <= kWholeTraceBytes ? all : minBytes(model, extent);
}

Index maxTokens(const Model &model, const Extent &extent) {
    Index Extent::*const length =
        extent.sources > extent.targets ? &Extent::sources : &Extent::targets;
    return longest(model, extent.*length, [extent, length](Index tokens) {
        Extent shorter = extent;
        shorter.*length = tokens;
        return shorter;
    });
}

Index maxTokens(const Model &model) {
    Index most = kMaxPositions;
    for (const StackParameters *stack : {&model.parameters.main, &model.parameters.encoder})
        if (model.config.positions == Positions::Learned && stack->positions)
            most = std::min(most, stack->positions->rows() - model.config.positionOffset);
    const bool readsTwo = model.hasCrossAttention();
    return longest(model, most, [readsTwo](Index tokens) {
        return Extent{1, tokens, readsTwo ? tokens : 0};
    });
}

} // namespace headlight::core
