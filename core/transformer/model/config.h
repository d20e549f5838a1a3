// The sizes and switches of a model: everything that is not a number to be learned.
#pragma once

#include "core/operations/activation.h"
#include "core/operations/pooling.h"
#include "core/operations/position.h"
#include "core/operations/relative_position.h"
#include "core/operations/rotary.h"
#include "core/result.h"
#include "core/tensor/matrix.h"

#include <limits>
#include <vector>

namespace headlight::core {

/// What the scores are multiplied by before softmax.
struct Scale {
    enum class Kind { SquareRoot, Number, Off };
    Kind kind = Kind::SquareRoot;
    float number = 1; ///< the divisor, for Kind::Number

    /// 1/√d for a head of size d (Vaswani et al. 2017, section 3.2.1), 1/number, or 1.
    float factor(Index headSize) const;
    bool operator==(const Scale &) const = default;
};

/// How the model knows where a token stands.
enum class Positions {
    None,
    Sinusoidal, ///< added to the embeddings
    Learned,    ///< the same, from a matrix of weights
    Rotary,     ///< queries and keys of self-attention are turned
    Alibi,      ///< −slope·|i − j| is added to the scores of self-attention
    Relative,   ///< a learned number for each bucket of distances is added to them, as in T5
};

/// limit·tanh(x/limit) keeps numbers between −limit and limit (Gemma 2).
struct Softcap {
    float limit = 0; ///< 0: there is none
    bool isOn() const { return limit > 0; }
    bool operator==(const Softcap &) const = default;
};

/// What if: what hides a key, and when. The usual one is −∞ before softmax.
struct MaskOptions {
    /// What stands for a hidden score: −∞, or a large negative number such as −1e9 or −1e4. A row
    /// in which all are the same number is uniform after softmax.
    float value = -std::numeric_limits<float>::infinity();
    /// Weights are taken to zero after softmax instead: rows no longer sum to 1.
    bool afterSoftmax = false;
    bool operator==(const MaskOptions &) const = default;
};

enum class NormKind {
    None,
    Layer,          ///< Ba et al. 2016
    RootMeanSquare, ///< Zhang and Sennrich 2019
    Batch,          ///< Ioffe and Szegedy 2015, for teaching: it leaks across sentences and future
};

/// Where the norms of a block f stand.
enum class NormPosition {
    Before,          ///< y = x + f(norm(x))
    After,           ///< y = norm(x + f(x))
    Output,          ///< y = x + norm(f(x)), as in OLMo 2
    BeforeAndOutput, ///< y = x + norm(f(norm'(x))), as in Gemma 2
};

/// What a norm of queries and keys takes together, before they are turned.
enum class QueryKeyNorm {
    None,
    PerHead,  ///< the numbers of one head (Henry et al. 2020, Qwen 3)
    AllHeads, ///< those of all heads (OLMo 2)
};

struct Norm {
    NormKind kind = NormKind::None;
    NormPosition place = NormPosition::Before;
    float epsilon = 1e-5f;  ///< added to the variance; ≥ 0
    bool final = false;     ///< one more after the last layer
    bool embedding = false; ///< one more before the first
    bool operator==(const Norm &) const = default;
};

/// activation(x·W_1 + b_1)·W_2 + b_2, or gated: (activation(x·W_g + b_g) ⊙ (x·W_1 + b_1))·W_2 +
/// b_2 (Shazeer 2020: SiLU gives SwiGLU, GELU gives GEGLU).
struct FeedForward {
    Index width = 0; ///< F; 0: the layers have none
    Activation activation = Activation::Relu;
    bool gated = false;
    bool operator==(const FeedForward &) const = default;
};

enum class OutputLayerKind {
    None,
    Language,       ///< logits over the vocabulary
    MaskedLanguage, ///< the same after one more linear map, activation and norm (BERT)
    Classifier,     ///< one vector a sequence, to logits over some classes
};

/// What is made of the last layer's output.
struct OutputLayer {
    OutputLayerKind kind = OutputLayerKind::None;
    bool scaled = false;                      ///< what a tied matrix multiplies is × C^-½ (T5)
    Activation activation = Activation::Gelu; ///< MaskedLanguage: after its linear map
    bool norm = false;                        ///< MaskedLanguage: the config's norm after that
    Index classes = 0;                        ///< K, Classifier
    Pooling pooling = Pooling::First;         ///< Classifier
    bool operator==(const OutputLayer &) const = default;
};

/// What an encoder-decoder's encoder has otherwise than its decoder. 0: the same.
struct EncoderSizes {
    Index heads = 0;
    Index headSize = 0;
    Index valueSize = 0;
    Index keyValueHeads = 0;
    Index feedForwardWidth = 0; ///< 0 also where the decoder has no such network
    bool operator==(const EncoderSizes &) const = default;
};

struct Config {
    Index width = 0;    ///< C, of the residual stream
    Index heads = 1;    ///< H
    Index headSize = 0; ///< d, of queries and keys
    /// d_v. 0: as large as queries and keys.
    Index valueSize = 0;
    Scale scale;
    Softcap scoreCap{};    ///< of the scaled scores
    float temperature = 1; ///< softmax divides the masked scores by it; > 0
    Positions positions = Positions::None;
    MaskOptions masking{};
    /// What if not: the weights are the masked scores ÷ temperature themselves, 0 where they are
    /// −∞.
    bool softmax = true;
    /// G, key and value heads: query head h uses ⌊h·G/H⌋ (Ainslie et al. 2023). 0: as many as
    /// heads.
    Index keyValueHeads = 0;
    /// More layers than the weights have: layer l uses the ⌊l·n/count⌋-th of the n that there are
    /// (Lan et al. 2020). 0: as many as there are.
    Index layerCount = 0;
    Index encoderLayerCount = 0; ///< the same of an encoder-decoder's encoder
    EncoderSizes encoder{};
    Norm norm{};
    QueryKeyNorm queryKeyNorm = QueryKeyNorm::None; ///< of the same kind as the other norms
    bool residual = false; ///< what a block makes is added to what it reads
    /// All blocks of a layer read what the layer does, and what they make is added to it at once
    /// (Wang and Komatsuzaki 2021).
    bool parallel = false;
    bool sharedNorm = false; ///< parallel: one norm before all blocks, not one each
    FeedForward feedForward{};
    Index embeddingWidth = 0;     ///< E; 0: C
    bool scaleEmbeddings = false; ///< embeddings are × √C
    SinusoidOrder sinusoidOrder = SinusoidOrder::Interleaved;
    Index positionOffset = 0; ///< Learned: token 0 reads this row
    RotaryConfig rotary{};
    RelativeConfig relative{};
    /// Of the only stack's self-attention, or the decoder's: layer l sees the keys that are less
    /// than windows[l mod their number] tokens away; 0: all of them. None: every layer sees all.
    std::vector<Index> windows{};
    std::vector<float> alibiSlopes{}; ///< Alibi: [H]; none: those of Press et al. (2022)
    OutputLayer outputLayer{};
    Softcap logitCap{}; ///< of logits over the vocabulary

