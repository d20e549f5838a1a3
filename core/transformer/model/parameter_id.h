// Which of a model's parameters: an identity that files, undo steps and editors can hold instead of
// a pointer.
#pragma once

#include "core/transformer/model/parameters.h"
#include "core/transformer/names/attention_id.h"

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::core {

enum class ParameterKind {
    // of an attention
    Query,
    Key,
    Value,
    Output,
    QueryBias,
    KeyBias,
    ValueBias,
    OutputBias,
    QueryNormGain,
    QueryNormBias,
    KeyNormGain,
    KeyNormBias,
    NormGain,
    NormBias,
    OutputNormGain,
    OutputNormBias,
    // of a layer's feed-forward network
    Gate,
    Hidden,
    FeedForwardOutput,
    GateBias,
    HiddenBias,
    FeedForwardOutputBias,
    FeedForwardNormGain,
    FeedForwardNormBias,
    FeedForwardOutputNormGain,
    FeedForwardOutputNormBias,
    // of a stack
    Embeddings,
    Positions,
    TokenTypes,
    EmbeddingNormGain,
    EmbeddingNormBias,
    EmbeddingProjection,
    EmbeddingProjectionBias,
    PositionBias,
    FinalNormGain,
    FinalNormBias,
    // of the model
    PredictionTransform,
    PredictionTransformBias,
    PredictionNormGain,
    PredictionNormBias,
    OutputMatrix,
    OutputMatrixBias,
    Pooler,
    PoolerBias,
    Classifier,
    ClassifierBias,
};

enum class ParameterPart { Attention, FeedForward, Stack, OutputLayer };
ParameterPart partOf(ParameterKind kind);
/// Every layer has its own: of an attention or a feed-forward network.
bool isOfLayer(ParameterKind kind);
/// One row: a bias, or the gain of a norm.
bool isRow(ParameterKind kind);

/// What its part does not need is as it is by default: an output matrix has no layer. The main
/// stack is Stack::Only here, of an encoder-decoder too.
struct ParameterId {
    Index layer = 0; ///< that owns it: layers that share their weights are one
    ParameterKind which = ParameterKind::Query;
    Block block = Block::SelfAttention;
    Stack stack = Stack::Main; ///< or Encoder
    auto operator<=>(const ParameterId &) const = default;
};

/// As files write it: "layers.0.self_attention.query", "layers.0.feed_forward.hidden_bias",
/// "encoder.final_norm_gain", "output_matrix".
std::string nameOf(const ParameterId &id);
/// None where no parameter has this name.
std::optional<ParameterId> findParameter(std::string_view name);
/// Of isOfLayer(): the part of the layer that has it, such as "self_attention".
std::string_view nameOfPart(const ParameterId &id);

/// The layer must exist. Null where the model does not have the parameter.
const Parameter &parameterOf(const ModelParameters &weights, const ParameterId &id);
Parameter &parameterOf(ModelParameters &weights, const ParameterId &id);

/// Whether there is a place for it: its layer and its stack exist.
bool hasPlaceFor(const ModelParameters &weights, const ParameterId &id);
/// Whether a model with this config may have it. The sizes of both are not compared.
bool hasPlaceFor(const Config &config, const ParameterId &id);
/// Whether what it belongs to is there: the matrix of a bias, the attention of a norm.
bool hasWhatItIsBeside(const ModelParameters &weights, const ParameterId &id);
/// Those that the model may have, whether it has them or not, in the order of the computation.
std::vector<ParameterId> allParameters(const ModelParameters &weights);
/// Takes away the parameters that the config has no place for, such as the gains of norms that have
/// been turned off, or that take other numbers together now.
void dropWithoutPlace(ModelParameters &weights, const Config &config);

struct Model;
/// The parameter that is used at the site; layers that share their weights have one.
ParameterId parameterAt(const Model &model, ParameterKind which, AttentionId attention);

} // namespace headlight::core
