// The stack behind a matrix of the flow: the same matrix of other heads or sequences. Selects which
// one is in front and which is next.
#include "ui/figures/flow/flow_figure.h"
#include "ui/figures/heatmap/trace_heatmap.h"

#include <algorithm>
#include <ranges>

namespace headlight::ui {

void FlowFigure::paintStack(QPainter &painter, const FlowGeometry &geometry,
                            core::StageId at) const {
    painter.setBrush(m_style.surface);
    for (const FlowStack &stack : geometry.stacks) {
        if (stack.at != at)
            continue;
        const bool isCard = stack.front == geometry.card;
        painter.setPen(QPen(mixed(m_style.mutedText, m_style.background, isCard ? 0.35 : 0.5), 1));
        for (const QRectF &sheet : stack.behind | std::views::reverse)
            if (isCard)
                painter.drawRoundedRect(sheet.adjusted(0.75, 0.75, -0.75, -0.75), 8, 8);
            else
                painter.drawRect(sheet.adjusted(0.5, 0.5, 0.5, 0.5));
    }
    painter.setBrush(Qt::NoBrush);
}

void FlowFigure::placeStacks(FlowGeometry &geometry) const {
    constexpr core::Index kMaxSheetsBehind = 2;
    const auto add = [&](core::StageId at, core::Index count, const QRectF &front, QPointF step) {
        FlowStack stack{at, front, {}};
        for (core::Index i = 1; i <= std::min(count - 1, kMaxSheetsBehind); ++i)
            stack.behind.push_back(front.translated(step * static_cast<double>(i)));
        if (!stack.behind.empty())
            geometry.stacks.push_back(std::move(stack));
    };
    for (const Part &part : m_parts) {
        const core::Index count = part.heads > 1 ? part.heads : part.sequences;
        if (const FlowNode *node = geometry.node(part.at))
            add(part.at, count, node->matrix, {3, 3});
        else if (!m_style.isPaper) // paper has no cards
            add(part.at, count, geometry.card, {4, -4});
        // A batch shares one parameter matrix. If its rows are split into heads, it contains all
        // heads.
        const FlowNode *learned = geometry.learnedOf(part.at);
        if (learned && part.heads > 1 && part.learned->matrix.headsOfRows == 1)
            add(part.at, part.heads, learned->matrix, {3, 3});
    }
}

core::Selection FlowFigure::turned(const core::Selection &selection, core::StageId at) const {
    core::Selection next = selection;
    const Part *part = this->part(at);
    if (part && part->heads > 1) {
        next.head = (selection.head / part->sharing + 1) % part->heads * part->sharing;
    } else if (part && part->sequences > 1) {
        next.sequence = (selection.sequence + 1) % part->sequences;
        next.query.reset();
        next.key.reset();
    }
    return next;
}

QString FlowFigure::wordsOfTurn(const core::Selection &selection, core::StageId at) const {
    const Part *part = this->part(at);
    const core::Selection next = turned(selection, at);
    if (!part || next == selection)
        return {};
    return part->heads > 1 ? tr("Click to bring head %1 of %2 to the front")
                                 .arg(next.head / part->sharing)
                                 .arg(part->heads)
                           : tr("Click to bring sequence %1 of %2 to the front")
                                 .arg(next.sequence)
                                 .arg(part->sequences);
}

QStringList FlowFigure::shapeChoices(const Part &part) const {
    const QString shape = shapeText(part.rows(), part.columns());
    QStringList choices;
    if (part.heads > 1)
        choices << tr("%1 · head %2 of %3").arg(shape).arg(m_head / part.sharing).arg(part.heads);
    if (part.heads == 1 && part.sequences > 1) {
        const QString sizes =
            QStringLiteral("(%1, %2, %3)").arg(part.sequences).arg(part.rows()).arg(part.columns());
        if (!core::infoOf(part.at.stage).overKeys())
            choices << QStringLiteral("(B, T, C) = ") + sizes;
        choices << sizes;
    }
    return choices << shape;
}

QString FlowFigure::matrixShapeText(const Part &part, double width) const {
    const QFont font = m_style.font(FigureStyle::Text::Label);
    const QStringList choices = shapeChoices(part); // the longest that fits
    for (const QString &choice : choices)
        if (textWidth(choice, font) <= width)
            return choice;
    return choices.last();
}

} // namespace headlight::ui
