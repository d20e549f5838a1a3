// The hyperparameters of a model: everything except its learned parameters.
#pragma once

#include "core/operations/activation.h"
#include "core/operations/distance_bias.h"
#include "core/operations/distance_table.h"
#include "core/operations/pooling.h"
#include "core/operations/position.h"
#include "core/operations/query_tuning.h"
#include "core/operations/rotary.h"
#include "core/result.h"
#include "core/tensor/matrix.h"
#include "core/transformer/model/picture_patches.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace headlight::core {

/// The scaling of the scores before softmax.
struct Scale {
    enum class Kind { SquareRoot, Number, Off };
    Kind kind = Kind::SquareRoot;
    float number = 1; ///< divisor for Kind::Number

    /// Returns 1/√d for heads of size d (Vaswani et al. 2017, section 3.2.1), 1/number, or 1.
    float factor(Index headSize) const;
    bool operator==(const Scale &) const = default;
};

/// The positional encoding.
enum class Positions {
    None,
    Sinusoidal, ///< added to the embeddings
    Learned,    ///< learned position embeddings, added to the embeddings
    Rotary,     ///< rotates queries and keys of self-attention
    Alibi,      ///< adds −slope·|i − j| to the scores of self-attention
    Relative,   ///< adds a learned bias per distance bucket to the scores, as in T5
};
/// True for positional encodings that add vectors to the embeddings.
constexpr bool areAddedToEmbeddings(Positions positions) {
    return positions == Positions::Sinusoidal || positions == Positions::Learned;
}
/// True for positional encodings that rotate queries and keys or add values to the scores. They
/// apply only to self-attention.
constexpr bool needsSelfAttention(Positions positions) {
    return positions != Positions::None && !areAddedToEmbeddings(positions);
}
/// True for positional encodings that add values to the scores of self-attention.
constexpr bool biasScores(Positions positions) {
    return positions == Positions::Alibi || positions == Positions::Relative;
}

/// Disentangled attention (He et al. 2021): the scores of self-attention have up to two additional
/// terms. Each is the product of one token's query or key and a learned vector for the distance
/// between the tokens.
struct Disentangled {
    DistanceTable table{};         ///< span 0: no disentangled attention
    bool contentToPosition = true; ///< adds query · position key of the distance
    bool positionToContent = true; ///< adds key · position query of the distance
    /// True if W_K and W_Q are also the matrices of the position keys and queries.
    bool sharesMatrices = false;
    bool norm = false; ///< applies the config's norm to the vectors of the table

    bool isOn() const { return table.span > 0; }
    /// Returns the number of terms in a score.
    Index terms() const {
        return isOn() ? 1 + Index(contentToPosition) + Index(positionToContent) : 1;
    }
    bool operator==(const Disentangled &) const = default;
};

/// Multi-head latent attention (DeepSeek-AI 2024, DeepSeek-V2): keys and values, and optionally
/// queries, are computed from a short vector of the token. The first dimensions of each key, which
/// are the rotated ones, are the same in all heads.
struct LatentAttention {
    Index keyValueSize = 0;  ///< size of the short vector for keys and values; 0: off
    Index querySize = 0;     ///< size of the short vector for queries; 0: none
    Index sharedKeySize = 0; ///< number of key dimensions that the heads share
    float epsilon = 1e-6f;   ///< epsilon of the RMS norms that normalise the short vectors

    bool isOn() const { return keyValueSize > 0; }
    bool compressesQueries() const { return isOn() && querySize > 0; }
    bool operator==(const LatentAttention &) const = default;
};

/// A softcap: limit·tanh(x/limit) limits numbers to −limit … limit (Gemma 2).
struct Softcap {
    float limit = 0; ///< 0: no cap
    bool isOn() const { return limit > 0; }
    bool operator==(const Softcap &) const = default;
};

/// How masking is applied. By default, hidden scores are set to −∞ before softmax.
struct MaskOptions {
    /// The value of hidden scores: −∞, or a large negative number such as −1e9 or −1e4. If all
    /// scores of a row have the same finite value, the row is uniform after softmax.
    float value = -std::numeric_limits<float>::infinity();
    /// Sets hidden attention weights to zero after softmax instead. Then the rows no longer sum to
    /// 1.
    bool afterSoftmax = false;
    bool operator==(const MaskOptions &) const = default;
};

