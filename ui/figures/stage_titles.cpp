#include "ui/figures/stage_titles.h"

#include <QCoreApplication>

namespace headlight::ui {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::StageTitles)
};

QString embeddingSumTitle(const core::Model &model) {
    const core::Positions positions = model.config.positions;
    QString title =
        model.config.scaleEmbeddings ? Words::tr("embeddings × √C") : Words::tr("embeddings");
    if (positions == core::Positions::Sinusoidal || positions == core::Positions::Learned)
        title = Words::tr("%1 + positions").arg(title);
    if (model.weights.main.tokenTypes)
        title = Words::tr("%1 + types").arg(title);
    return title;
}

} // namespace

QString titleOf(core::Stage stage) {
    using enum core::Stage;
    switch (stage) {
    case Embeddings:
        return Words::tr("embeddings");
    case EmbeddingSum:
        return Words::tr("embeddings + positions");
    case Positioned:
    case LayerInput:
        return Words::tr("input of the layer");
    case EmbeddingProjected:
        return Words::tr("embeddings, mapped to the layers' width");
    case Norm:
        return Words::tr("normalised input");
    case UnrotatedQuery:
        return Words::tr("queries before they turn");
    case UnrotatedKey:
        return Words::tr("keys before they turn");
    case Query:
        return Words::tr("queries");
    case Key:
        return Words::tr("keys");
    case Value:
        return Words::tr("values");
    case Scores:
        return Words::tr("scores");
    case ScaledScores:
        return Words::tr("scaled scores");
    case PositionBias:
        return Words::tr("position bias");
    case BiasedScores:
        return Words::tr("scores + position bias");
    case MaskedScores:
        return Words::tr("masked scores");
    case UnmaskedWeights:
        return Words::tr("weights before the mask");
    case Weights:
        return Words::tr("attention weights");
    case Context:
        return Words::tr("context");
    case Concatenated:
        return Words::tr("all heads side by side");
    case HeadOutputs:
        return Words::tr("what the head adds to the output");
    case Output:
        return Words::tr("output");
    case ResidualSum:
        return Words::tr("input + output");
    case Residual:
        return Words::tr("residual stream");
    case FeedForwardNorm:
        return Words::tr("normalised input");
    case Gate:
        return Words::tr("gate");
    case Hidden:
        return Words::tr("hidden layer");
    case Activated:
        return Words::tr("activated");
    case FeedForwardOutput:
        return Words::tr("output");
    case FeedForwardResidualSum:
        return Words::tr("input + output");
    case LayerOutput:
        return Words::tr("output of the layer");
    case FinalNorm:
        return Words::tr("last norm");
    case HeadInput:
        return Words::tr("input of the logits");
    case Logits:
        return Words::tr("logits");
    case Probabilities:
        return Words::tr("probabilities");
    case Pooled:
        return Words::tr("one vector a sequence");
    case ClassLogits:
        return Words::tr("logits of the classes");
    }
    return {};
}

QString titleOf(const core::Trace &trace, core::Stage stage) {
    const core::Config &config = trace.model().config;
    switch (stage) {
    case core::Stage::EmbeddingSum:
        return embeddingSumTitle(trace.model());
    case core::Stage::Positioned:
        if (config.hasNorm() && config.norm.embedding)
            return Words::tr("embeddings after %1").arg(titleOf(config.norm.kind));
        break;
    case core::Stage::Norm:
    case core::Stage::FeedForwardNorm:
        if (config.hasNorm())
            return titleOf(config.norm.kind);
        break;
    case core::Stage::FinalNorm:
        if (config.hasNorm())
            return Words::tr("last %1").arg(titleOf(config.norm.kind));
        break;
    case core::Stage::Residual:
        if (config.normsAfter())
            return Words::tr("after %1").arg(titleOf(config.norm.kind));
        if (config.residual)
            return Words::tr("input + output");
        break;
    case core::Stage::Activated:
        if (config.feedForward.width > 0)
            return config.feedForward.gated
                       ? Words::tr("%1 of the gate × hidden")
                             .arg(titleOf(config.feedForward.activation))
                       : Words::tr("after %1").arg(titleOf(config.feedForward.activation));
        break;
    case core::Stage::Logits:
        if (trace.model().vocabularyOf(trace.model().mainStack()))
            return Words::tr("logits of the words");
        break;
    case core::Stage::Probabilities:
        return config.outputLayer.kind == core::OutputLayerKind::Language
                   ? Words::tr("probability of the next token")
                   : titleOf(stage);
    default:
        break;
    }
    return titleOf(stage);
}

QString titleOf(core::Stack stack) {
    switch (stack) {
    case core::Stack::Only:
        break;
    case core::Stack::Encoder:
        return Words::tr("encoder");
    case core::Stack::Decoder:
        return Words::tr("decoder");
    case core::Stack::Source:
        return Words::tr("source");
    }
    return {};
}

QString titleOf(core::NormKind kind) {
    switch (kind) {
    case core::NormKind::None:
        break;
    case core::NormKind::Layer:
        return Words::tr("layer norm");
    case core::NormKind::RootMeanSquare:
        return Words::tr("RMS norm");
    case core::NormKind::Batch:
        return Words::tr("batch norm");
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
    }
    return {};
}

QString titleOf(const core::Trace &trace, const FlowPart &part) {
    switch (part.kind) {
    case FlowPart::Kind::Embedding:
        return Words::tr("embeddings");
    case FlowPart::Kind::Attention:
        return part.site.block == core::Block::CrossAttention ? Words::tr("cross-attention")
                                                              : Words::tr("self-attention");
    case FlowPart::Kind::FeedForward:
        return Words::tr("feed-forward");
    case FlowPart::Kind::Head:
        break;
    }
    switch (trace.model().config.outputLayer.kind) {
    case core::OutputLayerKind::None:
        break;
    case core::OutputLayerKind::Language:
        return Words::tr("next token");
    case core::OutputLayerKind::MaskedLanguage:
        return Words::tr("masked token");
    case core::OutputLayerKind::Classifier:
        return Words::tr("class");
    }
    return Words::tr("result");
}

} // namespace headlight::ui
