// The learned numbers of a model. Each parameter is shared and never changed in place: an edit
// makes a new one over the same numbers, so models that hold the same one are equal in it.
#pragma once

#include "core/result.h"
#include "core/transformer/model/config.h"
#include "core/transformer/model/parameter_block.h"

#include <memory>
#include <vector>

namespace headlight::core {

/// What a norm multiplies and adds, channel by channel: [1, C]. No gain is 1, no bias 0; whether
/// there is a norm at all, the config says. RMS norm has no bias.
struct NormParameters {
    Parameter gain;
    Parameter bias;
    bool operator==(const NormParameters &) const = default; // identities, not numbers
};

/// y = x·W, so W is [in, out]. Head h owns columns h·d … h·d + d − 1 of query, and as many rows of
/// output as its values have dimensions, d_v; group g the same columns of key and value, of which
/// there are G.
struct AttentionParameters {
    Parameter query;            ///< W_Q [C, H·d]; none: the layer does not have this attention
    Parameter key;              ///< W_K [C, G·d]
    Parameter value;            ///< W_V [C, G·d_v]
    Parameter output;           ///< W_O [H·d_v, C], or none: the concatenated heads are the output
    Parameter queryBias;        ///< [1, H·d] or none
    Parameter keyBias;          ///< [1, G·d] or none
    Parameter valueBias;        ///< [1, G·d_v] or none
    Parameter outputBias;       ///< [1, C] or none; only with W_O
    NormParameters queryNorm{}; ///< [1, d] for each head, or [1, H·d] for all, as the config says
    NormParameters keyNorm{};   ///< [1, d], or [1, G·d]
    NormParameters norm{};      ///< before or after, as the config says
    NormParameters outputNorm{}; ///< of the output, where the config says so
    bool operator==(const AttentionParameters &) const = default; // identities, not numbers
};

struct FeedForwardParameters {
    Parameter gate;       ///< W_g [C, F], only where it is gated
    Parameter hidden;     ///< W_1 [C, F]
    Parameter output;     ///< W_2 [F, C]
    Parameter gateBias;   ///< [1, F] or none
    Parameter hiddenBias; ///< [1, F] or none
    Parameter outputBias; ///< [1, C] or none
    NormParameters norm{};
    NormParameters outputNorm{};
    bool operator==(const FeedForwardParameters &) const = default;
};

struct LayerParameters {
    AttentionParameters selfAttention{};
    AttentionParameters crossAttention{}; ///< of a second sequence, or an encoder's output
    FeedForwardParameters feedForward{};
    bool operator==(const LayerParameters &) const = default;
};

/// Layers one after the other, and what stands before and after them.
struct StackParameters {
    std::vector<LayerParameters> layers{};
    Parameter embeddings{};         ///< [V, E], or none: the words' own vectors (of an encoder: the
                                    ///< decoder's matrix, where that has one)
    Parameter positions{};          ///< Positions::Learned: [P, E]
    Parameter tokenTypes{};         ///< [K, E] or none
    NormParameters embeddingNorm{}; ///< [1, E]
    Parameter embeddingProjection{};     ///< [E, C], only where they differ
    Parameter embeddingProjectionBias{}; ///< [1, C] or none
    Parameter positionBias{};            ///< Positions::Relative: [buckets, H], for all layers
    NormParameters finalNorm{};
    bool operator==(const StackParameters &) const = default;
};

/// What is made of the last layer's output.
struct OutputLayerParameters {
    Parameter transform{};     ///< MaskedLanguage: [C, E]
    Parameter transformBias{}; ///< [1, E] or none
    NormParameters norm{};     ///< [1, E]
    Parameter output{}; ///< [C, V] (MaskedLanguage: [E, V]); none: tied, the transposed embeddings
    Parameter outputBias{};     ///< [1, V] or none
    Parameter pooler{};         ///< Classifier: [C, C], then tanh; or none
    Parameter poolerBias{};     ///< [1, C] or none
    Parameter classifier{};     ///< [C, K]
    Parameter classifierBias{}; ///< [1, K] or none
    bool operator==(const OutputLayerParameters &) const = default;
};

struct ModelParameters {
    StackParameters main{};    ///< the only stack, or the decoder
    StackParameters encoder{}; ///< of an encoder-decoder; else without a layer
    OutputLayerParameters outputLayer{};
    bool hasEncoder() const { return !encoder.layers.empty(); }
    bool operator==(const ModelParameters &) const = default;
};

/// V, how many words have a logit: columns of the output matrix, or rows of the embeddings that it
/// is tied to; 0: there is neither.
Index logitsOf(const ModelParameters &weights);

/// Every parameter that the config asks for is there, with its shape; else the error names the
/// parameter and both shapes. `vocabulary` and `sourceVocabulary` are how many words the main stack
/// and the encoder know; 0: any.
Outcome validate(const ModelParameters &weights, const Config &config, Index vocabulary = 0,
                 Index sourceVocabulary = 0);

} // namespace headlight::core