    /// What an encoder-decoder's encoder is made by: this, with its own sizes.
    Config ofEncoder() const;
    /// d_v
    Index valueWidth() const { return valueSize > 0 ? valueSize : headSize; }
    /// H·d, the width of all queries.
    Index queryWidth() const { return heads * headSize; }
    /// H·d_v, the width of the concatenated heads.
    Index concatenatedWidth() const { return heads * valueWidth(); }
    /// G.
    Index groups() const { return keyValueHeads > 0 ? keyValueHeads : heads; }
    /// ⌊h·G/H⌋
    Index groupOf(Index queryHead) const { return queryHead * groups() / heads; }
    /// 0: all keys.
    Index windowOf(Index layer) const {
        return windows.empty() ? 0 : windows[static_cast<std::size_t>(layer) % windows.size()];
    }
    /// E.
    Index tokenWidth() const { return embeddingWidth > 0 ? embeddingWidth : width; }
    bool hasNorm() const { return norm.kind != NormKind::None; }
    /// RMS norm adds nothing.
    bool normHasBias() const { return hasNorm() && norm.kind != NormKind::RootMeanSquare; }
    bool normsBefore() const {
        return hasNorm() &&
               (norm.place == NormPosition::Before || norm.place == NormPosition::BeforeAndOutput);
    }
    bool normsAfter() const { return hasNorm() && norm.place == NormPosition::After; }
    bool normsOutput() const {
        return hasNorm() &&
               (norm.place == NormPosition::Output || norm.place == NormPosition::BeforeAndOutput);
    }
    bool normsQueries() const { return hasNorm() && queryKeyNorm != QueryKeyNorm::None; }
    /// One norm of what a layer reads goes to all of its blocks.
    bool sharesNorm() const { return parallel && sharedNorm && normsBefore(); }
    bool operator==(const Config &) const = default;
};

/// Caps that keep a hostile file from asking for the whole memory.
inline constexpr Index kMaximumWidth = 16384;
inline constexpr Index kMaximumFeedForwardWidth = 65536;
inline constexpr Index kMaximumHeads = 256;
inline constexpr Index kMaximumLayers = 256;
inline constexpr Index kMaximumVocabulary = Index(1) << 20;
inline constexpr Index kMaximumPositions = Index(1) << 17;

/// Sizes within their limits, scale and temperature positive and finite, the mask's value negative,
/// heads that their groups divide, an even rotary width; else the error names the field.
Outcome validate(const Config &config);

} // namespace headlight::core
