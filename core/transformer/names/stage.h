// The stages of a forward pass, in computation order, and their properties.
#pragma once

#include "core/transformer/names/attention_id.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace headlight::core {

enum class Stage {
    Embeddings,
    FirstNeighbours, ///< if the tokens are audio: input of FirstFrame; also the next 4
    FirstFrame,      ///< the first convolution at the first frame of each token
    SecondNeighbours,
    SecondFrame,
    FrameNeighbours, ///< input of EmbeddingProjected, the second convolution
    EmbeddingSum,
    Positioned,
    EmbeddingProjected,
    DistanceEmbeddings, ///< if the attention is disentangled
    LayerInput,
    Norm,            ///< norm before the attention module (pre-norm models)
    CompressedQuery, ///< if the attention is latent; also the next six
    NormedCompressedQuery,
    CompressedKeyValue,
    NormedCompressedKeyValue,
    UnrotatedSharedKey, ///< if the shared key is rotated
    SharedKey,          ///< the dimensions of a key that all heads share
    OwnKey,             ///< the other dimensions
    ProjectedQuery,     ///< if the model normalises queries and keys
    ProjectedKey,
    UnrotatedQuery,
    UnrotatedKey,
    RotatedQuery, ///< if the model normalises queries and keys after their rotation
    RotatedKey,
    UntunedQuery, ///< if queries are multiplied by a factor that depends on the position
    Query,
    Key,
    Value,
    Scores,
    ScaledScores,
    CappedScores, ///< if the model applies a softcap
    PositionKey,  ///< if the attention is disentangled; also the next five
    PositionQuery,
    QueryDistances, ///< queries · position keys, a column for each distance
    KeyDistances,   ///< keys · position queries, a column for each distance
    ContentToPosition,
    PositionToContent,
    PositionBias,
    BiasedScores,
    MaskedScores,    ///< if the mask is applied before softmax
    UnmaskedWeights, ///< if the mask is applied after softmax
    AttentionWeights,
    SinkWeights, ///< if the heads have sinks: one column, which belongs to no key
    Context,
    Concatenated,
    HeadOutputs, ///< computed on demand only
    Output,
    OutputNorm,  ///< norm of the block's output, if the model has this norm
    ResidualSum, ///< sum before the norm (post-norm models)
    Residual,
    FeedForwardNorm,
    RouterLogits, ///< if the network has experts; also the next three
    RouterProbabilities,
    RouterScores,  ///< probabilities + bias, if experts are chosen by this sum
    ExpertWeights, ///< 0 for experts that the router has not chosen
    ExpertInputs,  ///< if the weight of an expert multiplies its input
    Gate,
    Hidden,
    Activated,
    ExpertOutputs, ///< if the network has experts
    RoutedOutput,  ///< if there is a shared expert; also the next four
    SharedGate,
    SharedHidden,
    SharedActivated,
    SharedOutput,
    FeedForwardOutput,
    FeedForwardOutputNorm,
    FeedForwardResidualSum,
    LayerOutput,
    FinalNorm,
    OutputLayerInput,
    UncappedLogits, ///< if the model applies a softcap
    Logits,
    Probabilities,
    Pooled,
    DistillationPooled, ///< if the model has two classifiers; also the next two
    ClsLogits,          ///< logits of the first classifier
    DistillationLogits, ///< logits of the second classifier
    ClassLogits,
    Projected, ///< the vector of a sequence in a space shared with another model
};

/// The kind of vector space or values of a stage. The role determines the stage's colour, and which
/// other stages have comparable vectors.
enum class Role { Residual, Query, Key, Value, Scores, Weights, Context, Hidden, Logits };

/// The part of the model that computes a stage.
enum class Part {
    Embedding,   ///< before the layers of a stack
    Layer,       ///< input and output of a layer: "layers.0.input"
    Attention,   ///< "layers.0.self_attention.query"
    FeedForward, ///< "layers.0.feed_forward.hidden"
    Final,       ///< after the layers of a stack
    OutputLayer, ///< after the last layer; names have no stack prefix
};

/// The meaning of a stage's columns. In most stages, rows are tokens. In some, they are sequences
/// or distances.
enum class Columns { Dimensions, Keys, Words, Classes, Distances };

struct StageInfo {
    Stage stage;
    /// Short unique name, used in files and on the command line, such as "weights" or
    /// "feed_forward.hidden".
    std::string_view name;
    std::string_view symbol; ///< as written in formulas, such as "Q"
    Role role;
    Part part;
    bool perHead; ///< true: [B, H, T, …] (keys and values: [B, G, …]); false: [B, T, …]
    Columns columns;

    bool inAttention() const { return part == Part::Attention; }
    bool overKeys() const { return columns == Columns::Keys; }
    bool overWords() const { return columns == Columns::Words; }
    /// True if rows are keys (attended tokens), not queries.
    bool ofKeys() const {
        return stage == Stage::Key || stage == Stage::UnrotatedKey || stage == Stage::RotatedKey ||
               stage == Stage::ProjectedKey || stage == Stage::Value ||
               stage == Stage::KeyDistances || stage == Stage::CompressedKeyValue ||
               stage == Stage::NormedCompressedKeyValue || stage == Stage::UnrotatedSharedKey ||
               stage == Stage::SharedKey || stage == Stage::OwnKey;
    }
    /// True if there is a row for each distance between two tokens, not for each token.
    bool rowsAreDistances() const {
        return stage == Stage::DistanceEmbeddings || stage == Stage::PositionKey ||
               stage == Stage::PositionQuery;
    }
    /// True if rows are sequences of the batch (for a classifier), not tokens.
    bool rowsAreSequences() const {
        return stage == Stage::Pooled || stage == Stage::DistillationPooled ||
               stage == Stage::Projected || columns == Columns::Classes;
    }
    bool rowsAreTokens() const { return !rowsAreSequences() && !rowsAreDistances(); }
    bool overDistances() const { return columns == Columns::Distances; }
    /// Returns the last part of the name: "hidden".
    std::string_view lastName() const { return name.substr(name.rfind('.') + 1); }
};

/// Returns all stages in computation order.
std::span<const StageInfo> allStages();
const StageInfo &infoOf(Stage stage);

/// Returns the full name in a trace, such as "embeddings", "layers.0.self_attention.weights",
/// "decoder.layers.1.cross_attention.weights" or "logits".
std::string stageName(Stage stage, AttentionId attention = {});

/// Finds a stage by its full name in this attention module, or by its short name ("weights").
std::optional<Stage> findStage(std::string_view name, AttentionId attention = {});

struct StageId {
    Stage stage;
    AttentionId attention;
    auto operator<=>(const StageId &) const = default;
};
/// Resets the members of the attention id that are not part of the stage's name, so that ids of the
/// same stage are equal.
StageId canonicalId(StageId at);
/// Parses a full name for any attention module; nullopt if it is not the name of a stage.
std::optional<StageId> findStageAnywhere(std::string_view fullName);

} // namespace headlight::core
