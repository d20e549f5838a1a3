// Patches: changes that a session file applies to a state or a selection.
#pragma once

#include "core/formats/session/data/state_part.h"
#include "core/result.h"
#include "core/selection/selection.h"
#include "core/selection/softmax_look.h"
#include "core/transformer/model/parameter_id.h"
#include "core/transformer/trace/trace.h"

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace headlight::core {

/// The fields of a selection that a file or a lesson step sets. Unset fields stay unchanged.
struct SelectionPatch {
    std::optional<Index> sequence, layer, head;
    std::optional<Stage> stage;
    std::optional<Index> query, key, dimension;
    bool clearsCell = false;         ///< unsets query, key, dimension and distance: no row or cell
    std::optional<std::string> view; ///< the tab, one of kTabIds (selection/view.h)
    std::optional<Block> block{};
    std::optional<Stack> stack{};
    std::optional<bool> opened{};         ///< shows the arithmetic as a table instead of a line
    std::optional<SoftmaxLook> softmax{}; ///< not part of a selection; always replaced completely
    std::optional<Index> distance{};

    /// Returns `before` with the patch applied.
    Selection applied(Selection before) const;
    bool operator==(const SelectionPatch &) const = default;
};

/// A change to some cells of a parameter, or to the whole parameter.
struct ParameterPatch {
    struct Cell {
        Index row = 0, column = 0;
        float value = 0;
        bool operator==(const Cell &) const = default;
    };
    ParameterId id;
    std::vector<Cell> cells; ///< row by row; empty: `whole` replaces the parameter
    Parameter whole;
    bool operator==(const ParameterPatch &) const = default;
};

/// Changes to a session, made by a lesson step or by the user.
struct StatePatch {
    std::optional<std::string> text; ///< tokenized; replaces the batch
    std::optional<MaskLayers> masks;
    std::optional<Positions> positions;
    std::optional<Scale> scale;
    std::optional<Softcap> scoreCap{};
    std::optional<float> temperature;
    std::optional<bool> softmax{};
    std::optional<MaskOptions> masking{};
    std::optional<Interventions> interventions{};
    /// Replaces the whole batch, including its own embeddings. Must not be set together with
    /// `text`.
    std::optional<BatchPointer> batch{};
    std::optional<std::string> sourceText{}; ///< like `text`, for the second sequences
    std::optional<BatchPointer> source{};    ///< must not be set together with `sourceText`
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
    /// Changes to parameters, applied in order. A null parameter is removed.
    std::vector<ParameterPatch> parameters{};
    /// New vectors of single words.
    std::map<std::string, std::vector<float>> words{};
    bool operator==(const StatePatch &) const = default;
};

/// A field of the state: its member in the model or input, and its member in a patch.
template <typename Owner, typename FieldValue, typename InPatch>
struct StateField {
    using Value = FieldValue;
    const char *name; ///< name in files
    StatePart part;
    Value Owner::*place;
    InPatch StatePatch::*inPatch;
};
template <typename Owner, typename Value, typename InPatch>
StateField(const char *, StatePart, Value Owner::*, InPatch StatePatch::*)
    -> StateField<Owner, Value, InPatch>;

/// Switches, which files also have as fields of `model`.
inline constexpr std::tuple kSwitches{
    StateField{"positions", StatePart::Positions, &Config::positions, &StatePatch::positions},
    StateField{"scale", StatePart::Scale, &Config::scale, &StatePatch::scale},
    StateField{"score_cap", StatePart::Structure, &Config::scoreCap, &StatePatch::scoreCap},
    StateField{"temperature", StatePart::Temperature, &Config::temperature,
               &StatePatch::temperature},
    StateField{"softmax", StatePart::Softmax, &Config::softmax, &StatePatch::softmax},
    StateField{"norm", StatePart::Structure, &Config::norm, &StatePatch::norm},
    StateField{"query_key_norm", StatePart::Structure, &Config::queryKeyNorm,
               &StatePatch::queryKeyNorm},
    StateField{"residual", StatePart::Structure, &Config::residual, &StatePatch::residual},
    StateField{"parallel", StatePart::Structure, &Config::parallel, &StatePatch::parallel},
    StateField{"shared_norm", StatePart::Structure, &Config::sharedNorm, &StatePatch::sharedNorm},
    StateField{"feed_forward", StatePart::Structure, &Config::feedForward,
               &StatePatch::feedForward},
    StateField{"scale_embeddings", StatePart::Structure, &Config::scaleEmbeddings,
               &StatePatch::scaleEmbeddings},
    StateField{"sinusoid_order", StatePart::Structure, &Config::sinusoidOrder,
               &StatePatch::sinusoidOrder},
    StateField{"rotary", StatePart::Structure, &Config::rotary, &StatePatch::rotary},
    StateField{"relative", StatePart::Structure, &Config::relative, &StatePatch::relative},
    StateField{"windows", StatePart::Structure, &Config::windows, &StatePatch::windows},
    StateField{"alibi_slopes", StatePart::Structure, &Config::alibiSlopes,
               &StatePatch::alibiSlopes},
    StateField{"head", StatePart::Structure, &Config::outputLayer, &StatePatch::head},
    StateField{"logit_cap", StatePart::Structure, &Config::logitCap, &StatePatch::logitCap},
};

} // namespace headlight::core
