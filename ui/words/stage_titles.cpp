#include "ui/words/stage_titles.h"

#include <QCoreApplication>

namespace headlight::ui {

namespace {

struct StageTitlesWords {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::StageTitles)
};

QString embeddingSumTitle(const core::Model &model) {
    const core::Positions positions = model.config.positions;
    QString title = model.config.scaleEmbeddings ? StageTitlesWords::tr("embeddings × √C")
                                                 : StageTitlesWords::tr("embeddings");
    if (positions == core::Positions::Sinusoidal || positions == core::Positions::Learned)
        title = StageTitlesWords::tr("%1 + positions").arg(title);
    if (model.parameters.main.tokenTypes)
        title = StageTitlesWords::tr("%1 + types").arg(title);
    return title;
}

} // namespace

QString titleOf(core::Stage stage) {
    using enum core::Stage;
    switch (stage) {
    case Embeddings:
        return StageTitlesWords::tr("embeddings");
    case EmbeddingSum:
        return StageTitlesWords::tr("embeddings + positions");
    case Positioned:
    case LayerInput:
        return StageTitlesWords::tr("input of the layer");
    case EmbeddingProjected:
        return StageTitlesWords::tr("embeddings, mapped to the layers' width");
    case Norm:
        return StageTitlesWords::tr("normalised input");
    case ProjectedQuery:
        return StageTitlesWords::tr("queries before their norm");
    case ProjectedKey:
        return StageTitlesWords::tr("keys before their norm");
    case UnrotatedQuery:
        return StageTitlesWords::tr("queries before rotation");
    case UnrotatedKey:
        return StageTitlesWords::tr("keys before rotation");
    case Query:
        return StageTitlesWords::tr("queries");
    case Key:
        return StageTitlesWords::tr("keys");
    case Value:
        return StageTitlesWords::tr("values");
    case Scores:
        return StageTitlesWords::tr("scores");
    case ScaledScores:
        return StageTitlesWords::tr("scaled scores");
    case CappedScores:
        return StageTitlesWords::tr("capped scores");
    case PositionBias:
        return StageTitlesWords::tr("position bias");
    case BiasedScores:
        return StageTitlesWords::tr("scores + position bias");
    case MaskedScores:
        return StageTitlesWords::tr("masked scores");
    case UnmaskedWeights:
        return StageTitlesWords::tr("weights before the mask");
    case AttentionWeights:
        return StageTitlesWords::tr("attention weights");
    case Context:
        return StageTitlesWords::tr("context");
    case Concatenated:
        return StageTitlesWords::tr("all heads side by side");
    case HeadOutputs:
        return StageTitlesWords::tr("what the head adds to the output");
    case Output:
        return StageTitlesWords::tr("output");
    case OutputNorm:
    case FeedForwardOutputNorm:
        return StageTitlesWords::tr("normalised output");
    case ResidualSum:
        return StageTitlesWords::tr("input + output");
    case Residual:
        return StageTitlesWords::tr("residual stream");
    case FeedForwardNorm:
        return StageTitlesWords::tr("normalised input");
    case Gate:
        return StageTitlesWords::tr("gate");
    case Hidden:
        return StageTitlesWords::tr("hidden layer");
    case Activated:
        return StageTitlesWords::tr("activated");
    case FeedForwardOutput:
        return StageTitlesWords::tr("output");
    case FeedForwardResidualSum:
        return StageTitlesWords::tr("input + output");
    case LayerOutput:
        return StageTitlesWords::tr("output of the layer");
    case FinalNorm:
        return StageTitlesWords::tr("last norm");
    case OutputLayerInput:
        return StageTitlesWords::tr("input of the output layer");
    case UncappedLogits:
        return StageTitlesWords::tr("logits before the cap");
    case Logits:
        return StageTitlesWords::tr("logits");
    case Probabilities:
        return StageTitlesWords::tr("probabilities");
    case Pooled:
        return StageTitlesWords::tr("pooled vector");
    case ClassLogits:
        return StageTitlesWords::tr("logits of the classes");
    }
    return {};
}

QString titleOf(const core::Trace &trace, core::Stage stage) {
    const core::Config &config = trace.model().config;
    switch (stage) {
    case core::Stage::EmbeddingSum:
        return trace.model().isCaptured() ? StageTitlesWords::tr("sum of the embeddings")
                                          : embeddingSumTitle(trace.model());
    case core::Stage::Positioned:
        if (config.hasNorm() && config.norm.embedding)
            return StageTitlesWords::tr("embeddings after %1").arg(titleOf(config.norm.kind));
        break;
    case core::Stage::Norm:
    case core::Stage::FeedForwardNorm:
        if (config.hasNorm())
            return titleOf(config.norm.kind);
        break;
    case core::Stage::OutputNorm:
    case core::Stage::FeedForwardOutputNorm:
        if (config.hasNorm())
            return StageTitlesWords::tr("output after %1").arg(titleOf(config.norm.kind));
        break;
    case core::Stage::FinalNorm:
        if (config.hasNorm())
            return StageTitlesWords::tr("last %1").arg(titleOf(config.norm.kind));
        break;
    case core::Stage::Residual:
        if (config.normsAfter())
            return StageTitlesWords::tr("after %1").arg(titleOf(config.norm.kind));
        if (config.residual)
            return StageTitlesWords::tr("input + output");
        break;
    case core::Stage::Activated:
        if (config.feedForward.width > 0)
            return config.feedForward.gated ? StageTitlesWords::tr("%1 of the gate × hidden")
                                                  .arg(titleOf(config.feedForward.activation))
                                            : StageTitlesWords::tr("after %1")
                                                  .arg(titleOf(config.feedForward.activation));
        break;
    case core::Stage::Logits:
        if (trace.model().vocabularyOf(trace.model().mainStack()))
            return StageTitlesWords::tr("logits of the words");
        break;
    case core::Stage::Probabilities:
        if (trace.model().saysNext())
            return StageTitlesWords::tr("probability of the next token");
        return trace.model().answersInPlace ? StageTitlesWords::tr("probability of the answer")
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
        return StageTitlesWords::tr("encoder");
    case core::Stack::Decoder:
        return StageTitlesWords::tr("decoder");
    case core::Stack::SourceEmbeddings:
        return StageTitlesWords::tr("source");
    }
    return {};
}

QString titleOf(core::NormKind kind) {
    switch (kind) {
    case core::NormKind::None:
        break;
    case core::NormKind::Layer:
        return StageTitlesWords::tr("layer norm");
    case core::NormKind::RootMeanSquare:
        return StageTitlesWords::tr("RMS norm");
    case core::NormKind::Batch:
        return StageTitlesWords::tr("batch norm");
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
