// Identifies a parameter of a model, so that files, undo steps and editors do not need a pointer.
#pragma once

#include "core/transformer/model/parameters.h"
#include "core/transformer/names/attention_id.h"

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::core {

/// The kinds of parameters, with their shapes. Linear layers in PyTorch and Hugging Face (HF) have
/// the transposed shape, [out, in].
enum class ParameterKind {
    // attention
    Query,                      ///< W_Q [C, H·d]; HF q_proj
    Key,                        ///< W_K [C, G·d]; HF k_proj
    Value,                      ///< W_V [C, G·d_v]; HF v_proj
    Output,                     ///< W_O [H·d_v, C]; HF o_proj
    QueryBias,                  ///< [1, H·d]
    KeyBias,                    ///< [1, G·d]
    ValueBias,                  ///< [1, G·d_v]
    OutputBias,                 ///< [1, C]
    QueryNormGain,              ///< [1, d] or [1, H·d]; HF q_norm
    QueryNormBias,              ///< same shape
    KeyNormGain,                ///< [1, d] or [1, G·d]; HF k_norm
    KeyNormBias,                ///< same shape
    NormGain,                   ///< γ [1, C]; PyTorch LayerNorm.weight
    NormBias,                   ///< β [1, C]; PyTorch LayerNorm.bias
    OutputNormGain,             ///< [1, C]
    OutputNormBias,             ///< [1, C]
    Sinks,                      ///< [1, H]; HF GPT-OSS self_attn.sinks
    PositionKey,                ///< [C, H·d]; HF DeBERTa pos_key_proj
    PositionKeyBias,            ///< [1, H·d]
    PositionQuery,              ///< [C, H·d]; HF DeBERTa pos_query_proj
    PositionQueryBias,          ///< [1, H·d]
    QueryCompression,           ///< [C, r]; HF DeepSeek-V3 q_a_proj
    QueryCompressionBias,       ///< [1, r]
    CompressedQueryNormGain,    ///< [1, r]; HF q_a_layernorm
    KeyValueCompression,        ///< [C, r]; HF kv_a_proj_with_mqa, the first rows
    KeyValueCompressionBias,    ///< [1, r]
    CompressedKeyValueNormGain, ///< [1, r]; HF kv_a_layernorm
    SharedKey,                  ///< [C, s]; HF kv_a_proj_with_mqa, the last rows
    SharedKeyBias,              ///< [1, s]
    // feed-forward network of a layer
    Router,                    ///< W_r [C, N]; HF mlp.gate
    RouterBias,                ///< [1, N]
    Gate,                      ///< W_g [C, F], with N experts [C, N·F]; HF gate_proj
    Hidden,                    ///< W_1, same shape as Gate; HF up_proj
    FeedForwardOutput,         ///< W_2 [F, C], with N experts [F, N·C]; HF down_proj
    GateBias,                  ///< [1, F] or [1, N·F]
    HiddenBias,                ///< same shape as GateBias
    FeedForwardOutputBias,     ///< [1, C] or [1, N·C]
    RouterChoiceBias,          ///< [1, N]; HF DeepSeek-V3 e_score_correction_bias
    SharedGate,                ///< [C, S]; HF shared_experts.gate_proj
    SharedHidden,              ///< [C, S]; HF shared_experts.up_proj
    SharedOutput,              ///< [S, C]; HF shared_experts.down_proj
    FeedForwardNormGain,       ///< [1, C]
    FeedForwardNormBias,       ///< [1, C]
    FeedForwardOutputNormGain, ///< [1, C]
    FeedForwardOutputNormBias, ///< [1, C]
    // Stack:
    Embeddings,           ///< [V, E]; PyTorch Embedding.weight
    Positions,            ///< [P, E]; HF position_embeddings
    TokenTypes,           ///< [K, E]; HF token_type_embeddings
    EmbeddingNormGain,    ///< [1, E]
    EmbeddingNormBias,    ///< [1, E]
    FrameConvolution,     ///< [3·bands, C]; HF Whisper encoder.conv1
    FrameConvolutionBias, ///< [1, C]
    EmbeddingProjection,  ///< [E, C]; if the tokens are audio [3·C, C], HF Whisper encoder.conv2
    EmbeddingProjectionBias, ///< [1, C]
    PositionBias,            ///< [buckets, H]; HF T5 relative_attention_bias
    DistanceEmbeddings,      ///< [2·k, C]; HF DeBERTa encoder.rel_embeddings
    DistanceNormGain,        ///< [1, C]
    DistanceNormBias,        ///< [1, C]
    FinalNormGain,           ///< [1, C]
    FinalNormBias,           ///< [1, C]
    // Output layer:
    PredictionTransform,        ///< [C, E]; HF BERT cls.predictions.transform.dense
    PredictionTransformBias,    ///< [1, E]
    PredictionNormGain,         ///< [1, E]
    PredictionNormBias,         ///< [1, E]
    OutputMatrix,               ///< [C, V] ([E, V] for MaskedLanguage); HF lm_head
    OutputMatrixBias,           ///< [1, V]
    Pooler,                     ///< [C, C]; HF BERT pooler.dense
    PoolerBias,                 ///< [1, C]
    Classifier,                 ///< [C, K]; HF classifier
    ClassifierBias,             ///< [1, K]
    DistillationClassifier,     ///< [C, K]; HF DeiT distillation_classifier
    DistillationClassifierBias, ///< [1, K]
    Projection,                 ///< [C, K]; HF CLIP text_projection, visual_projection
};

enum class ParameterPart { Attention, FeedForward, Stack, OutputLayer };
ParameterPart partOf(ParameterKind kind);
/// True for parameters of attention modules and feed-forward networks, which belong to a layer.
bool isOfLayer(ParameterKind kind);
/// True if the parameter has a single row: a bias, or the gain of a norm.
bool isRow(ParameterKind kind);

/// Members that do not apply keep their default values. An output matrix, for example, has no
/// layer. Here, the main stack is always Stack::Main, even in an encoder-decoder.
struct ParameterId {
    Index layer = 0; ///< parameter layer; layers that share parameters have the same one
    ParameterKind which = ParameterKind::Query;
    Block block = Block::SelfAttention;
    Stack stack = Stack::Main; ///< Main or Encoder
    auto operator<=>(const ParameterId &) const = default;
};

/// Returns the name used in files, such as "layers.0.self_attention.query",
/// "layers.0.feed_forward.hidden_bias", "encoder.final_norm_gain" or "output_matrix".
std::string nameOf(const ParameterId &id);
/// Returns nullopt if no parameter has this name.
std::optional<ParameterId> findParameter(std::string_view name);
/// Returns the name of the layer's part that has the parameter, such as "self_attention". Requires
/// isOfLayer().
std::string_view nameOfPart(const ParameterId &id);

/// Returns the parameter; null if the model does not have it. The layer must exist.
const Parameter &parameterOf(const ModelParameters &weights, const ParameterId &id);
Parameter &parameterOf(ModelParameters &weights, const ParameterId &id);

/// True if the layer and the stack of the parameter exist.
bool hasPlaceFor(const ModelParameters &weights, const ParameterId &id);
/// True if models with this config can have the parameter. Does not compare sizes.
bool hasPlaceFor(const Config &config, const ParameterId &id);
/// Returns the config of the parameter's stack and layer, which determines its sizes.
Config configFor(const Config &config, const ParameterId &id);
/// True if the parameter that this one depends on exists, such as the matrix of a bias.
bool hasWhatItIsBeside(const ModelParameters &weights, const ParameterId &id);
/// Returns all parameters that the model can have, existing or not, in computation order.
std::vector<ParameterId> allParameters(const ModelParameters &weights);
/// Removes parameters that do not fit the config, such as gains of norms that are switched off, or
/// that normalise a different number of dimensions.
void dropWithoutPlace(ModelParameters &weights, const Config &config);

struct Model;
/// Returns the parameter that an attention module uses. Layers that share parameters use the same
/// one.
ParameterId parameterAt(const Model &model, ParameterKind which, AttentionId attention);

} // namespace headlight::core
