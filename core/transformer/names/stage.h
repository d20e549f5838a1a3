// The stages of the computation, in its order, and what is worth knowing about each.
#pragma once

#include "core/transformer/names/attention_id.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace headlight::core {

enum class Stage {
    Embeddings,
    EmbeddingSum,
    Positioned,
    EmbeddingProjected,
    LayerInput,
    Norm,           ///< of the attention that follows, in pre-norm models
    ProjectedQuery, ///< where the model has a norm of queries and keys
    ProjectedKey,
    UnrotatedQuery,
    UnrotatedKey,
    Query,
    Key,
    Value,
    Scores,
    ScaledScores,
    CappedScores, ///< where the model caps them
    PositionBias,
    BiasedScores,
    MaskedScores,    ///< only where it comes before
    UnmaskedWeights, ///< only where the mask comes after softmax
    AttentionWeights,
    Context,
    Concatenated,
    HeadOutputs, ///< made when it is asked for
    Output,
    OutputNorm,  ///< of what the block made, where the model has such a norm
    ResidualSum, ///< post-norm models
    Residual,
    FeedForwardNorm,
    Gate,
    Hidden,
    Activated,
    FeedForwardOutput,
    FeedForwardOutputNorm,
    FeedForwardResidualSum,
    LayerOutput,
    FinalNorm,
    OutputLayerInput,
    UncappedLogits, ///< where the model caps them
    Logits,
    Probabilities,
    Pooled,
    ClassLogits,
};

/// Which family of numbers a stage belongs to: its colour, and which vectors may be compared with
/// it.
enum class Role { Residual, Query, Key, Value, Scores, Weights, Context, Hidden, Logits };

/// Which part of the model makes a stage.
enum class Part {
    Embedding,   ///< before the layers of a stack
    Layer,       ///< what a layer reads and gives: "layers.0.input"
    Attention,   ///< "layers.0.self_attention.query"
    FeedForward, ///< "layers.0.feed_forward.hidden"
    Final,       ///< after the layers of a stack
    OutputLayer, ///< what is made of the last one's output; without the name of a stack
};

/// What the columns of a stage are; its rows are tokens, but for Pooled and ClassLogits, whose rows
/// are sequences.
enum class Columns { Dimensions, Keys, Words, Classes };

struct StageInfo {
    Stage stage;
    /// Short and unique, as files and the command line write it: "weights", "feed_forward.hidden".
    std::string_view name;
    std::string_view symbol; ///< as in the formulas: "Q"
    Role role;
    Part part;
    bool perHead; ///< [B, H, T, …] (keys and values: [B, G, …]); else [B, T, …]
    Columns columns;

    bool inAttention() const { return part == Part::Attention; }
    bool overKeys() const { return columns == Columns::Keys; }
    /// Its rows are the tokens attended to, not the ones that attend.
    bool ofKeys() const {
        return stage == Stage::Key || stage == Stage::UnrotatedKey ||
               stage == Stage::ProjectedKey || stage == Stage::Value;
    }
    /// True if a row is a sequence of the batch (a classifier), not a token.
    bool rowsAreSequences() const { return stage == Stage::Pooled || stage == Stage::ClassLogits; }
    /// The last part of its name in a trace: "hidden".
    std::string_view lastName() const { return name.substr(name.rfind('.') + 1); }
};

/// Every stage, in the order of the computation.
std::span<const StageInfo> allStages();
const StageInfo &infoOf(Stage stage);

/// The full name in a trace: "embeddings", "layers.0.self_attention.weights",
/// "decoder.layers.1.cross_attention.weights", "logits".
std::string stageName(Stage stage, AttentionId attention = {});

/// The stage with this full name at `site`, or with this short one ("weights"); none if there is
/// none.
std::optional<Stage> findStage(std::string_view name, AttentionId attention = {});

struct StageId {
    Stage stage;
    AttentionId attention;
    auto operator<=>(const StageId &) const = default;
};
/// What a full name means, wherever it is; none where it is not one.
std::optional<StageId> findStageAnywhere(std::string_view fullName);

} // namespace headlight::core
