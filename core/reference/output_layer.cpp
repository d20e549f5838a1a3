// From the last layer to the prediction: logits of the vocabulary, or of a classifier's classes.
#include "core/reference/pass.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace headlight::core::reference {

namespace {

void logits(const Pass &pass, const MatrixXd &X) {
    const OutputLayerParameters &W = pass.model.parameters.outputLayer;
    // Press and Wolf (2017): without an output matrix, the transposed embeddings are used.
    MatrixXd L =
        W.output ? linear(pass, X, W.output, W.outputBias)
                 : linearTransposed(pass, X, pass.model.parameters.main.embeddings, W.outputBias);
    if (pass.model.config.logitCap.isOn()) {
        pass.show({Stage::UncappedLogits, {}}, L);
        const double limit = double(pass.model.config.logitCap.limit);
        L = limit * (L.array() / limit).tanh();
    }
    pass.show({Stage::Logits, {}}, L);
    pass.shown({Stage::Probabilities, {}}, softmax(L));
}

/// Devlin et al. (2019): a masked token is predicted from norm(f(X·W + b)).
MatrixXd transformed(const Pass &pass, const MatrixXd &X) {
    const Config &config = pass.model.config;
    const OutputLayerParameters &W = pass.model.parameters.outputLayer;
    MatrixXd U =
        activated(linear(pass, X, W.transform, W.transformBias), config.outputLayer.activation);
    if (config.outputLayer.norm)
        U = normalised(config, U, W.norm, *pass.input.batch);
    return pass.shown({Stage::OutputLayerInput, {}}, std::move(U));
}

/// Returns the first of the tokens with the largest id.
Index withLargestId(const Pass &pass, const Sequence &sequence) {
    std::vector<Index> ids;
    const Vocabulary *words = pass.model.vocabularyOf(pass.model.mainStack());
    for (Index t = 0; t < sequence.length; ++t)
        ids.push_back(words ? words->idOf(sequence[t]).value_or(-1) : -1);
    return std::ranges::max_element(ids) - ids.begin();
}

/// Returns one vector for each sequence, [B, C].
MatrixXd pooled(const Pass &pass, const MatrixXd &X, Pooling pooling) {
    const Batch &batch = *pass.input.batch;
    MatrixXd U(batch.count(), X.cols());
    for (Index b = 0; b < batch.count(); ++b) {
        const auto tokens = X.middleRows(b * batch.length(), batch[b].length);
        switch (pooling) {
        case Pooling::First:
            U.row(b) = tokens.row(0);
            break;
        case Pooling::Last:
            U.row(b) = tokens.row(tokens.rows() - 1);
            break;
        case Pooling::Second:
            U.row(b) = tokens.row(tokens.rows() > 1 ? 1 : 0);
            break;
        case Pooling::LargestId:
            U.row(b) = tokens.row(withLargestId(pass, batch[b]));
            break;
        case Pooling::Mean:
            U.row(b) = tokens.colwise().mean();
            break;
        }
    }
    return U;
}

void classify(const Pass &pass, const MatrixXd &X) {
    const OutputLayerParameters &W = pass.model.parameters.outputLayer;
    const OutputLayer &of = pass.model.config.outputLayer;
    MatrixXd U = pooled(pass, X, of.pooling);
    if (W.pooler) {
        U = linear(pass, U, W.pooler, W.poolerBias);
        U = of.activatesPooled ? activated(U, of.activation) : MatrixXd(U.array().tanh());
    }
    pass.show({Stage::Pooled, {}}, 0, 0, U);
    MatrixXd L = linear(pass, U, W.classifier, W.classifierBias);
    if (W.distillationClassifier) {
        // Touvron et al. (2021): the mean of the logits of [CLS] and of the distillation token.
        const MatrixXd V =
            pass.shown({Stage::DistillationPooled, {}}, 0, 0, pooled(pass, X, Pooling::Second));
        pass.show({Stage::ClsLogits, {}}, 0, 0, L);
        L += pass.shown({Stage::DistillationLogits, {}}, 0, 0,
                        linear(pass, V, W.distillationClassifier, W.distillationClassifierBias));
        L /= 2;
    }
    pass.show({Stage::ClassLogits, {}}, 0, 0, L);
}

/// Radford et al. (2021): texts and pictures become vectors of the same space.
void inSharedSpace(const Pass &pass, const MatrixXd &X) {
    const MatrixXd U = pass.shown({Stage::Pooled, {}}, 0, 0,
                                  pooled(pass, X, pass.model.config.outputLayer.pooling));
    pass.shown({Stage::Projected, {}}, 0, 0,
               linear(pass, U, pass.model.parameters.outputLayer.projection, nullptr));
}

} // namespace

void outputLayer(const Pass &pass, const MatrixXd &X) {
    const Config &config = pass.model.config;
    switch (config.outputLayer.kind) {
    case OutputLayerKind::None:
        return;
    case OutputLayerKind::Language: {
        // In Raffel et al. (2020), tied logits are scaled.
        const bool isScaled =
            config.outputLayer.scaled && !pass.model.parameters.outputLayer.output;
        MatrixXd U = X / double(config.logitDivisor);
        if (isScaled)
            U /= std::sqrt(double(config.width));
        if (isScaled || config.logitDivisor != 1)
            pass.show({Stage::OutputLayerInput, {}}, U);
        return logits(pass, U);
    }
    case OutputLayerKind::MaskedLanguage:
        return logits(pass, transformed(pass, X));
    case OutputLayerKind::Classifier:
        return classify(pass, X);
    case OutputLayerKind::Projection:
        return inSharedSpace(pass, X);
    }
}

} // namespace headlight::core::reference
