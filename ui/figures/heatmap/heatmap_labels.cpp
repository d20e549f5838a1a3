// The text around a heatmap's cells: labels, axes, the colour bar, and the message of a missing
// matrix.
#include "ui/figures/base/visible_part.h"
#include "ui/figures/heatmap/column_labels.h"
#include "ui/figures/heatmap/heatmap_painting.h"
#include "ui/figures/text/text.h"

#include <QLinearGradient>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr double kMinColourBar = 24;  // px, only the gradient
constexpr double kBarWordGap = 5;     // px between the gradient and its text
constexpr double kColumnLabelGap = 4; // px between two column labels

/// Paints the label of the selected column, and the other labels that do not touch one another.
void paintUntouchedLabels(QPainter &painter, const HeatmapGeometry &geometry,
                          const HeatmapContent &content, const FigureStyle &style) {
    const auto isSelected = [&](core::Index column) {
        return column == content.selectedColumn && !style.isPaper;
    };
    const auto fontOf = [&](core::Index column) {
        return style.font(FigureStyle::Text::Label, isSelected(column));
    };
    const auto widthOf = [&](core::Index column) {
        return std::ceil(textWidth(content.columnLabels[column], fontOf(column)));
    };
    for (const auto &[column, place] :
         untouchedLabels(geometry, widthOf, content.columnLabels.size(), content.selectedColumn))
        drawLine(painter, place, Qt::AlignHCenter, content.columnLabels[column], fontOf(column),
                 isSelected(column) ? style.text : style.mutedText);
}

} // namespace

std::vector<ColumnLabel> untouchedLabels(const HeatmapGeometry &geometry,
                                         const std::function<double(core::Index)> &widthOf,
                                         core::Index end, std::optional<core::Index> selected) {
    std::vector<ColumnLabel> labels;
    const core::Index begin = geometry.origin.column;
    end = std::min(end, geometry.endColumn());
    const auto placeOf = [&](core::Index column) {
        return geometry.columnLabelOf(column, std::min(widthOf(column), geometry.columnLabelWidth));
    };
    const auto middleOf = [&](core::Index column) {
        return geometry.cellRect(geometry.origin.row, column).center().x();
    };
    QRectF ofSelected;
    if (selected && *selected >= begin && *selected < end) {
        labels.push_back({*selected, placeOf(*selected)});
        ofSelected = labels.front().place.adjusted(-kColumnLabelGap, 0, kColumnLabelGap, 0);
    }
    double free = geometry.cells.left(); // there is no label to the right of this x
    for (core::Index column = begin; column < end; ++column) {
        if (column == selected || middleOf(column) < free)
            continue; // do not measure a label that cannot fit
        const QRectF place = placeOf(column);
        const bool isMoved =
            column != begin && // a label far from its column would seem to name another one
            std::abs(place.center().x() - middleOf(column)) > geometry.cell.width() / 4;
        if (isMoved || place.left() < free || place.intersects(ofSelected))
            continue;
        labels.push_back({column, place});
        free = place.right() + kColumnLabelGap;
    }
    return labels;
}

QString columnAxisText(const HeatmapContent &content) {
    return content.columnAxis + QStringLiteral(" →");
}

