#include "ui/figures/close_up/attention_lines.h"

#include "ui/figures/text/text.h"
#include "ui/text/number_text.h"

#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr double kMinWeight = 0.01;  // smallest weight that is drawn
constexpr double kThinnest = 0.75;   // px
constexpr double kThickest = 6;      // px, for weight 1
constexpr double kPalest = 0.15;     // smallest colour share; larger if the contrast needs it
constexpr double kBeside = 5;        // px between a line's end and a word
constexpr double kWidestWords = 110; // px, at the usual text size

} // namespace

AttentionLines::AttentionLines(HeatmapContent weights, const FigureStyle &style)
    : m_weights(std::move(weights)), m_style(style), m_linesWidth(style.scaled(90)) {
    const QFont bold = style.font(FigureStyle::Text::Label, true);
    for (const QString &word : m_weights.columnLabels)
        m_wordsWidth = std::max(m_wordsWidth, std::ceil(textWidth(word, bold)) + 1);
    m_wordsWidth = std::min(m_wordsWidth, style.scaled(kWidestWords)) + kBeside;
}

QRectF AttentionLines::wordPlace(const HeatmapGeometry &matrix, core::Index key) const {
    const auto count = static_cast<double>(std::max<core::Index>(1, m_weights.matrix().columns));
    const double each = matrix.cells.height() / count;
    const double y = matrix.cells.top() + (static_cast<double>(key) + 0.5) * each;
    return {matrix.lines.left() + m_linesWidth + kBeside, y - matrix.lineHeight / 2,
            m_wordsWidth - kBeside, matrix.lineHeight};
}

std::vector<AttentionLines::Line> AttentionLines::lines(const HeatmapGeometry &matrix,
                                                        std::optional<core::Index> selected) const {
    const core::SharedMatrix weights = m_weights.matrix();
    std::vector<Line> lines;
    const core::Index end = std::min(matrix.endRow(), weights.rows);
    for (core::Index row = matrix.origin.row; row < end; ++row) {
        if ((selected && row != *selected) || !m_weights.isComputed(row, 0))
            continue;
        for (core::Index key = 0; key < weights.columns; ++key) {
            const auto weight = static_cast<double>(weights(row, key));
            if (!(weight >= kMinWeight) || m_weights.isHidden(row, key))
                continue;
            const double share = std::min(weight, 1.0);
            const QRectF word = wordPlace(matrix, key);
            lines.push_back({row,
                             key,
                             weight,
                             {matrix.lines.left() + 2, matrix.rowRect(row).center().y()},
                             {word.left() - kBeside + 1, word.center().y()},
                             kThinnest + (kThickest - kThinnest) * share});
        }
    }
    std::ranges::stable_sort(lines, {}, &Line::width);
    return lines;
}

QString AttentionLines::description(std::optional<core::Index> selected) const {
    const core::SharedMatrix weights = m_weights.matrix();
    if (!selected || *selected >= weights.rows)
        return {};
    std::vector<core::Index> keys;
    for (core::Index key = 0; key < weights.columns; ++key)
        if (weights(*selected, key) >= static_cast<float>(kMinWeight))
            keys.push_back(key);
    std::ranges::stable_sort(keys, std::greater<>(),
                             [&](core::Index key) { return weights(*selected, key); });
    QStringList parts;
    for (const core::Index key : keys)
        parts << QStringLiteral("%1 %2").arg(
            m_weights.columnLabels.value(key),
            numberText(static_cast<double>(weights(*selected, key)), 2));
    return tr("%1 attends to %2")
        .arg(m_weights.rowLabels.value(*selected), parts.join(QStringLiteral(", ")));
}

void AttentionLines::paint(QPainter &painter, const HeatmapGeometry &matrix,
                           std::optional<core::Index> selected,
                           std::optional<core::Index> selectedKey) const {
    if (matrix.lines.isEmpty())
        return;
    const QColor colour = m_style.colourOf(core::Role::Context);
    painter.setBrush(Qt::NoBrush);
    for (const Line &line : lines(matrix, selected)) {
        // Mix colours instead of using transparency, which vector formats render inconsistently.
        const double share = kPalest + (1 - kPalest) * std::sqrt(std::min(line.weight, 1.0));
        QPen pen(faint(colour, m_style.surface, share), line.width);
        pen.setCapStyle(Qt::FlatCap);
        painter.setPen(pen);
        QPainterPath path(line.from);
        const double middle = (line.from.x() + line.to.x()) / 2;
        path.cubicTo({middle, line.from.y()}, {middle, line.to.y()}, line.to);
        painter.drawPath(path);
    }
    const core::Index count = m_weights.matrix().columns;
    const double each =
        matrix.cells.height() / static_cast<double>(std::max<core::Index>(1, count));
    const auto step = static_cast<core::Index>(
        std::max(1.0, std::ceil(0.95 * matrix.lineHeight / std::max(each, 0.01))));
    for (core::Index key = 0; key < std::min<core::Index>(count, m_weights.columnLabels.size());
         ++key) {
        const bool isSelected = selectedKey == key;
        const bool isNear = selectedKey && std::abs(key - *selectedKey) < step;
        if (!isSelected && (key % step != 0 || isNear))
            continue;
        drawLine(painter, wordPlace(matrix, key), Qt::AlignLeft, m_weights.columnLabels[key],
                 m_style.font(FigureStyle::Text::Label, isSelected),
                 isSelected ? m_style.text : m_style.mutedText);
    }
}

} // namespace headlight::ui
