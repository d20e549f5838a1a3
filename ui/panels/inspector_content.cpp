#include "ui/panels/inspector_content.h"

#include "core/selection/selected.h"
#include "ui/figures/heatmap/trace_heatmap.h"
#include "ui/text/attention_names.h"
#include "ui/text/step_number.h"

#include <QCoreApplication>
#include <QTextDocumentFragment>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

struct InspectorContentText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::Inspector)
};

InspectorContent emptyContent(const QString &headline, const QString &words) {
    InspectorContent content;
    content.headline = headline;
    content.title = headline;
    content.sections.append({{}, words, {}, {}});
    return content;
}

} // namespace

QString InspectorContent::allTerms() const {
    QString text = title + '\n';
    for (const InspectorSection &section : sections) {
        if (!section.heading.isEmpty())
            text += '\n' + QTextDocumentFragment::fromHtml(section.heading).toPlainText() + '\n';
        for (const InspectorLine &line : section.lines) {
            text += line.name + '\t' + line.exact;
            text += line.expression.isEmpty() ? QString() : '\t' + line.expression;
            text += '\n';
        }
        if (!section.series.empty())
            text += section.series.table();
    }
    return text;
}

InspectorLine lineOf(const QString &name, const QString &expression, float value, bool current) {
    return {name, expression, shownNumber(static_cast<double>(value)),
            std::isnan(value) ? shownNumber(static_cast<double>(value))
                              : QString::fromStdString(core::exact(value)),
            current};
}

InspectorLine lineOf(const QString &name, const QString &expression, double value, bool current) {
    return {name, expression, shownNumber(value),
            std::isnan(value) ? shownNumber(value) : QString::number(value, 'g', 12), current};
}

InspectorLine lineOf(const QString &name, const QString &expression, const core::Derivation &cell,
                     core::Quantity quantity) {
    const double value = cell.number(quantity);
    const auto single = static_cast<float>(value);
    return static_cast<double>(single) == value ? lineOf(name, expression, single)
                                                : lineOf(name, expression, value);
}

QStringList placeText(const core::Trace &trace, const core::Selection &selection, bool perHead) {
    QStringList words;
    if (perHead) {
        words << InspectorContentText::tr("head %1").arg(selection.head);
        const QString state =
            stateText(trace.input().interventions.stateOf(selection.attention(), selection.head));
        if (!state.isEmpty())
            words << state;
    }
    const core::Part part = core::infoOf(selection.stage).part;
    if (part == core::Part::Attention) {
        if (const QString where = attentionName(trace.model(), selection.attention());
            !where.isEmpty())
            words << where;
    } else if (part != core::Part::OutputLayer) {
        if (selection.stack != core::Stack::Main)
            words << placeText(core::AttentionId(0, core::Block::SelfAttention, selection.stack));
        const bool inLayer = part == core::Part::Layer || part == core::Part::FeedForward;
        if (inLayer && trace.model().layerCount(selection.stack) > 1)
            words << InspectorContentText::tr("layer %1").arg(selection.layer);
    }
    if (trace.batch().count() > 1)
        words << InspectorContentText::tr("sentence %1 of %2")
                     .arg(stepNumber(selection.sequence))
                     .arg(trace.batch().count());
    return words;
}

QString sharedWords(const core::Trace &trace, const core::Selection &selection) {
    const core::Config config = trace.model().configOf(selection.stack);
    const core::Index each = config.heads / std::max<core::Index>(1, config.groups());
    if (each <= 1)
        return {};
    const core::Index group = config.groupOf(selection.head);
    return InspectorContentText::tr(
               "Head %1 uses key and value head %2, which heads %3 to %4 share.")
        .arg(selection.head)
        .arg(group)
        .arg(group * each)
        .arg(group * each + each - 1);
}

InspectorContent inspect(const core::Trace *trace, const core::Selection &selection,
                         const FigureStyle &style) {
    if (!trace)
        return emptyContent(InspectorContentText::tr("Computing…"), {});
    if (!core::selectedRow(selection))
        return emptyContent(
            InspectorContentText::tr("Click a cell"),
            InspectorContentText::tr(
                "Select a cell in the picture to see how its number is computed, with every term. "
                "The arrow keys go to its neighbours; Esc clears the selection."));
    InspectorContent content = core::infoOf(selection.stage).overKeys()
                                   ? inspectPair(*trace, selection, style)
                                   : inspectVector(*trace, selection, style);
    if (content.isEmpty) // the selection is for a newer trace that is not ready yet
        return emptyContent(InspectorContentText::tr("Computing…"), {});
    return content;
}

} // namespace headlight::ui
