// What a session file lays over a state or a selection that it has said before.
#pragma once

#include "core/result.h"
#include "core/selection/selection.h"
#include "core/selection/softmax_look.h"
#include "core/transformer/model/parameter_id.h"
#include "core/transformer/trace/trace.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headlight::core {

/// The part of a selection that a file or a lesson's step says; what it leaves out stays as it is.
struct SelectionPatch {
    std::optional<Index> sequence, layer, head;
    std::optional<Stage> stage;
    std::optional<Index> query, key, dimension;
    bool clearsCell =
        false; ///< the step looks at no row and no cell: query, key and dimension are taken away
    std::optional<std::string> view; ///< the tab, one of kTabIds (selection/view.h)
    std::optional<Block> block{};
    std::optional<Stack> stack{};
    std::optional<bool> opened{};         ///< the arithmetic: what a step does not say is closed
    std::optional<SoftmaxLook> softmax{}; ///< no part of a selection; all of it, or nothing

    /// `before` with what the patch says laid over it.
    Selection applied(Selection before) const;
    bool operator==(const SelectionPatch &) const = default;
};

/// Some cells of a parameter, or all of it.
struct ParameterPatch {
    struct Cell {
        Index row = 0, column = 0;
        float value = 0;
        bool operator==(const Cell &) const = default;
    };
    ParameterId id;
    std::vector<Cell> cells; ///< in reading order; empty: `whole` counts
    Parameter whole;
    bool operator==(const ParameterPatch &) const = default;
};

/// What is laid over a session's base: by a lesson's step, or by a person and saved with the file.
struct StatePatch {
    std::optional<std::string> text; ///< one text, split into words; replaces the batch
    std::optional<MaskLayers> masks;
    std::optional<Positions> positions;
    std::optional<Scale> scale;
    std::optional<Softcap> scoreCap{};
    std::optional<float> temperature;
    std::optional<bool> softmax{};
    std::optional<MaskOptions> masking{};
    std::optional<Interventions> interventions{};
    /// Instead of `text`: the whole batch, with the sequences' own embeddings.
    std::optional<BatchPointer> batch{};
    std::optional<std::string> sourceText{}; ///< the same for the second sequences
    std::optional<BatchPointer> source{};    ///< instead of `sourceText`
    std::optional<MaskLayers> encoderMasks{};
    std::optional<MaskLayers> crossMasks{};
    std::optional<Norm> norm{};
    std::optional<QueryKeyNorm> queryKeyNorm{};
    std::optional<bool> residual{};
    std::optional<bool> parallel{};
    std::optional<bool> sharedNorm{};
    std::optional<FeedForward> feedForward{};
    std::optional<bool> scaleEmbeddings{};
    std::optional<SinusoidOrder> sinusoidOrder{};
    std::optional<RotaryConfig> rotary{};
    std::optional<RelativeConfig> relative{};
    std::optional<std::vector<Index>> windows{};
    std::optional<std::vector<float>> alibiSlopes{};
    std::optional<OutputLayer> head{};
    std::optional<Softcap> logitCap{};
    /// Numbers of the model, each laid over the one beneath. A null parameter: it is taken away.
    std::vector<ParameterPatch> parameters{};
    /// Vectors of single words, as if they had been given.
    std::map<std::string, std::vector<float>> words{};
    bool operator==(const StatePatch &) const = default;
};

} // namespace headlight::core
