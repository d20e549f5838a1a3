#include "ui/text/parameter_text.h"

#include "core/transformer/model/parameter_table.h"
#include "ui/text/attention_names.h"
#include "ui/text/symbol_text.h"

#include <QCoreApplication>
#include <QStringList>

#include <iterator>

namespace headlight::ui {

namespace {

using core::Index;
using core::ParameterKind;
using core::ParameterPart;

struct ParameterText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::MatrixName)
};

/// A parameter's name. Symbols in formulas are not translated.
struct Symbol {
    ParameterKind kind;
    const char *words;
};

constexpr Symbol kSymbols[] = {
    {ParameterKind::Query, "W_Q"},
    {ParameterKind::Key, "W_K"},
    {ParameterKind::Value, "W_V"},
    {ParameterKind::Output, "W_O"},
    {ParameterKind::QueryBias, "b_Q"},
    {ParameterKind::KeyBias, "b_K"},
    {ParameterKind::ValueBias, "b_V"},
    {ParameterKind::OutputBias, "b_O"},
    {ParameterKind::QueryNormGain,
     QT_TRANSLATE_NOOP("headlight::ui::MatrixName", "γ of the queries' norm")},
    {ParameterKind::QueryNormBias,
     QT_TRANSLATE_NOOP("headlight::ui::MatrixName", "β of the queries' norm")},
    {ParameterKind::KeyNormGain,
     QT_TRANSLATE_NOOP("headlight::ui::MatrixName", "γ of the keys' norm")},
    {ParameterKind::KeyNormBias,
     QT_TRANSLATE_NOOP("headlight::ui::MatrixName", "β of the keys' norm")},
    {ParameterKind::NormGain,
     QT_TRANSLATE_NOOP("headlight::ui::MatrixName", "γ of the attention's norm")},
    {ParameterKind::NormBias,
     QT_TRANSLATE_NOOP("headlight::ui::MatrixName", "β of the attention's norm")},
    {ParameterKind::OutputNormGain,
     QT_TRANSLATE_NOOP("headlight::ui::MatrixName", "γ of the attention's output norm")},
    {ParameterKind::OutputNormBias,
     QT_TRANSLATE_NOOP("headlight::ui::MatrixName", "β of the attention's output norm")},
    {ParameterKind::Sinks, QT_TRANSLATE_NOOP("headlight::ui::MatrixName", "sinks of the heads")},
    {ParameterKind::PositionKey, "W_Kʳ"},
    {ParameterKind::PositionKeyBias, "b_Kʳ"},
    {ParameterKind::PositionQuery, "W_Qʳ"},
    {ParameterKind::PositionQueryBias, "b_Qʳ"},
    {ParameterKind::QueryCompression, "W_c"},
    {ParameterKind::QueryCompressionBias, "b_c"},
    {ParameterKind::CompressedQueryNormGain,
     QT_TRANSLATE_NOOP("headlight::ui::MatrixName", "γ of the short vectors of queries")},
    {ParameterKind::KeyValueCompression, "W_l"},
    {ParameterKind::KeyValueCompressionBias, "b_l"},
    {ParameterKind::CompressedKeyValueNormGain,
     QT_TRANSLATE_NOOP("headlight::ui::MatrixName", "γ of the short vectors of keys and values")},
    {ParameterKind::SharedKey, "W_Kˢ"},
    {ParameterKind::SharedKeyBias, "b_Kˢ"},
    {ParameterKind::Router, "W_r"},
    {ParameterKind::RouterBias, "b_r"},
    {ParameterKind::Gate, "W_g"},
    {ParameterKind::Hidden, "W_1"},
    {ParameterKind::FeedForwardOutput, "W_2"},
    {ParameterKind::GateBias, "b_g"},
    {ParameterKind::HiddenBias, "b_1"},
    {ParameterKind::FeedForwardOutputBias, "b_2"},
    {ParameterKind::RouterChoiceBias,
     QT_TRANSLATE_NOOP("headlight::ui::MatrixName", "bias of the choice of experts")},
    {ParameterKind::SharedGate,
     QT_TRANSLATE_NOOP("headlight::ui::MatrixName", "W_g of the shared network")},
    {ParameterKind::SharedHidden,
     QT_TRANSLATE_NOOP("headlight::ui::MatrixName", "W_1 of the shared network")},
    {ParameterKind::SharedOutput,
     QT_TRANSLATE_NOOP("headlight::ui::MatrixName", "W_2 of the shared network")},
    {ParameterKind::FeedForwardNormGain,
     QT_TRANSLATE_NOOP("headlight::ui::MatrixName", "γ of the feed-forward norm")},
    {ParameterKind::FeedForwardNormBias,
     QT_TRANSLATE_NOOP("headlight::ui::MatrixName", "β of the feed-forward norm")},
    {ParameterKind::FeedForwardOutputNormGain,
     QT_TRANSLATE_NOOP("headlight::ui::MatrixName", "γ of the feed-forward output norm")},
    {ParameterKind::FeedForwardOutputNormBias,
     QT_TRANSLATE_NOOP("headlight::ui::MatrixName", "β of the feed-forward output norm")},
    {ParameterKind::Embeddings,
     QT_TRANSLATE_NOOP("headlight::ui::MatrixName", "embedding matrix E")},
    {ParameterKind::Positions,
     QT_TRANSLATE_NOOP("headlight::ui::MatrixName", "table of positions")},
    {ParameterKind::TokenTypes,
     QT_TRANSLATE_NOOP("headlight::ui::MatrixName", "table of token types")},
    {ParameterKind::EmbeddingNormGain,
     QT_TRANSLATE_NOOP("headlight::ui::MatrixName", "γ of the embedding norm")},
    {ParameterKind::EmbeddingNormBias,
     QT_TRANSLATE_NOOP("headlight::ui::MatrixName", "β of the embedding norm")},
    {ParameterKind::FrameConvolution, "W_F"},
    {ParameterKind::FrameConvolutionBias, "b_F"},
    {ParameterKind::EmbeddingProjection, "W_E"},
    {ParameterKind::EmbeddingProjectionBias, "b_E"},
    {ParameterKind::PositionBias,
     QT_TRANSLATE_NOOP("headlight::ui::MatrixName", "table of position biases")},
    {ParameterKind::DistanceEmbeddings,
     QT_TRANSLATE_NOOP("headlight::ui::MatrixName", "table of distances")},
    {ParameterKind::DistanceNormGain,
     QT_TRANSLATE_NOOP("headlight::ui::MatrixName", "γ of the norm of distances")},
    {ParameterKind::DistanceNormBias,
     QT_TRANSLATE_NOOP("headlight::ui::MatrixName", "β of the norm of distances")},
    {ParameterKind::FinalNormGain,
     QT_TRANSLATE_NOOP("headlight::ui::MatrixName", "γ of the final norm")},
    {ParameterKind::FinalNormBias,
     QT_TRANSLATE_NOOP("headlight::ui::MatrixName", "β of the final norm")},
    {ParameterKind::PredictionTransform, "W_t"},
    {ParameterKind::PredictionTransformBias, "b_t"},
    {ParameterKind::PredictionNormGain,
     QT_TRANSLATE_NOOP("headlight::ui::MatrixName", "γ of the norm before the logits")},
    {ParameterKind::PredictionNormBias,
     QT_TRANSLATE_NOOP("headlight::ui::MatrixName", "β of the norm before the logits")},
    {ParameterKind::OutputMatrix, "W_U"},
    {ParameterKind::OutputMatrixBias, "b_U"},
    {ParameterKind::Pooler, "W_p"},
    {ParameterKind::PoolerBias, "b_p"},
    {ParameterKind::Classifier, "W_c"},
    {ParameterKind::ClassifierBias, "b_c"},
    {ParameterKind::DistillationClassifier, "W_d"},
    {ParameterKind::DistillationClassifierBias, "b_d"},
    {ParameterKind::Projection, "W_s"},
};

