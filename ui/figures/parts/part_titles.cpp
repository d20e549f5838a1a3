#include "ui/figures/parts/part_titles.h"

#include <QCoreApplication>

namespace headlight::ui {

namespace {

struct PartTitlesText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::StageTitles)
};

} // namespace

QString titleOf(const core::Model &model, const ModelPart &part) {
    switch (part.kind) {
    case ModelPart::Kind::Embedding:
        return PartTitlesText::tr("embeddings");
    case ModelPart::Kind::Attention:
        return part.attention.block == core::Block::CrossAttention
                   ? PartTitlesText::tr("cross-attention")
                   : PartTitlesText::tr("self-attention");
    case ModelPart::Kind::FeedForward:
        return PartTitlesText::tr("feed-forward");
    case ModelPart::Kind::Head:
        break;
    }
    switch (model.config.outputLayer.kind) {
    case core::OutputLayerKind::None:
        break;
    case core::OutputLayerKind::Language:
        return model.answersInPlace ? PartTitlesText::tr("answer")
                                    : PartTitlesText::tr("next token");
    case core::OutputLayerKind::MaskedLanguage:
        return PartTitlesText::tr("masked token");
    case core::OutputLayerKind::Classifier:
        return PartTitlesText::tr("class");
    case core::OutputLayerKind::Projection:
        return PartTitlesText::tr("shared space");
    }
    return PartTitlesText::tr("result");
}

} // namespace headlight::ui
