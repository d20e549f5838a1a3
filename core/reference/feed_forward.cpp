// The feed-forward network of a layer, which works on each token independently, and its
// activations.
#include "core/reference/pass.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

namespace headlight::core::reference {

namespace {

/// Returns σ(x), the logistic function.
double sigmoid(double x) {
    return 1 / (1 + std::exp(-x));
}

double activatedNumber(double x, Activation activation) {
    switch (activation) {
    case Activation::Relu:
        return std::max(0.0, x);
    case Activation::Gelu: // x·Φ(x), Hendrycks and Gimpel (2016)
        return x * std::erfc(-x / std::numbers::sqrt2) / 2;
    case Activation::GeluTanh: // approximation from the same article, as in GPT-2
        return x / 2 *
               (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
    case Activation::Silu: // Elfwing et al. (2018)
        return x * sigmoid(x);
    case Activation::QuickGelu: // the other approximation in Hendrycks and Gimpel
        return x * sigmoid(1.702 * x);
    case Activation::SquaredRelu: // So et al. (2021)
        return x > 0 ? x * x : 0;
    }
    return x;
}

} // namespace

MatrixXd activated(const MatrixXd &X, Activation activation) {
    return X.unaryExpr([=](double x) { return activatedNumber(x, activation); });
}

namespace {

/// Returns the columns of the `count` largest numbers. Of equal numbers, the first ones count as
/// larger.
std::vector<Index> largestColumns(RowVectorXd numbers, Index count) {
    std::vector<Index> columns(static_cast<std::size_t>(count));
    for (Index &best : columns) {
        numbers.maxCoeff(&best);
        numbers(best) = -kInfinity;
    }
    return columns;
}

/// Returns the scores, with −∞ outside the groups with the largest sums of their two largest scores
/// (DeepSeek-AI 2024, DeepSeek-V3, as in its corrected code).
MatrixXd inBestGroups(const FeedForward &network, const MatrixXd &scores) {
    const Index size = scores.cols() / network.expertGroups;
    MatrixXd kept = MatrixXd::Constant(scores.rows(), scores.cols(), -kInfinity);
    for (Index t = 0; t < scores.rows(); ++t) {
        RowVectorXd sums = RowVectorXd::Zero(network.expertGroups);
        for (Index group = 0; group < network.expertGroups; ++group) {
            const RowVectorXd own = scores.block(t, group * size, 1, size);
            for (const Index column : largestColumns(own, 2))
                sums(group) += own(column);
        }
        for (const Index group : largestColumns(sums, network.chosenGroups))
            kept.block(t, group * size, 1, size) = scores.block(t, group * size, 1, size);
    }
    return kept;
}

/// The weights of the experts: the largest probabilities of softmax(X·W_r + b_r), and 0 for all
/// other experts (Shazeer et al. 2017; Jiang et al. 2024, Mixtral of Experts, section 2.1).
MatrixXd expertWeights(const Pass &pass, const FeedForward &network, AttentionId at,
                       const MatrixXd &X, const FeedForwardParameters &parameters) {
    const MatrixXd L = pass.shown({Stage::RouterLogits, at},
                                  linear(pass, X, parameters.router, parameters.routerBias));
    const MatrixXd P =
        pass.shown({Stage::RouterProbabilities, at},
                   network.sigmoidRouter ? MatrixXd(L.unaryExpr(&sigmoid)) : softmax(L));
    MatrixXd scores = network.scalesInput ? L : P;
    if (parameters.routerChoiceBias) {
        scores = P.rowwise() + RowVectorXd(numbersOf(parameters.routerChoiceBias));
        pass.show({Stage::RouterScores, at}, scores);
    }
    if (network.expertGroups > 1)
        scores = inBestGroups(network, scores);
    MatrixXd W = MatrixXd::Zero(P.rows(), P.cols());
    for (Index t = 0; t < P.rows(); ++t) {
        for (const Index expert : largestColumns(scores.row(t), network.chosen))
            W(t, expert) = P(t, expert);
        if (network.normalisesExperts)
            W.row(t) /= W.row(t).sum() + 1e-20;
    }
    return pass.shown({Stage::ExpertWeights, at}, W * double(network.expertFactor));
}

/// Returns X·W + b of each expert for the tokens for which it was chosen, and 0 for the others. The
/// experts' columns are side by side. X has common columns or separate ones for each expert.
MatrixXd byExperts(const Pass &pass, const MatrixXd &X, const MatrixXd &weights, const Parameter &W,
                   const Parameter &b) {
    const Index experts = weights.cols(), depth = W->rows(), size = W->columns() / experts;
    const bool areOwn = X.cols() != depth;
    MatrixXd Y = MatrixXd::Zero(X.rows(), W->columns());
    for (Index e = 0; e < experts; ++e) {
        throwIfCancelled(pass.stop);
        if ((weights.col(e).array() == 0).all())
            continue;
        const MatrixXd own = numbersOf(W, {0, e * size, depth, size});
        const MatrixXd bias =
            b ? numbersOf(b, {0, e * size, 1, size}) : MatrixXd(MatrixXd::Zero(1, size));
        for (Index t = 0; t < X.rows(); ++t)
            if (weights(t, e) != 0)
                Y.block(t, e * size, 1, size) =
                    X.block(t, areOwn ? e * depth : 0, 1, depth) * own + bias;
    }
    return Y;
}

/// Returns Σ weight · output over all experts or, if the weights have multiplied the inputs,
/// Σ output.
MatrixXd mixed(const MatrixXd &outputs, const MatrixXd &weights, bool areWeighted) {
    const Index size = outputs.cols() / weights.cols();
    MatrixXd F = MatrixXd::Zero(outputs.rows(), size);
    for (Index e = 0; e < weights.cols(); ++e) {
        const MatrixXd own = outputs.middleCols(e * size, size);
        F += areWeighted ? MatrixXd(weights.col(e).asDiagonal() * own) : own;
    }
    return F;
}

/// Returns weight · X for each expert, side by side, because Llama 4 scales the inputs of experts.
MatrixXd expertInputs(const MatrixXd &X, const MatrixXd &weights) {
    MatrixXd all(X.rows(), weights.cols() * X.cols());
    for (Index e = 0; e < weights.cols(); ++e)
        all.middleCols(e * X.cols(), X.cols()) = weights.col(e).asDiagonal() * X;
    return all;
}

/// A linear map of a network, and the stage that it computes.
struct LinearMap {
    Stage stage;
    const Parameter &W, &b;
};

/// Returns f(X·W_g + b_g) ⊙ (X·W_1 + b_1) (Shazeer 2020) or, without a gate, f(X·W_1 + b_1)
/// (Vaswani et al. 2017, section 3.3).
MatrixXd hiddenOf(const Pass &pass, const FeedForward &network, AttentionId at,
                  const std::function<MatrixXd(const LinearMap &)> &mapped, const LinearMap &gate,
                  const LinearMap &hidden) {
    MatrixXd G;
    if (network.gated)
        G = pass.shown({gate.stage, at}, mapped(gate));
    MatrixXd H = pass.shown({hidden.stage, at}, mapped(hidden));
    if (!network.gated)
        return activated(H, network.activation);
    if (const double limit = double(network.limit); limit > 0) {
        G = G.cwiseMin(limit);
        H = H.cwiseMin(limit).cwiseMax(-limit);
    }
    H.array() += double(network.hiddenOffset);
    return activated(G, network.activation).cwiseProduct(H);
}

/// Returns the output of the shared expert, which processes all tokens.
MatrixXd sharedNetwork(const Pass &pass, FeedForward network, AttentionId at, const MatrixXd &X,
                       const FeedForwardParameters &W) {
    network.limit = network.hiddenOffset = 0; // these do not apply to the shared expert
    const auto mapped = [&](const LinearMap &map) { return linear(pass, X, map.W, map.b); };
    const MatrixXd A =
        pass.shown({Stage::SharedActivated, at},
                   hiddenOf(pass, network, at, mapped, {Stage::SharedGate, W.sharedGate, nullptr},
                            {Stage::SharedHidden, W.sharedHidden, nullptr}));
    return pass.shown({Stage::SharedOutput, at}, linear(pass, A, W.sharedOutput, nullptr));
}

} // namespace

MatrixXd feedForward(const Pass &pass, const Config &ofStack, AttentionId at, const MatrixXd &X) {
    const Config config = at.stack == Stack::Encoder ? ofStack : ofStack.ofLayer(at.layer);
    const FeedForward &network = config.feedForward;
    const FeedForwardParameters &W = pass.model.layer(at.stack, at.layer).feedForward;
    const bool hasExperts = network.hasExperts();
    MatrixXd weights, read = X;
    if (hasExperts)
        weights = expertWeights(pass, network, at, X, W);
    if (hasExperts && network.scalesInput)
        read = pass.shown({Stage::ExpertInputs, at}, expertInputs(X, weights));
    const auto mapped = [&](const MatrixXd &Y, const Parameter &matrix, const Parameter &bias) {
        return hasExperts ? byExperts(pass, Y, weights, matrix, bias)
                          : linear(pass, Y, matrix, bias);
    };
    const MatrixXd A = pass.shown(
        {Stage::Activated, at},
        hiddenOf(pass, network, at,
                 [&](const LinearMap &map) { return mapped(read, map.W, map.b); },
                 {Stage::Gate, W.gate, W.gateBias}, {Stage::Hidden, W.hidden, W.hiddenBias}));
    MatrixXd F = mapped(A, W.output, W.outputBias);
    if (hasExperts) {
        pass.show({Stage::ExpertOutputs, at}, F);
        F = mixed(F, weights, !network.scalesInput);
    }
    if (network.hasShared()) {
        pass.show({Stage::RoutedOutput, at}, F);
        F += sharedNetwork(pass, network, at, X, W);
    }
    return pass.shown({Stage::FeedForwardOutput, at}, std::move(F));
}

} // namespace headlight::core::reference