enum class NormKind {
    None,
    Layer,          ///< Ba et al. 2016
    RootMeanSquare, ///< Zhang and Sennrich 2019
    Batch, ///< Ioffe and Szegedy 2015; for teaching: leaks across sequences and from later tokens
};

/// The position of the norms of a block f.
enum class NormPosition {
    Before,          ///< y = x + f(norm(x))
    After,           ///< y = norm(x + f(x))
    Output,          ///< y = x + norm(f(x)), as in OLMo 2
    BeforeAndOutput, ///< y = x + norm(f(norm'(x))), as in Gemma 2
};

/// The values that a norm of queries and keys normalises together. The norm comes before the
/// rotation unless stated otherwise.
enum class QueryKeyNorm {
    None,
    PerHead,  ///< each head separately (Henry et al. 2020, Qwen 3)
    AllHeads, ///< all heads together (OLMo 2)
    /// Each head separately, after rotation and without gain and bias. Layers without rotation have
    /// no such norm (Llama 4).
    Rotated,
};

struct Norm {
    NormKind kind = NormKind::None;
    NormPosition place = NormPosition::Before;
    float epsilon = 1e-5f;  ///< added to the variance; ≥ 0
    bool final = false;     ///< adds a norm after the last layer
    bool embedding = false; ///< adds a norm before the first layer
    /// For NormPosition::Before: the first self-attention of a stack reads its input without a norm
    /// (ModernBERT, whose embeddings are already normalised).
    bool skipsFirst = false;
    bool operator==(const Norm &) const = default;
};

/// activation(x·W_1 + b_1)·W_2 + b_2, or gated: (activation(x·W_g + b_g) ⊙ (x·W_1 + b_1))·W_2 + b_2
/// (Shazeer 2020; with SiLU called SwiGLU, with GELU GEGLU).
///
/// With N experts, each layer has N such networks of width F. A router, softmax(x·W_r + b_r),
/// computes the weight of every expert for every token. Only the `chosen` experts with the largest
/// weights process the token. Their outputs are multiplied by these weights and summed (Shazeer et
/// al. 2017).
struct FeedForward {
    Index width = 0; ///< F; 0: no feed-forward networks
    Activation activation = Activation::Relu;
    bool gated = false;
    Index experts = 0;              ///< N; 0: a single network for all tokens
    Index chosen = 0;               ///< number of experts for each token
    bool normalisesExperts = false; ///< true: divides the chosen experts' weights by their sum
    /// For gated experts: activation(min(g, limit)) ⊙ (h limited to −limit … limit) (GPT-OSS). 0:
    /// no limit.
    float limit = 0;
    float hiddenOffset = 0;     ///< gated experts: added to h, after the limit (GPT-OSS: 1)
    bool sigmoidRouter = false; ///< σ(x·W_r + b_r) in place of softmax (DeepSeek-V3)
    /// Number of groups of experts. Experts are chosen only from the groups in which the sum of the
    /// two largest scores is largest (DeepSeek-V3).
    Index expertGroups = 1;
    Index chosenGroups = 1; ///< number of groups to choose from, for each token
    float expertFactor = 1; ///< multiplies the weights of the chosen experts
    Index sharedWidth = 0;  ///< width of the shared expert, which processes all tokens; 0: none
    Index denseLayers = 0;  ///< number of layers at the start that have one network, not experts
    Index denseWidth = 0;   ///< width of the network in these layers
    /// 1 for each layer with experts, 0 for each with a single network. The entry for layer l is
    /// expertLayers[l mod size]. Empty: all layers after the first `denseLayers` (Llama 4).
    std::vector<Index> expertLayers{};
    /// The weight of an expert multiplies its input, not its output, and experts are chosen by
    /// their logits (Llama 4).
    bool scalesInput = false;