void paintLabels(QPainter &painter, const HeatmapGeometry &geometry, const HeatmapContent &content,
                 const FigureStyle &style) {
    // Always show the labels of the selected row or column and those in keptLabels. Omit labels
    // that would touch them. This includes kept labels next to the selected one.
    const auto shown = [&content](core::Index index, core::Index step,
                                  const std::optional<core::Index> &selected) {
        if (selected && std::abs(index - *selected) < step)
            return selected == index;
        for (const core::Index kept : content.keptLabels)
            if (std::abs(index - kept) < step)
                return index == kept;
        return index % step == 0;
    };
    const auto fontOf = [&](bool selected) {
        return style.font(FigureStyle::Text::Label, selected && !style.isPaper);
    };
    const auto colourOfLabel = [&](bool selected) {
        return selected && !style.isPaper ? style.text : style.mutedText;
    };

    for (core::Index r = geometry.origin.row;
         r < std::min<core::Index>(geometry.endRow(), content.rowLabels.size()); ++r)
        if (geometry.rowLabelWidth > 0 && shown(r, geometry.rowLabelStep, content.selectedRow)) {
            const bool selected = content.selectedRow == r;
            const QFont font = fontOf(selected);
            const QRectF place = geometry.rowLabel(r);
            if (!mayBeVisible(painter, place.adjusted(0, -place.height(), 0, place.height())))
                continue; // do not elide a label that is not visible
            drawLine(painter, place, Qt::AlignRight,
                     elidedPair(content.rowLabels[r], font, place.width()), font,
                     colourOfLabel(selected));
        }
    // At the left end, a label is moved into the matrix and may touch the next one.
    QRectF ofSelected, before;
    if (content.selectedColumn && *content.selectedColumn >= geometry.origin.column &&
        *content.selectedColumn < geometry.endColumn() && !geometry.slanted)
        ofSelected = geometry.columnLabel(*content.selectedColumn).adjusted(1, 0, -1, 0);
    const bool thins = geometry.thinsTouchingLabels && geometry.columnLabelWidth > 0;
    if (thins)
        paintUntouchedLabels(painter, geometry, content, style);
    for (core::Index c = geometry.origin.column;
         c < std::min<core::Index>(geometry.endColumn(), content.columnLabels.size()); ++c) {
        if (thins || geometry.columnLabelWidth <= 0 ||
            !shown(c, geometry.columnLabelStep, content.selectedColumn))
            continue;
        const bool selected = content.selectedColumn == c;
        if (!selected && !geometry.columnLabelFits(c))
            continue;
        const QFont font = fontOf(selected);
        if (!geometry.slanted) {
            const QRectF place = geometry.columnLabel(c);
            if (!selected && (place.intersects(ofSelected) || place.intersects(before)))
                continue;
            before = place.adjusted(1, 0, -1, 0);
            drawLine(painter, place, Qt::AlignHCenter, content.columnLabels[c], font,
                     colourOfLabel(selected));
            continue;
        }
        painter.save();
        painter.translate(geometry.columnLabelStart(c));
        painter.rotate(-45);
        drawLine(
            painter,
            QRectF(0, -geometry.lineHeight / 2, geometry.columnLabelWidth, geometry.lineHeight),
            Qt::AlignLeft, content.columnLabels[c], font, colourOfLabel(selected));
        painter.restore();
    }
    const QFont axisFont = style.font(FigureStyle::Text::Label);
    if (!geometry.columnAxis.isEmpty())
        drawLine(painter, geometry.columnAxis, Qt::AlignRight, columnAxisText(content), axisFont,
                 style.mutedText);
    if (!geometry.rowAxis.isEmpty()) {
        const QRectF &axis = geometry.rowAxis;
        painter.save();
        painter.translate(axis.left(), axis.bottom());
        painter.rotate(-90);
        drawLine(painter, QRectF(0, 0, axis.height(), axis.width()), Qt::AlignRight,
                 content.rowAxis, axisFont, style.mutedText);
        painter.restore();
    }
}

void paintColumnGroups(QPainter &painter, const HeatmapGeometry &geometry,
                       const HeatmapContent &content, const FigureStyle &style) {
    const core::Index count = content.columnGroups.size();
    if (count < 2)
        return;
    const core::Index each = content.matrix().columns / count;
    for (core::Index group = 0; group < count; ++group) {
        const core::Index first = std::max(group * each, geometry.origin.column);
        const core::Index end = std::min((group + 1) * each, geometry.endColumn());
        if (first >= end)
            continue;
        const double left = geometry.columnRect(first).left();
        const double right = geometry.columnRect(end - 1).right();
        if (first > geometry.origin.column)
            painter.fillRect(
                QRectF(left - 1, geometry.cells.top(), 1,
                       geometry.cells.height() + (geometry.columnGroups.isEmpty() ? 0 : 5)),
                style.text);
        if (geometry.columnGroups.isEmpty())
            continue;
        const bool selected = group == content.selectedGroup;
        const QFont font = style.font(FigureStyle::Text::Label, selected);
        const QRectF place(left, geometry.columnGroups.top(), right - left,
                           geometry.columnGroups.height());
        const QString &name = content.columnGroups[group];
        const QString number = name.section(QLatin1Char(' '), -1);
        for (const QString &text : {name, number})
            if (textWidth(text, font) <= place.width() - 2) {
                drawLine(painter, place, Qt::AlignHCenter, text, font,
                         selected ? style.text : style.mutedText);
                break;
            }
    }
}

