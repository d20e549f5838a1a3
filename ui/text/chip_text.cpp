#include "ui/text/chip_text.h"

#include "ui/text/stage_titles.h"

#include <QCoreApplication>

namespace headlight::ui {

namespace {

struct ChipText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::Filmstrip)
};

QString embeddingSumText(const core::Config &config) {
    if (core::areAddedToEmbeddings(config.positions))
        return QStringLiteral("X + P");
    if (config.embeddingFactor != 1)
        return QStringLiteral("X·%1").arg(static_cast<double>(config.embeddingFactor));
    return config.scaleEmbeddings ? QStringLiteral("X·√C") : ChipText::tr("+ types");
}

QString scaleText(const core::Scale &scale) {
    switch (scale.kind) {
    case core::Scale::Kind::SquareRoot:
        return QStringLiteral("÷√d");
    case core::Scale::Kind::Number:
        return QStringLiteral("÷%1").arg(static_cast<double>(scale.number));
    case core::Scale::Kind::Off:
        break;
    }
    return QStringLiteral("÷1");
}

} // namespace

QString chipText(core::StageId at, const core::Model &model) {
    const core::Config &config = model.config;
    const auto has = [&](core::Block block) {
        return model.hasAttention({at.attention.layer, block, at.attention.stack});
    };
    // The first residual connection results in R, the second in R′.
    const bool hasTwo = has(core::Block::SelfAttention) && has(core::Block::CrossAttention);
    const bool isSecond = hasTwo && at.attention.block == core::Block::CrossAttention;
    const QString added = isSecond ? QStringLiteral("+ R") : QStringLiteral("+ X");
    const QString addedLast = hasTwo ? QStringLiteral("+ R′") : QStringLiteral("+ R");
    const QString weighing = config.softmax ? ChipText::tr("softmax") : ChipText::tr("no softmax");
    const QString norm = ChipText::tr("norm");
    using enum core::Stage;
    switch (at.stage) {
    case Embeddings:
    case LayerInput:
        return QStringLiteral("X");
    case EmbeddingSum:
        return embeddingSumText(config);
    case Positioned:
    case Norm:
    case FeedForwardNorm:
    case OutputNorm:
    case FeedForwardOutputNorm:
    case FinalNorm:
        return norm;
    case FirstNeighbours:
        return QStringLiteral("J₁");
    case FirstFrame:
        return QStringLiteral("X₁");
    case SecondNeighbours:
        return QStringLiteral("J₂");
    case SecondFrame:
        return QStringLiteral("X₂");
    case FrameNeighbours:
        return QStringLiteral("J");
    case EmbeddingProjected:
        if (config.soundBands > 0)
            return QStringLiteral("σ(J·W_E)");
        return config.projectsFirst ? QStringLiteral("E·W_E") : QStringLiteral("X·W_E");
    case CompressedQuery:
        return QStringLiteral("c");
    case NormedCompressedQuery:
        return QStringLiteral("c′");
    case CompressedKeyValue:
        return QStringLiteral("l");
    case NormedCompressedKeyValue:
        return QStringLiteral("l′");
    case UnrotatedSharedKey:
        return QStringLiteral("Kˢ°");
    case SharedKey:
        return QStringLiteral("Kˢ");
    case OwnKey:
        return QStringLiteral("Kᶜ");
    case DistanceEmbeddings:
        return QStringLiteral("Δ");
    case ProjectedQuery:
        return QStringLiteral("Q′");
    case ProjectedKey:
        return QStringLiteral("K′");
    case UnrotatedQuery:
        return QStringLiteral("Q°");
    case UnrotatedKey:
        return QStringLiteral("K°");
    case RotatedQuery:
        return QStringLiteral("Q′");
    case RotatedKey:
        return QStringLiteral("K′");
    case UntunedQuery:
        return QStringLiteral("Qᵗ");
    case Query:
        return QStringLiteral("Q");
    case Key:
        return QStringLiteral("K");
    case Value:
        return QStringLiteral("V");
    case Scores:
        return QStringLiteral("QKᵀ");
    case ScaledScores:
        return scaleText(config.scale);
    case CappedScores:
        return ChipText::tr("cap");
    case PositionKey:
        return QStringLiteral("Kʳ");
    case PositionQuery:
        return QStringLiteral("Qʳ");
    case QueryDistances:
        return QStringLiteral("QKʳᵀ");
    case KeyDistances:
        return QStringLiteral("KQʳᵀ");
    case ContentToPosition:
        return QStringLiteral("C→P");
    case PositionToContent:
        return QStringLiteral("P→C");
    case PositionBias:
        return QStringLiteral("P");
    case BiasedScores:
        return QStringLiteral("+ P");
    case MaskedScores:
        return ChipText::tr("mask");
    case UnmaskedWeights:
        return weighing;
    case AttentionWeights:
        return config.masking.afterSoftmax ? ChipText::tr("mask") : weighing;
    case SinkWeights:
        return ChipText::tr("sink");
    case Context:
        return QStringLiteral("A·V");
    case Concatenated:
        return ChipText::tr("concat");
    case HeadOutputs:
        return QStringLiteral("Z·W_O");
    case Output:
        return QStringLiteral("W_O");
    case ResidualSum:
        return added;
    case Residual:
        return config.normsAfter() ? norm : added;
    case RouterLogits:
        return ChipText::tr("router");
    case RouterProbabilities:
        return config.feedForward.sigmoidRouter ? QStringLiteral("σ") : ChipText::tr("softmax");
    case RouterScores:
        return QStringLiteral("+ b");
    case ExpertWeights:
        return ChipText::tr("choice");
    case ExpertInputs:
        return QStringLiteral("w · N");
    case Gate:
        return ChipText::tr("gate");
    case Hidden:
        return ChipText::tr("hidden");
    case Activated:
        return titleOf(config.feedForward.activation);
    case ExpertOutputs:
        return QStringLiteral("W₂");
    case RoutedOutput:
        return QStringLiteral("Σ");
    case SharedGate:
        return ChipText::tr("gate");
    case SharedHidden:
        return ChipText::tr("hidden");
    case SharedActivated:
        return titleOf(config.feedForward.activation);
    case SharedOutput:
        return QStringLiteral("W₂");
    case FeedForwardOutput:
        return config.feedForward.hasShared()    ? QStringLiteral("+ Fˢ")
               : config.feedForward.hasExperts() ? QStringLiteral("Σ")
                                                 : QStringLiteral("W₂");
    case FeedForwardResidualSum:
        return addedLast;
    case LayerOutput:
        return config.normsAfter() ? norm : config.parallel ? QStringLiteral("+ X") : addedLast;
    case OutputLayerInput:
        return QStringLiteral("U");
    case UncappedLogits:
        return ChipText::tr("logits");
    case Logits:
        return config.logitCap.isOn() ? ChipText::tr("cap") : ChipText::tr("logits");
    case Probabilities:
        return ChipText::tr("softmax");
    case Pooled:
        return ChipText::tr("pool");
    case DistillationPooled:
        return ChipText::tr("pool 2");
    case Projected:
        return QStringLiteral("W_s");
    case ClsLogits:
        return QStringLiteral("W_c");
    case DistillationLogits:
        return QStringLiteral("W_d");
    case ClassLogits:
        return ChipText::tr("classes");
    }
    return {};
}

} // namespace headlight::ui
