// The parameters of a model. Each parameter is shared and immutable. An edit creates a new
// parameter with the same base, so equal pointers mean equal parameters.
#pragma once

#include "core/result.h"
#include "core/transformer/model/config.h"
#include "core/transformer/model/parameter_block.h"

#include <memory>
#include <vector>

namespace headlight::core {

/// Gain and bias of a norm, one value per channel: [1, C]. A null gain means 1, and a null bias
/// means 0. The config defines whether the norm exists. RMS norm has no bias.
struct NormParameters {
    Parameter gain;
    Parameter bias;
    bool operator==(const NormParameters &) const = default; // compares pointers
};

/// y = x·W, so W has the shape [in, out]. Head h has columns h·d … h·d + d − 1 of query and rows
/// h·d_v … h·d_v + d_v − 1 of output. Each of the G groups has d columns of key and d_v columns of
/// value.
struct AttentionParameters {
    Parameter query;             ///< W_Q [C, H·d]; null: the layer lacks this attention module
    Parameter key;               ///< W_K [C, G·d]
    Parameter value;             ///< W_V [C, G·d_v]
    Parameter output;            ///< W_O [H·d_v, C]; null: the output is the concatenated heads
    Parameter queryBias;         ///< [1, H·d] or null
    Parameter keyBias;           ///< [1, G·d] or null
    Parameter valueBias;         ///< [1, G·d_v] or null
    Parameter outputBias;        ///< [1, C] or null; only with W_O
    NormParameters queryNorm{};  ///< [1, d] per head, or [1, H·d] for all heads (see QueryKeyNorm)
    NormParameters keyNorm{};    ///< [1, d], or [1, G·d]
    NormParameters norm{};       ///< before or after the module (see NormPosition)
    NormParameters outputNorm{}; ///< for the output (see NormPosition)
    /// [1, H] or null: an additional score for each query of a head. It takes part in the softmax
    /// but belongs to no key, so the weights of a row add up to less than 1 (GPT-OSS).
    Parameter sinks{};
    Parameter positionKey{};       ///< [C, H·d], only if Config::hasPositionKeys()
    Parameter positionKeyBias{};   ///< [1, H·d] or null
    Parameter positionQuery{};     ///< [C, H·d], only if Config::hasPositionQueries()
    Parameter positionQueryBias{}; ///< [1, H·d] or null
    // Only for LatentAttention. A short vector has r values and the shared key has s. With latent
    // attention, `query` is [r, H·d], or [C, H·d] if queries have no short vector. `key` is [r,
    // H·(d − s)], and `value` is [r, H·d_v].
    Parameter queryCompression{};            ///< [C, r], if queries have a short vector
    Parameter queryCompressionBias{};        ///< [1, r] or null
    NormParameters compressedQueryNorm{};    ///< [1, r], without bias
    Parameter keyValueCompression{};         ///< [C, r]
    Parameter keyValueCompressionBias{};     ///< [1, r] or null
    NormParameters compressedKeyValueNorm{}; ///< [1, r], without bias
    Parameter sharedKey{};                   ///< [C, s]
    Parameter sharedKeyBias{};               ///< [1, s] or null
    bool operator==(const AttentionParameters &) const = default; // compares pointers
};

/// The columns of N experts are side by side: expert e has columns e·F … of gate and hidden, and
/// columns e·C … of output.
struct FeedForwardParameters {
    Parameter router{};     ///< W_r [C, N], only with experts
    Parameter routerBias{}; ///< [1, N] or null
    /// [1, N] or null: added to the probabilities by which experts are chosen, but not to the
    /// experts' weights
    Parameter routerChoiceBias{};
    Parameter gate;           ///< W_g [C, F] or [C, N·F], only if gated
    Parameter hidden;         ///< W_1 [C, F] or [C, N·F]
    Parameter output;         ///< W_2 [F, C] or [F, N·C]
    Parameter gateBias;       ///< [1, F] or [1, N·F], or null
    Parameter hiddenBias;     ///< same shape as gateBias, or null
    Parameter outputBias;     ///< [1, C] or [1, N·C], or null
    Parameter sharedGate{};   ///< gate of the shared expert: [C, S], only if gated
    Parameter sharedHidden{}; ///< [C, S]
    Parameter sharedOutput{}; ///< [S, C]
    NormParameters norm{};
    NormParameters outputNorm{};
    bool operator==(const FeedForwardParameters &) const = default;
};

struct LayerParameters {
    AttentionParameters selfAttention{};
    AttentionParameters crossAttention{}; ///< attends to the encoder's output or a second sequence
    FeedForwardParameters feedForward{};
    bool operator==(const LayerParameters &) const = default;
};

/// The layers of a stack, and the parameters before and after them.
struct StackParameters {
    std::vector<LayerParameters> layers{};
    /// [V, E]. Null: uses word vectors or, in an encoder, the decoder's matrix if there is one.
    Parameter embeddings{};
    Parameter positions{};               ///< for Positions::Learned: [P, E]
    Parameter tokenTypes{};              ///< [K, E] or null
    NormParameters embeddingNorm{};      ///< [1, E]
    Parameter frameConvolution{};        ///< [3·bands, C], only if the tokens are audio
    Parameter frameConvolutionBias{};    ///< [1, C] or null
    Parameter embeddingProjection{};     ///< [E, C], only if E ≠ C; for audio [3·C, C]
    Parameter embeddingProjectionBias{}; ///< [1, C] or null
    Parameter positionBias{};       ///< Positions::Relative: [buckets, H], shared by all layers
    Parameter distanceEmbeddings{}; ///< Disentangled: [2·k, C], a vector for each distance
    NormParameters distanceNorm{};  ///< [1, C], normalises distanceEmbeddings
    NormParameters finalNorm{};
    bool operator==(const StackParameters &) const = default;
};

/// Parameters of the output layer, which reads the output of the last layer.
struct OutputLayerParameters {
    Parameter transform{};     ///< for MaskedLanguage: [C, E]
    Parameter transformBias{}; ///< [1, E] or null
    NormParameters norm{};     ///< [1, E]
    /// [C, V]; for MaskedLanguage [E, V]. Null: tied to the transposed embeddings.
    Parameter output{};
    Parameter outputBias{};     ///< [1, V] or null
    Parameter pooler{};         ///< for Classifier: [C, C], followed by tanh; or null
    Parameter poolerBias{};     ///< [1, C] or null
    Parameter classifier{};     ///< [C, K]
    Parameter classifierBias{}; ///< [1, K] or null
    /// [C, K] or null. Classifies the second token, so that the class logits are the mean of two
    /// classifiers.
    Parameter distillationClassifier{};
    Parameter distillationClassifierBias{}; ///< [1, K] or null
    Parameter projection{};                 ///< for Projection: [C, K]
    bool operator==(const OutputLayerParameters &) const = default;
};

struct ModelParameters {
    StackParameters main{};    ///< the only stack, or the decoder
    StackParameters encoder{}; ///< without layers if there is no encoder
    OutputLayerParameters outputLayer{};
    bool hasEncoder() const { return !encoder.layers.empty(); }
    bool operator==(const ModelParameters &) const = default;
};

/// Returns V, the number of logits: the columns of the output matrix, or the rows of the embeddings
/// if it is tied to them. 0 if neither exists.
Index logitsOf(const ModelParameters &weights);

/// Checks that every required parameter exists and has the right shape. Errors name the parameter
/// and both shapes. `vocabulary` and `sourceVocabulary` are the vocabulary sizes of the main stack
/// and the encoder; 0: any size.
Outcome validate(const ModelParameters &weights, const Config &config, Index vocabulary = 0,
                 Index sourceVocabulary = 0);

} // namespace headlight::core
