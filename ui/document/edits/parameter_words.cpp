#include "ui/document/edits/parameter_words.h"

#include "ui/document/site_words.h"

#include <QCoreApplication>
#include <QStringList>

#include <array>

namespace headlight::ui {

namespace {

using core::Index;
using core::ParameterKind;
using core::ParameterPart;

struct Words {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::MatrixName)
};

/// The layers that use these weights.
std::vector<Index> layersOf(const core::Model &model, const core::ParameterId &id) {
    const core::Stack stack =
        id.stack == core::Stack::Encoder ? core::Stack::Encoder : model.mainStack();
    std::vector<Index> layers;
    for (Index layer = 0; layer < model.layerCount(stack); ++layer)
        if (model.weightsLayer(stack, layer) == id.layer)
            layers.push_back(layer);
    return layers;
}

/// The attention that the id says, in the words of places.
core::Site siteOf(const core::Model &model, const core::ParameterId &id) {
    return {id.layer, id.block,
            id.stack == core::Stack::Encoder ? core::Stack::Encoder : model.mainStack()};
}

} // namespace

QString symbolOf(ParameterKind which) {
    switch (which) {
    case ParameterKind::Query:
        return QStringLiteral("W_Q");
    case ParameterKind::Key:
        return QStringLiteral("W_K");
    case ParameterKind::Value:
        return QStringLiteral("W_V");
    case ParameterKind::Output:
        return QStringLiteral("W_O");
    case ParameterKind::QueryBias:
        return QStringLiteral("b_Q");
    case ParameterKind::KeyBias:
        return QStringLiteral("b_K");
    case ParameterKind::ValueBias:
        return QStringLiteral("b_V");
    case ParameterKind::OutputBias:
        return QStringLiteral("b_O");
    case ParameterKind::NormGain:
        return Words::tr("γ of the attention's norm");
    case ParameterKind::NormBias:
        return Words::tr("β of the attention's norm");
    case ParameterKind::Gate:
        return QStringLiteral("W_g");
    case ParameterKind::Hidden:
        return QStringLiteral("W_1");
    case ParameterKind::FeedForwardOutput:
        return QStringLiteral("W_2");
    case ParameterKind::GateBias:
        return QStringLiteral("b_g");
    case ParameterKind::HiddenBias:
        return QStringLiteral("b_1");
    case ParameterKind::FeedForwardOutputBias:
        return QStringLiteral("b_2");
    case ParameterKind::FeedForwardNormGain:
        return Words::tr("γ of the feed-forward norm");
    case ParameterKind::FeedForwardNormBias:
        return Words::tr("β of the feed-forward norm");
    case ParameterKind::Embeddings:
        return Words::tr("embedding matrix E");
    case ParameterKind::Positions:
        return Words::tr("table of positions");
    case ParameterKind::TokenTypes:
        return Words::tr("table of token types");
    case ParameterKind::EmbeddingNormGain:
        return Words::tr("γ of the embedding norm");
    case ParameterKind::EmbeddingNormBias:
        return Words::tr("β of the embedding norm");
    case ParameterKind::EmbeddingProjection:
        return QStringLiteral("W_E");
    case ParameterKind::EmbeddingProjectionBias:
        return QStringLiteral("b_E");
    case ParameterKind::PositionBias:
        return Words::tr("table of position biases");
    case ParameterKind::FinalNormGain:
        return Words::tr("γ of the final norm");
    case ParameterKind::FinalNormBias:
        return Words::tr("β of the final norm");
    case ParameterKind::HeadTransform:
        return QStringLiteral("W_T");
    case ParameterKind::HeadTransformBias:
        return QStringLiteral("b_T");
    case ParameterKind::HeadNormGain:
        return Words::tr("γ of the norm before the logits");
    case ParameterKind::HeadNormBias:
        return Words::tr("β of the norm before the logits");
    case ParameterKind::OutputMatrix:
        return QStringLiteral("W_U");
    case ParameterKind::OutputMatrixBias:
        return QStringLiteral("b_U");
    case ParameterKind::Pooler:
        return QStringLiteral("W_P");
    case ParameterKind::PoolerBias:
        return QStringLiteral("b_P");
    case ParameterKind::Classifier:
        return QStringLiteral("W_C");
    case ParameterKind::ClassifierBias:
        return QStringLiteral("b_C");
    }
    return {};
}

QString whereOf(const core::ParameterId &id, const core::Model &model) {
    const ParameterPart part = core::partOf(id.which);
    if (part == ParameterPart::Head)
        return {};
    const bool isLayers = part != ParameterPart::Stack;
    QStringList words;
    const core::Site site = siteOf(model, id);
    const bool ofAttention = part == ParameterPart::Attention;
    // Of a feed-forward network or a stack only the stack is said.
    if (ofAttention ? placesOf(model).size() > 1 : model.hasEncoder())
        words << placeWords(ofAttention ? site
                                        : core::Site(0, core::Block::SelfAttention, site.stack));
    if (!isLayers || model.layerCount(site.stack) <= 1)
        return words.join(QStringLiteral(", "));
    const std::vector<Index> layers = layersOf(model, id);
    if (layers.size() == 1)
        words << Words::tr("layer %1").arg(layers.front());
    else if (!layers.empty())
        words << Words::tr("layers %1–%2, which share it").arg(layers.front()).arg(layers.back());
    return words.join(QStringLiteral(", "));
}

