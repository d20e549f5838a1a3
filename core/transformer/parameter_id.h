// Which of a model's parameters: an identity that files, undo steps and editors can hold instead of
// a pointer.
#pragma once

#include "core/transformer/site.h"
#include "core/transformer/weights.h"

#include <array>
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
    NormGain,
    NormBias,
    // of a layer's feed-forward network
    Gate,
    Hidden,
    FeedForwardOutput,
    GateBias,
    HiddenBias,
    FeedForwardOutputBias,
    FeedForwardNormGain,
    FeedForwardNormBias,
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
    HeadTransform,
    HeadTransformBias,
    HeadNormGain,
    HeadNormBias,
    OutputMatrix,
    OutputMatrixBias,
    Pooler,
    PoolerBias,
    Classifier,
    ClassifierBias,
};

/// Those that are laid out by heads.
inline constexpr std::array kAttentionParameters{
    ParameterKind::Query,     ParameterKind::Key,        ParameterKind::Value,
    ParameterKind::Output,    ParameterKind::QueryBias,  ParameterKind::KeyBias,
    ParameterKind::ValueBias, ParameterKind::OutputBias,
};

enum class ParameterPart { Attention, FeedForward, Stack, Head };
ParameterPart partOf(ParameterKind kind);
/// One row: a bias, or the gain of a norm.
bool isRow(ParameterKind kind);

/// What its part does not need is as it is by default: an output matrix has no layer. The main
/// stack is Stack::Only here, of an encoder-decoder too.
struct ParameterId {
    Index layer = 0; ///< that owns it: layers that share their weights are one
    ParameterKind which = ParameterKind::Query;
    Block block = Block::SelfAttention;
    Stack stack = Stack::Only; ///< or Encoder
    auto operator<=>(const ParameterId &) const = default;
};

/// As files write it: "layers.0.self_attention.query", "layers.0.feed_forward.hidden_bias",
/// "encoder.final_norm_gain", "output_matrix".
std::string nameOf(const ParameterId &id);
/// None where no parameter has this name.
std::optional<ParameterId> findParameter(std::string_view name);

/// The layer must exist. Null where the model does not have the parameter.
const Parameter &parameterOf(const Weights &weights, const ParameterId &id);
Parameter &parameterOf(Weights &weights, const ParameterId &id);

/// Whether there is a place for it: its layer and its stack exist.
bool hasPlaceFor(const Weights &weights, const ParameterId &id);
/// Those that the model may have, whether it has them or not, in the order of the computation.
std::vector<ParameterId> allParameters(const Weights &weights);

} // namespace headlight::core
