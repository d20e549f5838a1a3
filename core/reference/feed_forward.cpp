// The feed-forward network of a layer, which works on each token independently, and its
// activations.
#include "core/reference/pass.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

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

/// Returns the scores, with −∞ outside the groups with the largest sums of their two largest scores
/// (DeepSeek-AI 2024, DeepSeek-V3, as in its corrected code).
MatrixXd inBestGroups(const FeedForward &network, const MatrixXd &scores) {
    const Index size = scores.cols() / network.expertGroups;
    MatrixXd kept =
        MatrixXd::Constant(scores.rows(), scores.cols(), -std::numeric_limits<double>::infinity());
    for (Index t = 0; t < scores.rows(); ++t) {
        RowVectorXd sums(network.expertGroups);
        for (Index group = 0; group < network.expertGroups; ++group) {
            RowVectorXd own = scores.block(t, group * size, 1, size);
            std::sort(own.data(), own.data() + size, std::greater<>());
            sums(group) = own(0) + own(1);
        }
        for (Index rank = 0; rank < network.chosenGroups; ++rank) {
            Index best = 0;
            sums.maxCoeff(&best);
            sums(best) = -std::numeric_limits<double>::infinity();
            kept.block(t, best * size, 1, size) = scores.block(t, best * size, 1, size);
        }
    }
    return kept;
}

/// The weights of the experts: the largest probabilities of softmax(X·W_r + b_r), and 0 for all
/// other experts (Shazeer et al. 2017; Jiang et al. 2024, Mixtral of Experts, section 2.1).
MatrixXd expertWeights(const Pass &pass, const FeedForward &network, AttentionId at,
                       const MatrixXd &X, const FeedForwardParameters &parameters) {
    MatrixXd L = linear(pass, X, parameters.router, parameters.routerBias);
    pass.show({Stage::RouterLogits, at}, L);
    MatrixXd P = network.sigmoidRouter ? MatrixXd(L.unaryExpr(&sigmoid)) : softmax(L);
    pass.show({Stage::RouterProbabilities, at}, P);
    MatrixXd scores = network.scalesInput ? L : P;
    if (parameters.routerChoiceBias) {
        scores = P.rowwise() + RowVectorXd(numbersOf(parameters.routerChoiceBias));
        pass.show({Stage::RouterScores, at}, scores);
    }
    if (network.expertGroups > 1)
        scores = inBestGroups(network, scores);
    MatrixXd W = MatrixXd::Zero(P.rows(), P.cols());
    for (Index t = 0; t < P.rows(); ++t) {
        RowVectorXd left = scores.row(t);
        for (Index rank = 0; rank < network.chosen; ++rank) {
            Index best = 0; // the first of equal ones
            left.maxCoeff(&best);
            W(t, best) = P(t, best);
            left(best) = -std::numeric_limits<double>::infinity();
        }
        if (network.normalisesExperts)
            W.row(t) /= W.row(t).sum() + 1e-20;
        W.row(t) *= static_cast<double>(network.expertFactor);
    }
    pass.show({Stage::ExpertWeights, at}, W);
    return W;
}

/// Returns X·W + b of each expert for the tokens that have chosen it, and 0 for the others. The
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

/// Returns weight · X for each expert, side by side: Llama 4 scales what an expert reads.
MatrixXd expertInputs(const MatrixXd &X, const MatrixXd &weights) {
    MatrixXd all(X.rows(), weights.cols() * X.cols());
    for (Index e = 0; e < weights.cols(); ++e)
        all.middleCols(e * X.cols(), X.cols()) = weights.col(e).asDiagonal() * X;
    return all;
}

} // namespace

namespace {

/// Returns the output of the shared expert, which processes all tokens.
MatrixXd sharedNetwork(const Pass &pass, const FeedForward &network, AttentionId at,
                       const MatrixXd &X, const FeedForwardParameters &W) {
    MatrixXd A;
    MatrixXd G;
    if (network.gated) {
        G = linear(pass, X, W.sharedGate, nullptr);
        pass.show({Stage::SharedGate, at}, G);
    }
    MatrixXd H = linear(pass, X, W.sharedHidden, nullptr);
    pass.show({Stage::SharedHidden, at}, H);
    A = network.gated ? MatrixXd(activated(G, network.activation).cwiseProduct(H))
                      : activated(H, network.activation);
    pass.show({Stage::SharedActivated, at}, A);
    MatrixXd F = linear(pass, A, W.sharedOutput, nullptr);
    pass.show({Stage::SharedOutput, at}, F);
    return F;
}

} // namespace

MatrixXd feedForward(const Pass &pass, const Config &ofStack, AttentionId at, const MatrixXd &X) {
    const Config config = at.stack == Stack::Encoder ? ofStack : ofStack.ofLayer(at.layer);
    const FeedForwardParameters &W = pass.model.layer(at.stack, at.layer).feedForward;
    const Activation f = config.feedForward.activation;
    const bool hasExperts = config.feedForward.hasExperts();
    MatrixXd weights;
    if (hasExperts)
        weights = expertWeights(pass, config.feedForward, at, X, W);
    MatrixXd read = X;
    if (hasExperts && config.feedForward.scalesInput) {
        read = expertInputs(X, weights);
        pass.show({Stage::ExpertInputs, at}, read);
    }
    const auto mapped = [&](const MatrixXd &Y, const Parameter &matrix, const Parameter &bias) {
        return hasExperts ? byExperts(pass, Y, weights, matrix, bias)
                          : linear(pass, Y, matrix, bias);
    };
    MatrixXd A;
    if (config.feedForward.gated) { // Shazeer (2020): f(X·W_g + b_g) ⊙ (X·W_1 + b_1)
        MatrixXd G = mapped(read, W.gate, W.gateBias);
        pass.show({Stage::Gate, at}, G);
        MatrixXd H = mapped(read, W.hidden, W.hiddenBias);
        pass.show({Stage::Hidden, at}, H);
        if (const auto limit = static_cast<double>(config.feedForward.limit); limit > 0) {
            G = G.cwiseMin(limit);
            H = H.cwiseMin(limit).cwiseMax(-limit);
        }
        H.array() += static_cast<double>(config.feedForward.hiddenOffset);
        A = activated(G, f).cwiseProduct(H);
    } else { // Vaswani et al. (2017), section 3.3: f(X·W_1 + b_1)
        MatrixXd H = mapped(read, W.hidden, W.hiddenBias);
        pass.show({Stage::Hidden, at}, H);
        A = activated(H, f);
    }
    pass.show({Stage::Activated, at}, A);
    MatrixXd F = mapped(A, W.output, W.outputBias);
    if (hasExperts) {
        pass.show({Stage::ExpertOutputs, at}, F);
        F = mixed(F, weights, !config.feedForward.scalesInput);
        if (config.feedForward.hasShared()) {
            pass.show({Stage::RoutedOutput, at}, F);
            F += sharedNetwork(pass, config.feedForward, at, X, W);
        }
    }
    pass.show({Stage::FeedForwardOutput, at}, F);
    return F;
}

} // namespace headlight::core::reference
