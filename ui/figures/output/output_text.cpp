#include "ui/figures/output/output_text.h"

#include "ui/figures/text/text.h"

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

using TextSize = FigureStyle::Text;

constexpr double kChipPadding = 5;
constexpr double kChipGap = 3;
constexpr double kLineGap = 6;

const QString kNext = QStringLiteral("?");

QFont chipFont(const FigureStyle &style) {
    return style.font(TextSize::Body);
}

double chipHeight(const FigureStyle &style) {
    return std::ceil(lineHeight(chipFont(style)) + style.scaled(6));
}

QString chipText(const OutputContent &content, core::Index chip) {
    return chip < std::ssize(content.chips) ? content.chips[static_cast<std::size_t>(chip)].text
                                            : kNext;
}

/// A line of chips. Each x is relative to the line's left end.
struct Line {
    std::vector<OutputTextGeometry::Place> places;
};

std::vector<Line> linesOf(const OutputContent &content, const FigureStyle &style, double width) {
    const QFont font = chipFont(style);
    const double padding = style.scaled(kChipPadding), gap = style.scaled(kChipGap);
    const bool asksBeyond = content.asked >= std::ssize(content.chips);
    const core::Index count = std::ssize(content.chips) + (asksBeyond ? 1 : 0);
    std::vector<Line> lines(1);
    double left = 0;
    for (core::Index chip = 0; chip < count; ++chip) {
        const double wide =
            std::min(width, std::ceil(textWidth(chipText(content, chip), font)) + 2 * padding);
        if (left > 0 && left + wide > width) {
            lines.emplace_back();
            left = 0;
        }
        lines.back().places.push_back({chip, QRectF(left, 0, wide, chipHeight(style))});
        left += wide + gap;
    }
    return lines;
}

/// Returns the first of `shown` lines. The predicted position is visible, and is not in the last
/// visible line if more lines follow.
std::size_t firstLine(const std::vector<Line> &lines, core::Index asked, std::size_t shown) {
    if (lines.size() <= shown)
        return 0;
    std::size_t of = 0;
    for (std::size_t i = 0; i < lines.size(); ++i)
        if (!lines[i].places.empty() && lines[i].places.front().chip <= asked)
            of = i;
    const std::size_t before = shown > 1 ? shown / 2 : 0;
    return std::min(of > before ? of - before : 0, lines.size() - shown);
}

} // namespace

std::optional<core::Index> OutputTextGeometry::chipAt(QPointF point) const {
    for (const Place &place : places)
        if (place.rect.contains(point))
            return place.chip;
    return std::nullopt;
}

double outputTextHeight(const FigureStyle &style, int lines) {
    return lines * chipHeight(style) + (lines - 1) * style.scaled(kLineGap);
}

OutputTextGeometry outputTextGeometry(const OutputContent &content, const FigureStyle &style,
                                      QPointF topLeft, double width, int maxLines) {
    OutputTextGeometry geometry;
    const std::vector<Line> lines = linesOf(content, style, width);
    const std::size_t shown = std::min(lines.size(), static_cast<std::size_t>(maxLines));
    const std::size_t first = firstLine(lines, content.asked, shown);
    const double step = chipHeight(style) + style.scaled(kLineGap);
    for (std::size_t line = 0; line < shown; ++line)
        for (OutputTextGeometry::Place place : lines[first + line].places) {
            place.rect.translate(topLeft.x(),
                                 topLeft.y() + std::round(static_cast<double>(line) * step));
            geometry.places.push_back(place);
        }
    geometry.area =
        QRectF(topLeft, QSizeF(width, outputTextHeight(style, static_cast<int>(shown))));
    geometry.startsLater = first > 0;
    geometry.endsEarlier = first + shown < lines.size();
    return geometry;
}

void paintOutputText(QPainter &painter, const OutputTextGeometry &places,
                     const OutputContent &content, const FigureStyle &style) {
    const QFont font = chipFont(style);
    const double padding = style.scaled(kChipPadding);
    const bool hasAfter = content.about == OutputContent::About::NextToken;
    for (const OutputTextGeometry::Place &place : places.places) {
        const bool isAsked = place.chip == content.asked;
        const bool isAfter = hasAfter && place.chip > content.asked;
        const bool isNext = place.chip >= std::ssize(content.chips);
        const QRectF rect = place.rect.adjusted(0.5, 0.5, -0.5, -0.5);
        QPen frame(isAsked ? style.accent : Qt::transparent, isAsked ? 1.5 : 1);
        if (isNext)
            frame.setStyle(Qt::DashLine);
        painter.setPen(isAsked ? frame : QPen(Qt::NoPen));
        const double share = isAsked ? 0.16 : isAfter ? 0.05 : 0.1;
        painter.setBrush(mixed(isAsked ? style.accent : style.mutedText, style.surface, share));
        painter.drawRoundedRect(rect, 3, 3);
        const QRectF inner = place.rect.adjusted(padding, 0, -padding, 0);
        drawLine(painter, inner, Qt::AlignHCenter, chipText(content, place.chip), font,
                 isAfter ? style.mutedText : style.text);
        if (!isNext && content.chips[static_cast<std::size_t>(place.chip)].isWritten) {
            const double bottom = place.rect.bottom() - style.scaled(2.5);
            painter.setPen(QPen(style.context, style.scaled(2)));
            painter.drawLine(QPointF(inner.left(), bottom), QPointF(inner.right(), bottom));
        }
    }
}

} // namespace headlight::ui
