#include "ui/views/cell_text.h"

#include "core/analysis/attention_row_properties.h"
#include "core/operations/dot_product.h"
#include "core/selection/selected.h"
#include "ui/document/edits/mask_edits.h"
#include "ui/figures/heatmap/cell_place.h"
#include "ui/figures/heatmap/compared_heatmap.h"
#include "ui/figures/heatmap/trace_heatmap.h"
#include "ui/text/mask_text.h"
#include "ui/text/number_text.h"
#include "ui/text/token_names.h"

#include <QCoreApplication>

namespace headlight::ui {

namespace {

QString tr(const char *text) {
    return QCoreApplication::translate("CellText", text);
}

/// Returns "set by hand, computed it would be 1.23"; empty if the score is not overridden.
QString handText(const core::Trace &trace, const core::Selection &selection, core::Index row,
                 core::Index column) {
    if (!trace.input().interventions.scoreAt(selection.sequence, selection.attention(),
                                             selection.head, row, column))
        return {};
    const auto at = [&](core::Stage stage) {
        return trace.matrix(stage, selection.attention(), selection.sequence, selection.head);
    };
    const core::SharedMatrix queries = at(core::Stage::Query), keys = at(core::Stage::Key);
    const core::DotProduct computed = core::dotProduct(queries.row(row), keys.row(column));
    return selection.stage == core::Stage::Scores
               ? tr("overridden; computed: %1").arg(fullText(computed.sum))
               : tr("its score is overridden");
}

/// Explains that the attention weights are not used; empty if they are.
QString replacedText(const core::Trace &trace, const core::Selection &selection) {
    if (selection.stage != core::Stage::AttentionWeights ||
        core::weightsMakeContext(trace, selection.attention(), selection.head))
        return {};
    return trace.input().interventions.stateOf(selection.attention(), selection.head) ==
                   core::HeadState::Zero
               ? tr("the head is silenced")
               : tr("the head outputs its mean instead");
}

QString pairText(core::Stage stage, const QString &query, const QString &key, float value) {
    if (stage == core::Stage::AttentionWeights)
        return tr("%1 attends to %2: %3").arg(query, key, fullText(value));
    return tr("%1 of %2 with %3: %4").arg(titleOf(stage), query, key, fullText(value));
}

QString pairText(const core::Trace &trace, const core::Selection &selection, core::Index row,
                 core::Index column, const QString &query, const QString &key, float value) {
    const core::Mask &mask = trace.mask(selection.sequence, selection.attention());
    const auto hiddenBy = mask.hiddenBy(row, column);
    const bool weights = selection.stage == core::Stage::AttentionWeights;
    // A finite mask may leave a hidden key some weight; if all keys are hidden, weights are equal.
    if (hiddenBy && weights &&
        !core::weightingOf(trace, selection.attention(), selection.head).hidesWholly)
        return tr("%1 attends to %2, though hidden (%3): %4")
            .arg(query, key, maskReason(trace.maskLayers(selection.attention())[*hiddenBy]),
                 fullText(value));
    if (hiddenBy && (weights || selection.stage == core::Stage::MaskedScores))
        return tr("%1 cannot see %2 because %3. Value: %4")
            .arg(query, key, maskReason(trace.maskLayers(selection.attention())[*hiddenBy]),
                 fullText(value));
    const QString text = pairText(selection.stage, query, key, value);
    const bool masked = weights || selection.stage == core::Stage::MaskedScores;
    const bool byHand =
        masked && edits::wishOf(trace.input().masksOf(selection.attention()), selection.sequence,
                                {row, column}) == edits::CellMaskEdit::Show;
    return byHand ? tr("%1 (shown by a cell edit)").arg(text) : text;
}

} // namespace

QString cellText(const core::Trace &trace, const core::Selection &selection, core::Index row,
                 core::Index column) {
    const core::MatrixSize matrix = core::sizeAt(trace, selection);
    if (row < 0 || column < 0 || row >= matrix.rows || column >= matrix.columns)
        return {};
    const QString name = rowNameWithId(trace, selection, row);
    const core::Result<float> found = core::valueAt(trace, atCell(selection, row, column));
    if (!found)
        return {};
    const float value = *found;
    const core::StageInfo &info = core::infoOf(selection.stage);
    if (info.overKeys()) {
        const QString words = pairText(trace, selection, row, column, name,
                                       keyNameWithId(trace, selection, column), value);
        QStringList parts{words, handText(trace, selection, row, column),
                          replacedText(trace, selection)};
        parts.removeAll(QString());
        return parts.join(QStringLiteral("; "));
    }
    const QString what = titleOf(selection.stage);
    if (info.columns == core::Columns::Words)
        return tr("%1 at %2, word “%3”: %4")
            .arg(what, name, wordNameWithId(trace.model(), column), fullText(value));
    if (selection.stage == core::Stage::SinkWeights)
        return tr("%1 attends to the head's sink, which is not a token: %2")
            .arg(name, fullText(value));
    if (rowsAreSequences(selection.stage))
        return (info.columns == core::Columns::Classes ? tr("%1 of sentence %2, class %3: %4")
                                                       : tr("%1 of sentence %2, dimension %3: %4"))
            .arg(what, name, QString::number(column), fullText(value));
    if (info.rowsAreDistances())
        return tr("%1 of distance %2, dimension %3: %4")
            .arg(what, name, QString::number(column), fullText(value));
    if (info.overDistances())
        return tr("%1 of %2, distance %3: %4")
            .arg(
                what, name,
                columnNames(trace, selection, core::sizeAt(trace, selection).columns).value(column),
                fullText(value));
    return tr("%1 of %2, dimension %3: %4")
        .arg(what, name, QString::number(column), fullText(value));
}

QString cellText(const core::Trace &trace, const core::Selection &selection,
                 const Compared &compared, core::Index row, core::Index column) {
    if (compared.shown == ComparisonSide::Now)
        return cellText(trace, selection, row, column);
    if (compared.shown == ComparisonSide::A && compared.a && compared.partners) {
        // A has its own rows and columns.
        const QString why = unavailableReason(trace, selection, compared, compared.shown).why;
        return why.isEmpty() ? cellText(*compared.a, inA(compared, selection), row, column) : why;
    }
    const auto both = comparedCell(trace, selection, compared, row, column);
    if (!both) {
        const QString why = unavailableReason(trace, selection, compared, compared.shown).why;
        // A may have cells that the current run does not have.
        return why.isEmpty() && compared.shown == ComparisonSide::A
                   ? cellText(*compared.a, inA(compared, selection), row, column)
                   : why;
    }
    const StageNames names =
        shownNames(trace, selection, compared, core::sizeAt(trace, selection).columns);
    const QString left = names.rows.value(row);
    if (core::infoOf(selection.stage).columns == core::Columns::Dimensions)
        return tr("%1, dimension %2: %3").arg(left, QString::number(column), both->words());
    return tr("%1 → %2: %3").arg(left, names.columns.value(column), both->words());
}

} // namespace headlight::ui
