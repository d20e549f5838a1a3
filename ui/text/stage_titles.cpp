#include "ui/text/stage_titles.h"

#include <QCoreApplication>

namespace headlight::ui {

namespace {

struct StageTitlesText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::StageTitles)
};

QString embeddingSumTitle(const core::Model &model) {
    QString title = model.config.scaleEmbeddings ? StageTitlesText::tr("embeddings × √C")
                                                 : StageTitlesText::tr("embeddings");
    if (const float factor = model.config.embeddingFactor; factor != 1)
        title = StageTitlesText::tr("%1 × %2").arg(title).arg(static_cast<double>(factor));
    if (core::areAddedToEmbeddings(model.config.positions))
        title = StageTitlesText::tr("%1 + positions").arg(title);
    if (model.parameters.main.tokenTypes)
        title = StageTitlesText::tr("%1 + types").arg(title);
    return title;
}

} // namespace

QString titleOf(core::Stage stage) {
    using enum core::Stage;
    switch (stage) {
    case Embeddings:
        return StageTitlesText::tr("embeddings");
    case FirstNeighbours:
        return StageTitlesText::tr("first frames with their neighbours");
    case FirstFrame:
        return StageTitlesText::tr("first convolution at the first frames");
    case SecondNeighbours:
        return StageTitlesText::tr("second frames with their neighbours");
    case SecondFrame:
        return StageTitlesText::tr("first convolution at the second frames");
    case FrameNeighbours:
        return StageTitlesText::tr("convolved frames with their neighbours");
    case EmbeddingSum:
        return StageTitlesText::tr("embeddings + positions");
    case Positioned:
    case LayerInput:
        return StageTitlesText::tr("input of the layer");
    case EmbeddingProjected:
        return StageTitlesText::tr("embeddings, mapped to the layers' width");
    case DistanceEmbeddings:
        return StageTitlesText::tr("vectors of distances");
    case Norm:
        return StageTitlesText::tr("normalised input");
    case CompressedQuery:
        return StageTitlesText::tr("short vectors of queries");
    case NormedCompressedQuery:
        return StageTitlesText::tr("short vectors of queries, normalised");
    case CompressedKeyValue:
        return StageTitlesText::tr("short vectors of keys and values");
    case NormedCompressedKeyValue:
        return StageTitlesText::tr("short vectors of keys and values, normalised");
    case UnrotatedSharedKey:
        return StageTitlesText::tr("shared part of the keys before rotation");
    case SharedKey:
        return StageTitlesText::tr("shared part of the keys");
    case OwnKey:
        return StageTitlesText::tr("the head's own part of the keys");
    case ProjectedQuery:
        return StageTitlesText::tr("queries before their norm");
    case ProjectedKey:
        return StageTitlesText::tr("keys before their norm");
    case UnrotatedQuery:
        return StageTitlesText::tr("queries before rotation");
    case UnrotatedKey:
        return StageTitlesText::tr("keys before rotation");
    case RotatedQuery:
        return StageTitlesText::tr("rotated queries before their norm");
    case RotatedKey:
        return StageTitlesText::tr("rotated keys before their norm");
    case UntunedQuery:
        return StageTitlesText::tr("queries before temperature tuning");
    case Query:
        return StageTitlesText::tr("queries");
    case Key:
        return StageTitlesText::tr("keys");
    case Value:
        return StageTitlesText::tr("values");
    case Scores:
        return StageTitlesText::tr("scores");
    case ScaledScores:
        return StageTitlesText::tr("scaled scores");
    case CappedScores:
        return StageTitlesText::tr("capped scores");
    case PositionKey:
        return StageTitlesText::tr("keys of distances");
    case PositionQuery:
        return StageTitlesText::tr("queries of distances");
    case QueryDistances:
        return StageTitlesText::tr("queries with all distances");
    case KeyDistances:
        return StageTitlesText::tr("keys with all distances");
    case ContentToPosition:
        return StageTitlesText::tr("content to position");
    case PositionToContent:
        return StageTitlesText::tr("position to content");
    case PositionBias:
        return StageTitlesText::tr("position bias");
    case BiasedScores:
        return StageTitlesText::tr("scores + position bias");
    case MaskedScores:
        return StageTitlesText::tr("masked scores");
    case UnmaskedWeights:
        return StageTitlesText::tr("weights before the mask");
    case AttentionWeights:
        return StageTitlesText::tr("attention weights");
    case SinkWeights:
        return StageTitlesText::tr("weight of the sink, which is not a token");
    case Context:
        return StageTitlesText::tr("context");
    case Concatenated:
        return StageTitlesText::tr("all heads side by side");
    case HeadOutputs:
        return StageTitlesText::tr("the head's share of the output");
    case Output:
        return StageTitlesText::tr("output");
    case OutputNorm:
    case FeedForwardOutputNorm:
        return StageTitlesText::tr("normalised output");
    case ResidualSum:
        return StageTitlesText::tr("input + output");
    case Residual:
        return StageTitlesText::tr("residual stream");
    case FeedForwardNorm:
        return StageTitlesText::tr("normalised input");
    case RouterLogits:
        return StageTitlesText::tr("logits of the experts");
    case RouterProbabilities:
        return StageTitlesText::tr("probabilities of the experts");
    case RouterScores:
        return StageTitlesText::tr("scores for the choice of experts");
    case ExpertWeights:
        return StageTitlesText::tr("weights of the chosen experts");
    case ExpertInputs:
        return StageTitlesText::tr("inputs of the chosen experts");
    case Gate:
        return StageTitlesText::tr("gate");
    case Hidden:
        return StageTitlesText::tr("hidden layer");
    case Activated:
        return StageTitlesText::tr("activated");
    case ExpertOutputs:
        return StageTitlesText::tr("outputs of the experts side by side");
    case RoutedOutput:
        return StageTitlesText::tr("output of the experts");
    case SharedGate:
        return StageTitlesText::tr("gate of the shared network");
    case SharedHidden:
        return StageTitlesText::tr("hidden layer of the shared network");
    case SharedActivated:
        return StageTitlesText::tr("activations of the shared network");
    case SharedOutput:
        return StageTitlesText::tr("output of the shared network");
    case FeedForwardOutput:
        return StageTitlesText::tr("output");
    case FeedForwardResidualSum:
        return StageTitlesText::tr("input + output");
    case LayerOutput:
        return StageTitlesText::tr("output of the layer");
    case FinalNorm:
        return StageTitlesText::tr("final norm");
    case OutputLayerInput:
        return StageTitlesText::tr("input of the output layer");
    case UncappedLogits:
        return StageTitlesText::tr("logits before the cap");
    case Logits:
        return StageTitlesText::tr("logits");
    case Probabilities:
        return StageTitlesText::tr("probabilities");
    case Pooled:
        return StageTitlesText::tr("pooled vector");
    case DistillationPooled:
        return StageTitlesText::tr("vector of the second token");
    case Projected:
        return StageTitlesText::tr("vector in the shared space");
    case ClsLogits:
        return StageTitlesText::tr("logits of the first classifier");
    case DistillationLogits:
        return StageTitlesText::tr("logits of the second classifier");
    case ClassLogits:
        return StageTitlesText::tr("logits of the classes");
    }
    return {};
}

