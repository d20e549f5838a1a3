#include "ui/views/cell_words.h"

#include "ui/document/edits/mask_edits.h"
#include "ui/document/mask_words.h"
#include "ui/figures/number_text.h"
#include "ui/figures/trace_heatmap.h"

#include <QCoreApplication>

namespace headlight::ui {

namespace {

QString tr(const char *text) {
    return QCoreApplication::translate("CellWords", text);
}

QString pairText(core::Stage stage, const QString &query, const QString &key, float value) {
    if (stage == core::Stage::Weights)
        return tr("%1 attends to %2: %3").arg(query, key, fullText(value));
    return tr("%1 of %2 with %3: %4").arg(titleOf(stage), query, key, fullText(value));
}

QString pairWords(const core::Trace &trace, const core::Selection &selection, core::Index row,
                  core::Index column, const QString &query, const QString &key, float value) {
    const core::Mask &mask = trace.mask(selection.sequence);
    const auto hiddenBy = mask.hiddenBy(row, column);
    const bool masked =
        selection.stage == core::Stage::MaskedScores || selection.stage == core::Stage::Weights;
    if (hiddenBy && masked)
        return tr("%1 cannot see %2: %3. Value: %4")
            .arg(query, key, maskReason(trace.input().masks[*hiddenBy]), fullText(value));
    const QString text = pairText(selection.stage, query, key, value);
    const bool byHand = masked && edits::wishOf(trace.input().masks, selection.sequence,
                                                {row, column}) == edits::CellWish::Show;
    return byHand ? tr("%1 (shown by hand)").arg(text) : text;
}

} // namespace

QString cellWords(const core::Trace &trace, const core::Selection &selection, core::Index row,
                  core::Index column) {
    const core::Tensor tensor = tensorOf(trace, selection.stage, selection.layer);
    if (tensor.isNull())
        return {};
    const core::MatrixView matrix = tensor.matrix(selection.sequence, selection.head);
    if (row < 0 || column < 0 || row >= matrix.rows || column >= matrix.columns)
        return {};
    const QStringList tokens = tokensOf(trace, selection.sequence);
    const float value = matrix(row, column);
    if (core::infoOf(selection.stage).overKeys)
        return pairWords(trace, selection, row, column, tokens.value(row), tokens.value(column),
                         value);
    return tr("%1 of %2, dimension %3: %4")
        .arg(titleOf(selection.stage), tokens.value(row))
        .arg(column)
        .arg(fullText(value));
}

} // namespace headlight::ui