namespace {

/// Returns the width of the gradient. If space is short, the gradient is shortened before the
/// caption is cut.
double barWidth(const QRectF &rect, double low, double high, double caption, double gap) {
    const double left = rect.width() - low - high - caption - 4 * gap;
    return std::clamp(std::min(rect.width() * 0.3, left), kMinColourBar, 120.0);
}

} // namespace

double colourBarWidth(const ColourScale &scale, const FigureStyle &style) {
    const QFont font = style.font(FigureStyle::Text::Label);
    double width = kMinColourBar + 4 * style.scaled(kBarWordGap) + 2;
    for (const QString &words : {scale.lowText(), scale.highText(), scale.rangeText()})
        width += textWidth(words, font);
    return width;
}

double colourBarLength(const QRectF &rect, const ColourScale &scale, const FigureStyle &style) {
    const QFont font = style.font(FigureStyle::Text::Label);
    const double gap = style.scaled(kBarWordGap);
    const double low = textWidth(scale.lowText(), font), high = textWidth(scale.highText(), font);
    return low + 2 * gap + barWidth(rect, low, high, textWidth(scale.rangeText(), font), gap) +
           high;
}

void paintColourBar(QPainter &painter, const QRectF &rect, const ColourScale &scale,
                    const FigureStyle &style, const QString &note) {
    const double more = rect.height();
    if (rect.isEmpty() || !mayBeVisible(painter, rect.adjusted(0, -more, 0, more)))
        return;
    const QFont font = style.font(FigureStyle::Text::Label);
    const double gap = style.scaled(kBarWordGap);
    const QString low = scale.lowText();
    const QString high = scale.highText();
    double x = rect.left();
    const auto write = [&](const QString &text, const QColor &colour) {
        const QRectF place(x, rect.top(), std::max(0.0, rect.right() - x), rect.height());
        drawLine(painter, place, Qt::AlignLeft, text, font, colour);
        x += textWidth(text, font) + gap;
    };
    write(low, style.text);
    const double ends = textWidth(low, font) + textWidth(high, font);
    QString caption =
        note.isEmpty() ? scale.rangeText() : scale.rangeText() + QStringLiteral(" · ") + note;
    const double room = rect.width() - ends - kMinColourBar - 4 * gap;
    caption = firstParts(caption, font, room); // omit parts that do not fit completely
    const double width =
        barWidth(rect, textWidth(low, font), textWidth(high, font), textWidth(caption, font), gap);
    const double height = std::round(rect.height() * 0.55);
    // Round down, because half a pixel more would cut the caption.
    const QRectF bar(std::floor(x), std::round(rect.center().y() - height / 2), std::floor(width),
                     height);
    QLinearGradient gradient(bar.topLeft(), bar.topRight());
    constexpr int kStops = 40; // a multiple of the segments of each interpolated map
    for (int i = 0; i <= kStops; ++i) {
        const double t = static_cast<double>(i) / kStops;
        gradient.setColorAt(t, QColor(scale.colourAt(t)));
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(gradient);
    painter.drawRect(bar);
    painter.setBrush(Qt::NoBrush);
    x = bar.right() + gap;
    write(high, style.text);
    x += gap;
    if (textWidth(caption, font) <= room + 0.5)
        write(caption, style.mutedText);
}

void paintAbsence(QPainter &painter, const QRectF &area, const QString &words,
                  const FigureStyle &style) {
    const QFont font = style.font(FigureStyle::Text::Body);
    QStringList lines;
    for (const QString &word : words.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        const QString longer = lines.isEmpty() ? word : lines.last() + QLatin1Char(' ') + word;
        if (!lines.isEmpty() && textWidth(longer, font) <= area.width())
            lines.last() = longer;
        else
            lines.append(word);
    }
    const double height = lineHeight(font);
    double y = area.center().y() - height * static_cast<double>(lines.size()) / 2;
    for (const QString &line : lines) {
        drawLine(painter, QRectF(area.left(), y, area.width(), height), Qt::AlignHCenter, line,
                 font, style.mutedText);
        y += height;
    }
}

} // namespace headlight::ui
