#include "ui/figures/flow/part_titles.h"

#include <QCoreApplication>

namespace headlight::ui {

namespace {

struct PartTitlesWords {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::StageTitles)
};

} // namespace

QString titleOf(const core::Trace &trace, const FlowPart &part) {
    switch (part.kind) {
    case FlowPart::Kind::Embedding:
        return PartTitlesWords::tr("embeddings");
    case FlowPart::Kind::Attention:
        return part.attention.block == core::Block::CrossAttention
                   ? PartTitlesWords::tr("cross-attention")
                   : PartTitlesWords::tr("self-attention");
    case FlowPart::Kind::FeedForward:
        return PartTitlesWords::tr("feed-forward");
    case FlowPart::Kind::Head:
        break;
    }
    switch (trace.model().config.outputLayer.kind) {
    case core::OutputLayerKind::None:
        break;
    case core::OutputLayerKind::Language:
        return trace.model().answersInPlace ? PartTitlesWords::tr("answer")
                                            : PartTitlesWords::tr("next token");
    case core::OutputLayerKind::MaskedLanguage:
        return PartTitlesWords::tr("masked token");
    case core::OutputLayerKind::Classifier:
        return PartTitlesWords::tr("class");
    }
    return PartTitlesWords::tr("result");
}

} // namespace headlight::ui