    bool hasExperts() const { return width > 0 && experts > 0; }
    bool hasShared() const { return hasExperts() && sharedWidth > 0; }
    /// True if the layer has a single network instead of experts.
    bool isDense(Index layer) const {
        return layer < denseLayers ||
               (!expertLayers.empty() &&
                expertLayers[static_cast<std::size_t>(layer) % expertLayers.size()] == 0);
    }
    /// True if a layer can have a single network instead of experts.
    bool hasDense() const {
        return denseLayers > 0 || std::ranges::find(expertLayers, 0) != expertLayers.end();
    }
    /// True if the gate is not just activation(g) ⊙ h.
    bool changesGate() const { return limit != 0 || hiddenOffset != 0; }
    /// Returns F, or N·F with experts, whose columns are side by side.
    Index hiddenWidth() const { return hasExperts() ? experts * width : width; }
    bool operator==(const FeedForward &) const = default;
};

enum class OutputLayerKind {
    None,
    Language,       ///< logits over the vocabulary
    MaskedLanguage, ///< logits over the vocabulary, after a linear map, activation and norm (BERT)
    Classifier,     ///< one vector per sequence, mapped to class logits
    Projection,     ///< one vector per sequence, mapped to a space shared with another model (CLIP)
};

/// The output layer, which reads the output of the last layer.
struct OutputLayer {
    OutputLayerKind kind = OutputLayerKind::None;
    bool scaled = false; ///< multiplies the input of a tied matrix by C^-½ (T5)
    /// For MaskedLanguage: applied after the linear map. For Classifier: see activatesPooled.
    Activation activation = Activation::Gelu;
    bool norm = false; ///< for MaskedLanguage: applies the config's norm after the activation
    Index classes = 0; ///< for Classifier: K; for Projection: the width of the shared space
    Pooling pooling = Pooling::First; ///< for Classifier and Projection
    bool activatesPooled = false;     ///< for Classifier: `activation` after the pooler, not tanh
    bool operator==(const OutputLayer &) const = default;
};

/// Sizes of the encoder that differ from the decoder. 0: the same size.
struct EncoderSizes {
    Index heads = 0;
    Index headSize = 0;
    Index valueSize = 0;
    Index keyValueHeads = 0;
    Index feedForwardWidth = 0; ///< also 0 if the decoder has no feed-forward network
    bool operator==(const EncoderSizes &) const = default;
};

