#include "ui/figures/close_up/word_bars.h"

#include "ui/figures/arithmetic/stage_arithmetic.h"
#include "ui/figures/text/text.h"
#include "ui/text/sentences.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headlight::ui {

namespace {

using Text = FigureStyle::Text;

constexpr core::Index kMaxBars = 40;  // no screen shows more
constexpr double kMaxNameShare = 0.5; // relative to the width
constexpr double kBarShare = 0.62;    // relative to the height of a line
constexpr double kBarGap = 10;        // between columns, px before scaling

} // namespace

WordBars WordBars::of(const HeatmapContent &content) {
    const core::SharedMatrix matrix = content.matrix();
    const core::Index real = content.firstPaddingRow > 0 ? content.firstPaddingRow : matrix.rows;
    const auto row = std::clamp<core::Index>(content.selectedRow.value_or(real - 1), 0,
                                             std::max<core::Index>(0, matrix.rows - 1));
    const std::span<const float> numbers =
        matrix.empty() ? std::span<const float>() : matrix.row(row);
    return ofRow(numbers, row, content.rowLabels.value(row), content.selectedColumn,
                 content.titleColour,
                 [&](core::Index column) { return content.columnLabels.value(column); });
}

WordBars WordBars::ofRow(std::span<const float> numbers, core::Index row, const QString &rowName,
                         std::optional<core::Index> selected, const QColor &colour,
                         const std::function<QString(core::Index)> &nameOf) {
    WordBars bars;
    bars.m_row = row;
    bars.m_rowName = rowName;
    bars.m_selected = selected;
    bars.m_words = std::ssize(numbers);
    bars.m_colour = colour;
    if (numbers.empty())
        return bars;
    const auto valueOf = [&](core::Index column) {
        return numbers[static_cast<std::size_t>(column)];
    };
    std::vector<core::Index> order(numbers.size());
    std::iota(order.begin(), order.end(), core::Index(0));
    const auto isLarger = [&](core::Index a, core::Index b) {
        const float first = valueOf(a), second = valueOf(b);
        if (std::isnan(first) || std::isnan(second)) // NaN last
            return std::isnan(second) && !std::isnan(first);
        return first != second ? first > second : a < b;
    };
    const auto count = std::min(bars.m_words, kMaxBars);
    std::partial_sort(order.begin(), order.begin() + count, order.end(), isLarger);
    order.resize(static_cast<std::size_t>(count));
    if (selected && *selected < bars.m_words && std::ranges::find(order, *selected) == order.end())
        order.push_back(*selected);
    for (const core::Index column : order)
        bars.m_bars.push_back({column, valueOf(column), nameOf(column), termText(valueOf(column))});
    return bars;
}

QString WordBars::title() const {
    return m_rowName.isEmpty() ? tr("largest first") : tr("row “%1”, largest first").arg(m_rowName);
}

WordBars::Places WordBars::places(const QRectF &area, const FigureStyle &style) const {
    Places places;
    const QFont body = style.font(Text::Body);
    const double line = std::ceil(lineHeight(body) + style.scaled(4)), gap = style.scaled(kBarGap);
    places.title = QRectF(area.left(), area.top(), area.width(), line);
    const auto fitting = static_cast<std::size_t>(
        std::max(0.0, std::floor((area.height() - line - style.scaled(4)) / line)));
    std::vector<std::size_t> shown;
    for (std::size_t i = 0; i < std::min(fitting, m_bars.size()); ++i)
        shown.push_back(i);
    // The selected word is on the last line if it is not among the largest.
    const auto selected = std::ranges::find(m_bars, m_selected.value_or(-1), &Bar::column);
    if (selected != m_bars.end() && !shown.empty() &&
        static_cast<std::size_t>(selected - m_bars.begin()) >= shown.size())
        shown.back() = static_cast<std::size_t>(selected - m_bars.begin());
    double name = 0, number = 0, least = 0, most = 0;
    for (const std::size_t i : shown) {
        name = std::max(name, std::ceil(textWidth(m_bars[i].name, body)));
        number = std::max(number, std::ceil(textWidth(m_bars[i].number, body)));
        if (std::isfinite(m_bars[i].value)) {
            least = std::min(least, double(m_bars[i].value));
            most = std::max(most, double(m_bars[i].value));
        }
    }
    name = std::min(name, kMaxNameShare * area.width());
    const double left = area.left() + name + gap, right = area.right() - number - gap;
    const double scale = most > least ? std::max(0.0, right - left) / (most - least) : 0;
    places.zero = left - least * scale;
    double y = area.top() + line + style.scaled(4);
    for (const std::size_t i : shown) {
        Row row;
        row.cell = {m_row, m_bars[i].column};
        row.rect = QRectF(area.left(), y, area.width(), line);
        row.name = QRectF(area.left(), y, name, line);
        row.number = QRectF(area.right() - number, y, number, line);
        const double length = std::isfinite(m_bars[i].value) ? scale * double(m_bars[i].value) : 0;
        const double thick = std::round(kBarShare * line);
        row.bar = QRectF(places.zero + std::min(0.0, length), y + std::round((line - thick) / 2),
                         std::abs(length), thick);
        places.rows.push_back(row);
        y += line;
    }
    return places;
}

std::optional<std::size_t> WordBars::Places::rowAt(QPointF point) const {
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i].rect.contains(point))
            return i;
    return std::nullopt;
}

void WordBars::paint(QPainter &painter, const Places &places, const FigureStyle &style) const {
    const QFont body = style.font(Text::Body), bold = style.font(Text::Body, true);
    drawLine(painter, places.title, Qt::AlignLeft, title(), body, style.mutedText);
    for (const Row &row : places.rows) {
        const auto bar = std::ranges::find(m_bars, row.cell.column, &Bar::column);
        const bool isSelected = m_selected == row.cell.column;
        painter.setPen(Qt::NoPen);
        painter.setBrush(faint(m_colour, style.surface, 0.62));
        painter.drawRect(row.bar);
        painter.setBrush(Qt::NoBrush);
        if (isSelected) {
            painter.setPen(QPen(style.selection, 1.5));
            painter.drawRoundedRect(row.rect.adjusted(-3, 1, 3, -1), 3, 3);
        }
        drawLine(painter, row.name, Qt::AlignRight, bar->name, isSelected ? bold : body, style.text,
                 Qt::ElideMiddle);
        drawLine(painter, row.number, Qt::AlignRight, bar->number, body, style.text);
    }
    if (!places.rows.empty()) {
        painter.setPen(QPen(style.border, 1));
        const double x = std::round(places.zero) + 0.5;
        painter.drawLine(QPointF(x, places.rows.front().rect.top()),
                         QPointF(x, places.rows.back().rect.bottom()));
    }
}

QString WordBars::description() const {
    QStringList words;
    for (const Bar &bar : m_bars)
        if (words.size() < 5)
            words << bar.name + QLatin1Char(' ') + bar.number;
    return labelled(title(), words.join(QStringLiteral(", ")));
}

} // namespace headlight::ui
