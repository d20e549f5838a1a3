// The stages of the computation, in its order, and what is worth knowing about each.
#pragma once

#include "core/tensor/matrix.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace headlight::core {

enum class Stage {
    Embeddings,
    EmbeddingSum,
    Positioned,
    Query,
    Key,
    Value,
    Scores,
    ScaledScores,
    MaskedScores,    ///< only where it comes before
    UnmaskedWeights, ///< only where the mask comes after softmax
    Weights,
    Context,
    Concatenated,
    Output,
};

/// Which family of numbers a stage belongs to: its colour, and which vectors may be compared with
/// it.
enum class Role { Residual, Query, Key, Value, Scores, Weights, Context };

struct StageInfo {
    Stage stage;
    std::string_view name;   ///< the last part of its name in a trace: "weights"
    std::string_view symbol; ///< as in the formulas: "Q"
    Role role;
    bool inAttention; ///< layers.{l}.self_attention.…; else the name stands alone
    bool perHead;     ///< [B, H, T, …]; else [B, T, …]
    bool overKeys;    ///< the columns are tokens (keys); else dimensions
};

/// Every stage, in the order of the computation.
std::span<const StageInfo> allStages();
const StageInfo &infoOf(Stage stage);

/// The full name in a trace: "embeddings", "layers.0.self_attention.weights".
std::string stageName(Stage stage, Index layer = 0);

/// The stage with this full name in layer `layer`, or with this last part ("weights"); none if
/// there is none.
std::optional<Stage> findStage(std::string_view name, Index layer = 0);

} // namespace headlight::core