struct Config {
    Index width = 0;    ///< C, width of the residual stream
    Index heads = 1;    ///< H
    Index headSize = 0; ///< d, size of queries and keys
    /// d_v, size of values. 0: the same as d.
    Index valueSize = 0;
    Scale scale;
    Softcap scoreCap{};    ///< applied to the scaled scores
    float temperature = 1; ///< divides the masked scores before softmax; > 0
    Positions positions = Positions::None;
    MaskOptions masking{};
    /// If false, the attention weights are the masked scores divided by the temperature, with −∞
    /// mapped to 0.
    bool softmax = true;
    /// G, the number of key and value heads: query head h uses ⌊h·G/H⌋ (Ainslie et al. 2023). 0:
    /// the same as H.
    Index keyValueHeads = 0;
    /// The number of layers if layers share parameters: layer l of `layerCount` uses
    /// ⌊l·n/layerCount⌋ of the n parameter layers (Lan et al. 2020). 0: n layers.
    Index layerCount = 0;
    Index encoderLayerCount = 0; ///< layerCount of the encoder
    EncoderSizes encoder{};
    Norm norm{};
    QueryKeyNorm queryKeyNorm = QueryKeyNorm::None; ///< same kind as `norm`
    bool residual = false;                          ///< adds the output of a block to its input
    /// All blocks of a layer read the input of the layer, and their outputs are summed (Wang and
    /// Komatsuzaki 2021).
    bool parallel = false;
    bool sharedNorm = false; ///< if parallel: one norm before all blocks instead of one for each
    /// Multiplies the output of a block before it is added to the block's input (Granite).
    float residualFactor = 1;
    FeedForward feedForward{};
    Index embeddingWidth = 0; ///< E, width of the embeddings; 0: C
    /// Multiplies the embeddings by the [E, C] matrix before positions and token types are added,
    /// not after. The matrix then exists even if E = C (ViT).
    bool projectsFirst = false;
    PicturePatches picture{}; ///< for models whose tokens are patches of a picture
    /// The number of mel bands of an audio frame. Each token of the encoder, or of a main stack
    /// that projects first, consists of two frames, so E = 2·bands. Two convolutions over three
    /// neighbouring frames map the frames to C (Radford et al. 2022, Whisper). 0: the tokens are
    /// not audio.
    Index soundBands = 0;
    bool scaleEmbeddings = false; ///< multiplies the embeddings by √C
    float embeddingFactor = 1;    ///< multiplies the embeddings (Granite)
    SinusoidOrder sinusoidOrder = SinusoidOrder::Interleaved;
    Index positionOffset = 0; ///< for Learned: row of token 0
    RotaryConfig rotary{};
    /// For Rotary: 1 for each layer of the main stack or decoder that rotates queries and keys,
    /// otherwise 0 (SmolLM3). The entry for layer l is rotaryLayers[l mod size]. Empty: all layers
    /// rotate.
    std::vector<Index> rotaryLayers{};
    /// Multiplies the queries of self-attention in layers that do not rotate (Llama 4).
    QueryTuning queryTuning{};
    /// For Rotary: the base of layers with a window, which have no scaling (Gemma 3). 0: the same
    /// as the other layers.
    float localRotaryBase = 0;
    RelativeConfig relative{};
    Disentangled disentangled{}; ///< in addition to `positions`
    LatentAttention latent{};
    /// Sliding windows of the self-attention of the main stack or decoder: layer l sees keys that
    /// are less than windows[l mod size] tokens away, or all keys if that is 0. Empty: every layer
    /// sees all keys.
    std::vector<Index> windows{};
    /// Windows do not slide. Instead, every w tokens form a chunk, and a query sees only the keys
    /// of its own chunk (Llama 4).
    bool chunkedWindows = false;
    std::vector<float> alibiSlopes{}; ///< for Alibi: [H]; empty: the slopes of Press et al. (2022)
    OutputLayer outputLayer{};
    float logitDivisor = 1; ///< divides the input of the output layer, for Language (Granite)
    Softcap logitCap{};     ///< applied to the logits over the vocabulary