/// True if each kind equals the index of its row, as markedSymbolOf() requires.
constexpr bool isInOrder() {
    for (std::size_t i = 0; i < std::size(kSymbols); ++i)
        if (static_cast<std::size_t>(kSymbols[i].kind) != i)
            return false;
    return static_cast<std::size_t>(ParameterKind::Projection) + 1 == std::size(kSymbols);
}
static_assert(isInOrder(), "a symbol for every kind, in the order of the enumeration");

/// Returns the layers that use this parameter.
std::vector<Index> layersOf(const core::Model &model, const core::ParameterId &id) {
    const core::Stack stack =
        id.stack == core::Stack::Encoder ? core::Stack::Encoder : model.mainStack();
    std::vector<Index> layers;
    for (Index layer = 0; layer < model.layerCount(stack); ++layer)
        if (model.weightsLayer(stack, layer) == id.layer)
            layers.push_back(layer);
    return layers;
}

/// Returns the attention module that the parameter belongs to.
core::AttentionId attentionIdOf(const core::Model &model, const core::ParameterId &id) {
    return {id.layer, id.block,
            id.stack == core::Stack::Encoder ? core::Stack::Encoder : model.mainStack()};
}

} // namespace

QString markedSymbolOf(ParameterKind which) {
    return ParameterText::tr(kSymbols[static_cast<std::size_t>(which)].words);
}

QString symbolOf(ParameterKind which) {
    return plainSymbols(markedSymbolOf(which));
}

QString whereOf(const core::ParameterId &id, const core::Model &model) {
    const ParameterPart part = core::partOf(id.which);
    if (part == ParameterPart::OutputLayer)
        return {};
    QStringList words;
    const core::AttentionId attention = attentionIdOf(model, id);
    const bool ofAttention = part == ParameterPart::Attention;
    // Feed-forward and stack parameters are named by their stack only.
    if (ofAttention ? placesOf(model).size() > 1 : model.hasEncoder())
        words << placeText(ofAttention
                               ? attention
                               : core::AttentionId(0, core::Block::SelfAttention, attention.stack));
    if (!core::isOfLayer(id.which) || model.layerCount(attention.stack) <= 1)
        return words.join(QStringLiteral(", "));
    const std::vector<Index> layers = layersOf(model, id);
    if (layers.size() == 1)
        words << ParameterText::tr("layer %1").arg(layers.front());
    else if (!layers.empty())
        words << ParameterText::tr("layers %1–%2, which share it")
                     .arg(layers.front())
                     .arg(layers.back());
    return words.join(QStringLiteral(", "));
}

} // namespace headlight::ui