QString titleOf(const core::Model &model, core::Stage stage) {
    const core::Config &config = model.config;
    switch (stage) {
    case core::Stage::EmbeddingSum:
        return model.isCaptured() ? StageTitlesText::tr("sum of the embeddings")
                                  : embeddingSumTitle(model);
    case core::Stage::Positioned:
        if (config.hasNorm() && config.norm.embedding)
            return StageTitlesText::tr("embeddings after %1").arg(titleOf(config.norm.kind));
        break;
    case core::Stage::Norm:
    case core::Stage::FeedForwardNorm:
        if (config.hasNorm())
            return titleOf(config.norm.kind);
        break;
    case core::Stage::OutputNorm:
    case core::Stage::FeedForwardOutputNorm:
        if (config.hasNorm())
            return StageTitlesText::tr("output after %1").arg(titleOf(config.norm.kind));
        break;
    case core::Stage::FinalNorm:
        if (config.hasNorm())
            return StageTitlesText::tr("last %1").arg(titleOf(config.norm.kind));
        break;
    case core::Stage::Residual:
        if (config.normsAfter())
            return StageTitlesText::tr("after %1").arg(titleOf(config.norm.kind));
        if (config.residual)
            return StageTitlesText::tr("input + output");
        break;
    case core::Stage::Activated:
        if (config.feedForward.width > 0)
            return config.feedForward.gated
                       ? StageTitlesText::tr("%1 of the gate, multiplied by hidden")
                             .arg(titleOf(config.feedForward.activation))
                       : StageTitlesText::tr("after %1")
                             .arg(titleOf(config.feedForward.activation));
        break;
    case core::Stage::Logits:
        if (model.vocabularyOf(model.mainStack()))
            return StageTitlesText::tr("logits of the words");
        break;
    case core::Stage::Probabilities:
        if (model.saysNext())
            return StageTitlesText::tr("probability of the next token");
        return model.answersInPlace ? StageTitlesText::tr("probability of the answer")
                                    : titleOf(stage);
    default:
        break;
    }
    return titleOf(stage);
}

QString titleOf(core::Stack stack) {
    switch (stack) {
    case core::Stack::Main:
        break;
    case core::Stack::Encoder:
        return StageTitlesText::tr("encoder");
    case core::Stack::Decoder:
        return StageTitlesText::tr("decoder");
    case core::Stack::SourceEmbeddings:
        return StageTitlesText::tr("source");
    }
    return {};
}

QString titleOf(core::NormKind kind) {
    switch (kind) {
    case core::NormKind::None:
        break;
    case core::NormKind::Layer:
        return StageTitlesText::tr("layer norm");
    case core::NormKind::RootMeanSquare:
        return StageTitlesText::tr("RMS norm");
    case core::NormKind::Batch:
        return StageTitlesText::tr("batch norm");
    }
    return {};
}

QString titleOf(core::Activation activation) {
    switch (activation) {
    case core::Activation::Relu:
        return QStringLiteral("ReLU");
    case core::Activation::Gelu:
        return QStringLiteral("GELU");
    case core::Activation::GeluTanh:
        return QStringLiteral("GELU (tanh)");
    case core::Activation::Silu:
        return QStringLiteral("SiLU");
    case core::Activation::QuickGelu:
        return QStringLiteral("quick GELU");
    case core::Activation::SquaredRelu:
        return QStringLiteral("ReLU²");
    }
    return {};
}

} // namespace headlight::ui