QString nameOf(const MatrixId &id, const DocumentState &state) {
    if (id.kind == MatrixId::Kind::Embeddings) {
        const QString name = id.stack == core::Stack::Encoder || id.stack == core::Stack::Source
                                 ? Words::tr("embeddings of the second sequence")
                                 : symbolOf(id);
        if (state.input.batch->count() == 1)
            return name;
        return name == symbolOf(id) ? Words::tr("embeddings of sequence %1").arg(id.sequence)
                                    : Words::tr("%1, %2").arg(name).arg(id.sequence);
    }
    QString name = symbolOf(id);
    const core::Config &config = state.model.config;
    const ParameterKind which = id.parameter.which;
    if (id.head && isOfHeads(which)) {
        const bool ofKeys = which == ParameterKind::Key || which == ParameterKind::Value ||
                            which == ParameterKind::KeyBias || which == ParameterKind::ValueBias;
        const Index each = config.heads / config.groups();
        const Index first = config.groupOf(*id.head) * each;
        name = ofKeys && each > 1
                   ? Words::tr("%1 heads %2–%3").arg(name).arg(first).arg(first + each - 1)
                   : Words::tr("%1 head %2").arg(name).arg(*id.head);
    }
    const QString where = whereOf(id.parameter, state.model);
    return where.isEmpty() ? name : QStringLiteral("%1, %2").arg(name, where);
}

bool isPartOf(const core::Model &model, const core::ParameterId &id) {
    const core::Config &config = model.config;
    const core::Weights &weights = model.weights;
    if (!hasPlaceFor(weights, id))
        return false;
    if (parameterOf(weights, id))
        return true;
    const auto beside = [&](ParameterKind matrix) {
        core::ParameterId other = id;
        other.which = matrix;
        return parameterOf(weights, other) != nullptr;
    };
    switch (id.which) {
    case ParameterKind::QueryBias:
    case ParameterKind::KeyBias:
    case ParameterKind::ValueBias:
        return beside(ParameterKind::Query);
    case ParameterKind::OutputBias:
        return beside(ParameterKind::Output);
    case ParameterKind::NormGain:
        return config.hasNorm() && beside(ParameterKind::Query);
    case ParameterKind::NormBias:
        return config.hasNorm() && config.norm.kind != core::NormKind::RootMeanSquare &&
               beside(ParameterKind::Query);
    case ParameterKind::GateBias:
        return beside(ParameterKind::Gate);
    case ParameterKind::HiddenBias:
    case ParameterKind::FeedForwardOutputBias:
        return beside(ParameterKind::Hidden);
    case ParameterKind::FeedForwardNormGain:
        return config.hasNorm() && beside(ParameterKind::Hidden);
    case ParameterKind::FeedForwardNormBias:
        return config.hasNorm() && config.norm.kind != core::NormKind::RootMeanSquare &&
               beside(ParameterKind::Hidden);
    case ParameterKind::EmbeddingNormGain:
        return config.hasNorm() && config.norm.embedding;
    case ParameterKind::EmbeddingNormBias:
        return config.hasNorm() && config.norm.embedding &&
               config.norm.kind != core::NormKind::RootMeanSquare;
    case ParameterKind::EmbeddingProjectionBias:
        return beside(ParameterKind::EmbeddingProjection);
    case ParameterKind::FinalNormGain:
        return config.hasNorm() && config.norm.final;
    case ParameterKind::FinalNormBias:
        return config.hasNorm() && config.norm.final &&
               config.norm.kind != core::NormKind::RootMeanSquare;
    case ParameterKind::HeadTransformBias:
        return beside(ParameterKind::HeadTransform);
    case ParameterKind::HeadNormGain:
        return config.hasNorm() && config.head.norm && beside(ParameterKind::HeadTransform);
    case ParameterKind::HeadNormBias:
        return config.hasNorm() && config.head.norm && beside(ParameterKind::HeadTransform) &&
               config.norm.kind != core::NormKind::RootMeanSquare;
    case ParameterKind::OutputMatrixBias:
        return config.head.kind == core::HeadKind::Language ||
               config.head.kind == core::HeadKind::MaskedLanguage;
    case ParameterKind::PoolerBias:
        return beside(ParameterKind::Pooler);
    case ParameterKind::ClassifierBias:
        return beside(ParameterKind::Classifier);
    // W_O is asked for where the model has none: the editor then says so.
    case ParameterKind::Output:
        return beside(ParameterKind::Query);
    default:
        return false;
    }
}

Index widthOfRow(const core::Model &model, const core::ParameterId &id) {
    const core::Config &config = model.config;
    switch (id.which) {
    case ParameterKind::QueryBias:
        return config.concatenatedWidth();
    case ParameterKind::KeyBias:
    case ParameterKind::ValueBias:
        return config.groups() * config.headSize;
    case ParameterKind::GateBias:
    case ParameterKind::HiddenBias:
        return config.feedForward.width;
    case ParameterKind::EmbeddingNormGain:
    case ParameterKind::EmbeddingNormBias:
    case ParameterKind::HeadTransformBias:
    case ParameterKind::HeadNormGain:
    case ParameterKind::HeadNormBias:
        return config.tokenWidth();
    case ParameterKind::OutputMatrixBias:
        return model.weights.head.output ? model.weights.head.output->columns()
                                         : model.weights.main.embeddings->rows();
    case ParameterKind::ClassifierBias:
        return config.head.classes;
    default:
        return config.width;
    }
}

} // namespace headlight::ui
