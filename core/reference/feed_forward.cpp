// The feed-forward network of a layer, which works on each token independently, and its
// activations.
#include "core/reference/pass.h"

#include <cmath>
#include <numbers>

namespace headlight::core::reference {

namespace {

/// σ(x), the logistic function.
double sigmoid(double x) {
    return 1 / (1 + std::exp(-x));
}

double activatedNumber(double x, Activation activation) {
    switch (activation) {
    case Activation::Relu:
        return std::max(0.0, x);
    case Activation::Gelu: // x·Φ(x), Hendrycks and Gimpel (2016)
        return x * std::erfc(-x / std::numbers::sqrt2) / 2;
    case Activation::GeluTanh: // the same article's approximation, as in GPT-2
        return x / 2 *
               (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
    case Activation::Silu: // Elfwing et al. (2018)
        return x * sigmoid(x);
    case Activation::QuickGelu: // the other approximation of Hendrycks and Gimpel
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

MatrixXd feedForward(const Pass &pass, const Config &config, AttentionId at, const MatrixXd &X) {
    const FeedForwardParameters &W = pass.model.layer(at.stack, at.layer).feedForward;
    const Activation f = config.feedForward.activation;
    MatrixXd A;
    if (config.feedForward.gated) { // Shazeer (2020): f(X·W_g + b_g) ⊙ (X·W_1 + b_1)
        MatrixXd G = linear(pass, X, W.gate, W.gateBias);
        pass.show({Stage::Gate, at}, G);
        MatrixXd H = linear(pass, X, W.hidden, W.hiddenBias);
        pass.show({Stage::Hidden, at}, H);
        A = activated(G, f).cwiseProduct(H);
    } else { // Vaswani et al. (2017), section 3.3: f(X·W_1 + b_1)
        MatrixXd H = linear(pass, X, W.hidden, W.hiddenBias);
        pass.show({Stage::Hidden, at}, H);
        A = activated(H, f);
    }
    pass.show({Stage::Activated, at}, A);
    MatrixXd F = linear(pass, A, W.output, W.outputBias);
    pass.show({Stage::FeedForwardOutput, at}, F);
    return F;
}

} // namespace headlight::core::reference
