// Builds the plan of a transformer from tokens to logits. Its parts are in build.cpp,
// build_attention.cpp, build_feed_forward.cpp and build_output_layer.cpp.
#pragma once

#include "core/transformer/plan/plan.h"

#include <functional>
#include <map>

namespace headlight::core {

class PlanBuilder {
    using K = ParameterKind;
    using Split = ParameterSlice::Split;
    using Function = std::function<StepId(StepId)>;

    /// The stage names of a block with function f: y = x + f(norm(x)), y = norm(x + f(x)), or y = x
    /// + norm(f(x)).
    struct Place {
        AttentionId attention;
        Stage norm, outputNorm, sum, result;
        K gain, bias, outputGain, outputBias;
    };

  public:
    PlanBuilder(const Model &model, const Extent &extent)
        : m_model(model), m_config(model.config), m_extent(extent) {}

    std::vector<Step> build();

  private:
    StepId stack(Stack stack, std::optional<StepId> memory);

    StepId embed(Stack stack);

    /// Adds two convolutions over audio with two frames in each token (Radford et al. 2022): the
    /// first at both frames, the second at every other frame.
    StepId convolved(AttentionId attention, StepId x);

    /// Adds the steps for the learned distance vectors, which all layers read.
    void embedDistances(Stack stack);

    /// x · √C · factor + positions + token types, each of them optional.
    StepId embeddingSum(AttentionId attention, StepId x);

    StepId layer(AttentionId attention, StepId x, std::optional<StepId> memory);

    static Place attentionAt(AttentionId attention);
    static Place feedForwardAt(AttentionId attention);

    StepId before(const Place &place, StepId x);
    StepId outputOf(const Place &place, StepId made);

    /// x + f(x) + g(x), with the norms of each block, and r·f(x) instead of f(x) if there is a
    /// residual factor r.
    StepId parallel(AttentionId attention, StepId x,
                    const std::vector<std::pair<Place, Function>> &blocks);

    bool hasResidualFactor() const { return m_config.residual && m_config.residualFactor != 1; }
    StepId timesResidualFactor(Stage stage, AttentionId attention, StepId made, int inner);

    /// x + f(norm(x)), norm(x + f(x)), or x + norm(f(x)), depending on the config.
    StepId sublayer(const Place &place, StepId x, const Function &f);

    /// softmax(Q·Kᵀ · scale + position bias + mask)·V per head, concatenated, times W_O.
    StepId attend(AttentionId attention, StepId x, StepId memory);

    bool rotates(AttentionId attention) const;
    /// Rotates x. `size`: the width of x per head.
    StepId rotated(Stage stage, AttentionId attention, StepId x, Index size);
    /// Steps of latent attention (DeepSeek-AI 2024, DeepSeek-V2, section 2.1): the key dimensions
    /// that all heads share, each head's own key dimensions, and the short vector. Own dimensions
    /// and values are computed from the short vector.
    struct LatentKey {
        StepId shared = 0, own = 0, from = 0;
    };
    LatentKey latentKey(AttentionId attention, StepId memory);
    std::pair<StepId, StepId> queryAndKey(AttentionId attention, StepId x, StepId memory,
                                          const std::optional<LatentKey> &latent);
    /// The stages of a short vector, and the parameters that compute it.
    struct Compression {
        Stage made, normed;
        K matrix, bias, gain;
    };
    StepId compressed(AttentionId attention, StepId x, Index size, const Compression &names);

    op::Scale scale(AttentionId attention) const;

    /// The term that disentangled attention adds to the scores (He et al. 2021, section 3.1): query
    /// · position key + key · position query, for the distance between the tokens.
    StepId ofDistances(AttentionId attention, StepId query, StepId key, const Shape &pairs);
    /// The position keys or position queries of all distances.
    StepId positions(Stage stage, AttentionId attention, K weight, K bias);
    /// Multiplies queries with the position keys of all distances, or keys with the position
    /// queries. Then picks the product for the distance of each query and key.
    StepId pick(Stage ofAll, Stage picked, AttentionId attention, const std::vector<StepId> &reads,
                const Shape &pairs);

    /// The position bias of the scores, computed once for all layers.
    std::optional<StepId> positionBias(AttentionId attention, const Shape &pairs);

    std::vector<float> slopes() const;

    /// Attention weights from scores. The mask is applied before or after softmax, depending on the
    /// config.
    StepId weigh(AttentionId attention, StepId scores, const Shape &pairs);
    /// The weights of the heads' sinks, for the scores that softmax reads. No later step reads
    /// them.
    void weighSinks(AttentionId attention, StepId scores, const std::vector<ParameterSlice> &sinks);

    /// The contribution of each head to the output.
    void headOutputs(AttentionId attention, StepId context);

    /// activation(x·W_1 + b_1)·W_2 + b_2, or gated. With experts, only the chosen ones are
    /// computed.
    StepId feedForward(AttentionId attention, StepId x);

    /// Returns the config of the layer's feed-forward network.
    FeedForward networkOf(AttentionId attention) const;
    /// The shared expert, which processes all tokens.
    StepId sharedNetwork(AttentionId attention, StepId x);

    /// The weights of the experts: the largest of softmax(x·W_r + b_r), or of σ(x·W_r + b_r).
    StepId route(AttentionId attention, StepId x);

    /// The linear maps of all experts. `reads`: their input and the experts' weights.
    StepId byExperts(Stage stage, AttentionId attention, const std::vector<StepId> &reads, K weight,
                     K bias, Index width);

    /// The output layer.
    void outputLayer(StepId x);
    /// The logits of one classifier, or the mean of the logits of two.
    void classify(StepId x);
    /// One vector per sequence, in a space shared with another model.
    void project(StepId x);

    bool isTied() const { return !m_model.parameters.outputLayer.output; }

    /// x · C^-½ (Raffel et al. 2020 tie the output matrix to unscaled embeddings).
    StepId scaledDown(StepId x);
    /// x ÷ the logit divisor. Dividing x also divides the logits.
    StepId divided(StepId x);

    /// norm(activation(x·W + b)), as in BERT before the output matrix.
    StepId transformed(StepId x);

    void logits(StepId x);

    /// One vector per sequence, followed by BERT's tanh layer if the model has one.
    StepId pooled(StepId x);

    StepId classLogits(Stage stage, StepId pooled, K matrix, K bias);

    // Functions that add steps.

    StepId add(Stage stage, AttentionId attention, Operation operation, std::vector<StepId> reads,
               std::vector<ParameterSlice> parameters, Shape shape, int inner = 0);

    StepId rename(Stage stage, AttentionId attention, StepId from);

    StepId normalise(Stage stage, AttentionId attention, StepId x, K gain, K bias, int inner = 0);

    StepId linear(Stage stage, AttentionId attention, StepId x, K weight, std::optional<K> bias,
                  Index width, int inner = 0);

    /// Normalises queries or keys, per head or over all heads together.
    StepId normaliseHeads(Stage stage, AttentionId attention, StepId x, K gain, K bias);

    /// x·W + b, split into heads.
    StepId project(Stage stage, AttentionId attention, StepId x, K weight, K bias, Index heads,
                   Index size);

    ParameterId idOf(K which, AttentionId attention) const;

    static float rootOf(Index number);
    Shape shapeOf(StepId id) const { return m_steps[id].shape; }

    const Model &m_model;
    Config m_config; ///< config of the stack being built
    Extent m_extent;
    std::vector<Step> m_steps;
    std::map<Stack, std::optional<StepId>> m_positionBias;
    std::map<Stack, StepId> m_distances; ///< distance vectors
};

} // namespace headlight::core
