#include "ui/panels/chip_text.h"

#include "ui/figures/stage_titles.h"

#include <QCoreApplication>

namespace headlight::ui {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::Stepper)
};

QString embeddingSumText(const core::Config &config) {
    if (config.positions == core::Positions::Sinusoidal ||
        config.positions == core::Positions::Learned)
        return QStringLiteral("X + P");
    return config.scaleEmbeddings ? QStringLiteral("X·√C") : Words::tr("+ types");
}

} // namespace

QString chipText(core::Stage stage, const core::Config &config) {
    const QString weighing = config.softmax ? Words::tr("softmax") : Words::tr("no softmax");
    const QString norm = Words::tr("norm");
    using enum core::Stage;
    switch (stage) {
    case Embeddings:
    case LayerInput:
        return QStringLiteral("X");
    case EmbeddingSum:
        return embeddingSumText(config);
    case Positioned:
    case Norm:
    case FeedForwardNorm:
    case FinalNorm:
        return norm;
    case EmbeddingProjected:
        return QStringLiteral("X·W_E");
    case UnrotatedQuery:
        return QStringLiteral("Q°");
    case UnrotatedKey:
        return QStringLiteral("K°");
    case Query:
        return QStringLiteral("Q");
    case Key:
        return QStringLiteral("K");
    case Value:
        return QStringLiteral("V");
    case Scores:
        return QStringLiteral("QKᵀ");
    case ScaledScores:
        return QStringLiteral("÷√d");
    case PositionBias:
        return QStringLiteral("P");
    case BiasedScores:
        return QStringLiteral("+ P");
    case MaskedScores:
        return Words::tr("mask");
    case UnmaskedWeights:
        return weighing;
    case Weights:
        return config.masking.afterSoftmax ? Words::tr("mask") : weighing;
    case Context:
        return QStringLiteral("A·V");
    case Concatenated:
        return Words::tr("concat");
    case HeadOutputs:
        return QStringLiteral("Z·W_O");
    case Output:
        return QStringLiteral("W_O");
    case ResidualSum:
        return QStringLiteral("+ X");
    case Residual:
        return config.normsAfter() ? norm : QStringLiteral("+ X");
    case Gate:
        return Words::tr("gate");
    case Hidden:
        return Words::tr("hidden");
    case Activated:
        return titleOf(config.feedForward.activation);
    case FeedForwardOutput:
        return QStringLiteral("W₂");
    case FeedForwardResidualSum:
        return QStringLiteral("+ R");
    case LayerOutput:
        return config.normsAfter() ? norm : QStringLiteral("+ R");
    case HeadInput:
        return QStringLiteral("U");
    case Logits:
        return Words::tr("logits");
    case Probabilities:
        return Words::tr("softmax");
    case Pooled:
        return Words::tr("pool");
    case ClassLogits:
        return Words::tr("classes");
    }
    return {};
}

} // namespace headlight::ui
