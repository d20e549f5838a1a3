// Traces that cover everything that explanations distinguish: biases, positions, scale,
// temperature, layers, masks, padding and fully masked rows.
#pragma once

#include "core/selection/selected.h"
#include "tests/core/block_models.h"

#include <limits>

namespace headlight::core::test {

inline Model explainedModel(std::uint64_t seed, Scale scale, float temperature, Positions positions,
                            bool output, bool biases, std::size_t layers) {
    Model model;
    model.config = {.width = 6,
                    .heads = 2,
                    .headSize = 3,
                    .scale = scale,
                    .temperature = temperature,
                    .positions = positions};
    Random random(seed);
    for (std::size_t layer = 0; layer < layers; ++layer)
        model.parameters.main.layers.push_back(randomLayer(random, model.config, output, biases));
    model.embeddings = std::make_shared<const Embeddings>(Embeddings::Given{
        .width = 6, .words = {}, .seed = seed, .deviation = 1, .ignoreCase = false});
    return model;
}

/// A trace with a name for failure messages.
struct NamedTrace {
    const char *name;
    TracePointer trace;
};

inline std::vector<NamedTrace> explainedTraces() {
    const auto input = [](MaskLayers masks) {
        return inputOf({"she visited the money bank", "a bank", "[CLS] 河岸 \"x, y\""},
                       std::move(masks));
    };
    CellMask blind; // the second query of every sequence is fully masked
    for (Index key = 0; key < 5; ++key)
        blind.cells.push_back({std::nullopt, 1, key, false});
    // Mechanism switches and interventions: each state of the three heads, and overridden scores.
    const auto whatIf = [&](std::uint64_t seed, MaskOptions masking, bool softmax,
                            float temperature) {
        Model model = explainedModel(seed, {}, temperature, Positions::None, true, true, 1);
        model.config.masking = masking;
        model.config.softmax = softmax;
        return model;
    };
    const auto treated = [&](MaskLayers masks, HeadState state) {
        Input given = input(std::move(masks));
        given.interventions.setHead(0, 1, state);
        for (Index query = 0; query < 4; ++query)
            given.interventions.setScore({query % 2, 0, 0, query, 2, 1.5f});
        return given;
    };
    constexpr float infinity = std::numeric_limits<float>::infinity();
    const Scale root{}, off{Scale::Kind::Off, 1}, number{Scale::Kind::Number, 2.5f};
    return {
        {"plain", traceOf(explainedModel(1, root, 1, Positions::None, true, false, 1), input({}))},
        {"causal and padding, biases, positions, temperature",
         traceOf(explainedModel(2, number, 0.7f, Positions::Sinusoidal, true, true, 1),
                 input({CausalMask{}, PaddingMask{}}))},
        {"two layers without W_O, a row that sees nothing",
         traceOf(explainedModel(3, off, 2, Positions::None, false, true, 2),
                 input({PaddingMask{}, blind}))},
        {"three layers, window",
         traceOf(explainedModel(4, root, 1, Positions::Sinusoidal, true, true, 3),
                 input({WindowMask{2, true}}))},
        {"-1e9 stands for hidden scores, a silenced head",
         traceOf(whatIf(5, {-1e9f, false}, true, 0.7f), treated({blind}, HeadState::Zero))},
        {"masked after softmax, a head's mean",
         traceOf(whatIf(6, {-infinity, true}, true, 2),
                 treated({CausalMask{}, PaddingMask{}, blind}, HeadState::Mean))},
        {"no softmax, a uniform head", traceOf(whatIf(7, {-infinity, false}, false, 2),
                                               treated({CausalMask{}, blind}, HeadState::Uniform))},
        {"no softmax, masked after it",
         traceOf(whatIf(8, {-infinity, true}, false, 1), treated({CausalMask{}}, HeadState::Mean))},
        {"no softmax, a number for hidden scores",
         traceOf(whatIf(9, {-3, false}, false, 1), treated({CausalMask{}}, HeadState::Uniform))},
    };
}

/// Returns traces of complete transformer blocks.
inline std::vector<NamedTrace> blockTraces() {
    std::vector<NamedTrace> traces;
    for (const BlockCase &block : blockCases())
        traces.push_back({block.name, traceOf(block.model, block.input)});
    return traces;
}

/// Returns traces of transformers with experts.
inline std::vector<NamedTrace> expertTraces() {
    std::vector<NamedTrace> traces;
    for (const BlockCase &block : expertCases())
        traces.push_back({block.name, traceOf(block.model, block.input)});
    return traces;
}

/// Returns the traces of all lists.
template <typename... More>
std::vector<NamedTrace> joined(std::vector<NamedTrace> all, const More &...more) {
    (all.insert(all.end(), more.begin(), more.end()), ...);
    return all;
}

/// Returns the ids of all attention modules, and of the source embeddings, which also have stages.
inline std::vector<AttentionId> attentionsOf(const Trace &trace) {
    std::vector<AttentionId> attentions = trace.model().attentions();
    if (trace.model().hasStack(Stack::SourceEmbeddings))
        attentions.push_back({0, Block::SelfAttention, Stack::SourceEmbeddings});
    return attentions;
}

/// Calls `work(place, value)` for every cell of every stage of every attention module.
template <typename Work>
void forEachCell(const Trace &trace, Work work) {
    for (const StageInfo &info : allStages())
        for (const AttentionId attention : attentionsOf(trace))
            for (Index b = 0; b < trace.batch().count(); ++b)
                for (Index h = 0; h < (info.perHead ? trace.model().headsOf(attention.stack) : 1);
                     ++h) {
                    const SharedMatrix matrix = trace.matrix(info.stage, attention, b, h);
                    for (Index r = 0; r < matrix.rows; ++r)
                        for (Index c = 0; c < matrix.columns; ++c) {
                            Selection place{
                                .sequence = b, .head = h, .stage = info.stage, .query = r};
                            place.setAttention(attention);
                            if (trace.stage(info.stage).shape().rank() == 2)
                                place.sequence = r; // in a classifier, each row is a sequence
                            place.key = r;          // the row of stages with a row per key
                            place.distance = r;     // the row of stages with a row per distance
                            (info.overKeys()        ? place.key
                             : info.overDistances() ? place.distance
                                                    : place.dimension) = c;
                            work(place, matrix(r, c));
                        }
                }
}

} // namespace headlight::core::test
