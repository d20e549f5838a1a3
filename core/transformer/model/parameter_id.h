// Identifies a parameter of a model, so that files, undo steps and editors need no pointer.
#pragma once

#include "core/transformer/model/parameters.h"
#include "core/transformer/trace/attention_id.h"

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::core {

enum class ParameterKind {
    // attention
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
    // feed-forward network of a layer
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
    // stack
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
    // output layer
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
/// True for parameters of an attention module or feed-forward network, which every layer has.
bool isOfLayer(ParameterKind kind);
/// True if the parameter has one row: a bias, or the gain of a norm.
bool isRow(ParameterKind kind);

/// Members that do not apply keep their default: an output matrix has no layer. The main stack is
/// always Stack::Main here, even in an encoder-decoder.
struct ParameterId {
    Index layer = 0; ///< parameter layer; layers that share parameters have one
    ParameterKind which = ParameterKind::Query;
    Block block = Block::SelfAttention;
    Stack stack = Stack::Main; ///< Main or Encoder
    auto operator<=>(const ParameterId &) const = default;
};

/// Returns the name used in files: "layers.0.self_attention.query",
/// "layers.0.feed_forward.hidden_bias", "encoder.final_norm_gain", "output_matrix".
std::string nameOf(const ParameterId &id);
/// Returns nullopt if no parameter has this name.
std::optional<ParameterId> findParameter(std::string_view name);
/// Returns the part of the layer that has the parameter, such as "self_attention". Requires
/// isOfLayer().
std::string_view nameOfPart(const ParameterId &id);

/// Returns the parameter; null if the model does not have it. The layer must exist.
const Parameter &parameterOf(const ModelParameters &weights, const ParameterId &id);
Parameter &parameterOf(ModelParameters &weights, const ParameterId &id);

/// True if the parameter's layer and stack exist.
bool hasPlaceFor(const ModelParameters &weights, const ParameterId &id);
/// True if a model with this config can have the parameter. Does not compare sizes.
bool hasPlaceFor(const Config &config, const ParameterId &id);
/// True if the parameter that this one depends on exists: the matrix of a bias, the attention
/// module of a norm.
bool hasWhatItIsBeside(const ModelParameters &weights, const ParameterId &id);
/// Returns all parameters that the model can have, present or not, in computation order.
std::vector<ParameterId> allParameters(const ModelParameters &weights);
/// Removes parameters that do not fit the config, such as the gains of norms that are off or that
/// normalise a different number of dimensions.
void dropWithoutPlace(ModelParameters &weights, const Config &config);

struct Model;
/// Returns the parameter that an attention module uses; layers that share parameters have the same.
ParameterId parameterAt(const Model &model, ParameterKind which, AttentionId attention);

} // namespace headlight::core