    /// Returns this config with the sizes of the encoder.
    Config ofEncoder() const;
    /// Returns the number whose square root divides the scores: d times the number of terms.
    Index scaledSize(bool isSelf) const { return headSize * (isSelf ? disentangled.terms() : 1); }
    /// True if numbers that depend on the distance are added to the scores of self-attention.
    bool addsToScores() const { return biasScores(positions) || disentangled.isOn(); }
    /// True if position keys are computed with their own matrix, not with W_K.
    bool hasPositionKeys() const {
        return disentangled.isOn() && disentangled.contentToPosition &&
               !disentangled.sharesMatrices;
    }
    bool hasPositionQueries() const {
        return disentangled.isOn() && disentangled.positionToContent &&
               !disentangled.sharesMatrices;
    }
    /// d_v
    Index valueWidth() const { return valueSize > 0 ? valueSize : headSize; }
    Index queryWidth() const { return heads * headSize; }
    /// Returns the number of columns of the widest stage of a feed-forward network.
    Index widestFeedForward() const {
        return std::max({feedForward.hiddenWidth(), feedForward.sharedWidth, feedForward.denseWidth,
                         feedForward.hasExperts() ? feedForward.experts * width : 0});
    }
    /// Returns the config of a layer of the main stack or decoder. Dense layers have no experts.
    Config ofLayer(Index layer) const;
    /// Returns the number of rows of W_Q. keyInput(): the number of rows of W_K and W_V.
    Index queryInput() const { return latent.compressesQueries() ? latent.querySize : width; }
    Index keyInput() const { return latent.isOn() ? latent.keyValueSize : width; }
    /// Returns the number of key dimensions that the heads do not share.
    Index ownKeySize() const { return headSize - (latent.isOn() ? latent.sharedKeySize : 0); }
    /// Returns H·d_v, the width of the concatenated heads.
    Index concatenatedWidth() const { return heads * valueWidth(); }
    /// Returns G.
    Index groups() const { return keyValueHeads > 0 ? keyValueHeads : heads; }
    /// Returns the key and value head that the query head uses.
    Index groupOf(Index queryHead) const { return queryHead * groups() / heads; }
    /// Returns the window size of the layer; 0: all keys are visible.
    Index windowOf(Index layer) const {
        return windows.empty() ? 0 : windows[static_cast<std::size_t>(layer) % windows.size()];
    }
    /// True if the layer's self-attention rotates queries and keys.
    bool rotates(Index layer) const {
        return positions == Positions::Rotary &&
               (rotaryLayers.empty() ||
                rotaryLayers[static_cast<std::size_t>(layer) % rotaryLayers.size()] != 0);
    }
    /// Returns the rotation of a layer that rotates queries and keys.
    RotaryConfig rotaryOf(Index layer) const;
    /// Returns E.
    Index tokenWidth() const { return embeddingWidth > 0 ? embeddingWidth : width; }
    /// Returns the number of columns of the widest stage before the layers, in either stack.
    Index widestEmbedding() const {
        return std::max(tokenWidth(), soundBands > 0 ? 3 * std::max(width, soundBands) : 0);
    }
    /// True if a matrix maps the embeddings to the width of the layers.
    bool projectsEmbeddings() const { return projectsFirst || tokenWidth() != width; }
    /// True if two convolutions map the embeddings to the width of the layers.
    bool convolves() const { return soundBands > 0 && projectsFirst; }
    /// Returns the width of positions and token types.
    Index positionWidth() const { return projectsFirst ? width : tokenWidth(); }
    bool hasNorm() const { return norm.kind != NormKind::None; }
    /// True if norms have a bias. RMS norm has none.
    bool normHasBias() const { return hasNorm() && norm.kind != NormKind::RootMeanSquare; }
    bool normsBefore() const {
        return hasNorm() &&
               (norm.place == NormPosition::Before || norm.place == NormPosition::BeforeAndOutput);
    }
    /// True if the layer's self-attention has no norm before it, although the other layers have
    /// one.
    bool skipsNorm(Index layer) const { return norm.skipsFirst && layer == 0 && normsBefore(); }
    bool normsAfter() const { return hasNorm() && norm.place == NormPosition::After; }
    bool normsOutput() const {
        return hasNorm() &&
               (norm.place == NormPosition::Output || norm.place == NormPosition::BeforeAndOutput);
    }
    /// True if a norm with gains normalises queries and keys before their rotation.
    bool normsQueries() const {
        return hasNorm() && queryKeyNorm != QueryKeyNorm::None &&
               queryKeyNorm != QueryKeyNorm::Rotated;
    }
    /// True if the layer's self-attention normalises queries and keys after their rotation.
    bool normsRotated(Index layer) const {
        return hasNorm() && queryKeyNorm == QueryKeyNorm::Rotated && rotates(layer);
    }
    /// True if the layer's self-attention multiplies queries by a factor that depends on their
    /// position.
    bool tunesQueries(Index layer) const { return queryTuning.isOn() && !rotates(layer); }
    /// True if all blocks of a layer read the same normalised input.
    bool sharesNorm() const { return parallel && sharedNorm && normsBefore(); }
    bool operator==(const Config &) const = default;
};

/// Limits that keep a malicious file from exhausting the memory.
inline constexpr Index kMaxWidth = 16384;
inline constexpr Index kMaxHeadColumns = 32768; ///< total of all heads
inline constexpr Index kMaxFeedForwardWidth = 65536;
inline constexpr Index kMaxExperts = 1024;
inline constexpr Index kMaxExpertColumns = Index(1) << 22; ///< total of all experts
inline constexpr Index kMaxHeads = 256;
inline constexpr Index kMaxSoundBands = 512;
inline constexpr Index kMaxLayers = 256;
inline constexpr Index kMaxVocabulary = Index(1) << 20;
inline constexpr Index kMaxPositions = Index(1) << 17;

/// Checks sizes against their limits. Scale and temperature must be positive and finite, and the
/// mask value negative. The number of heads must be divisible by the number of groups, and the
/// rotary width must be even. Errors name the field.
Outcome validate(const Config &config);

} // namespace headlight::core
