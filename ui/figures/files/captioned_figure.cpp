#include "ui/figures/files/captioned_figure.h"

#include "ui/figures/base/card.h"
#include "ui/figures/base/spacing.h"
#include "ui/figures/text/text.h"

#include <algorithm>

namespace headlight::ui {

namespace {

constexpr double kLargestShare = 1.0 / 3;

QStringList wrapped(const QString &paragraph, const QFont &font, double width) {
    QStringList lines;
    QString line;
    for (const QString &word : paragraph.split(' ', Qt::SkipEmptyParts)) {
        const QString longer = line.isEmpty() ? word : line + ' ' + word;
        if (!line.isEmpty() && textWidth(longer, font) > width) {
            lines << line;
            line = word;
        } else {
            line = longer;
        }
    }
    return lines << line;
}

} // namespace

CaptionedFigure::CaptionedFigure(std::unique_ptr<Figure> figure, QString caption,
                                 const FigureStyle &style)
    : m_figure(std::move(figure)), m_caption(std::move(caption)), m_style(style) {}

QFont CaptionedFigure::font() const {
    return m_style.font(FigureStyle::Text::Label);
}

QStringList CaptionedFigure::lines(double width) const {
    QStringList all;
    for (const QString &paragraph : m_caption.split('\n'))
        all += wrapped(paragraph, font(), width);
    return all;
}

double CaptionedFigure::textHeight(qsizetype lineCount) const {
    return static_cast<double>(lineCount) * lineHeight(font()) + kFigureMargin;
}

QSizeF CaptionedFigure::naturalSize() const {
    const QSizeF inner = m_figure->naturalSize();
    const double text = textHeight(lines(inner.width() - 2 * kFigureMargin).size());
    return {inner.width(), std::ceil(inner.height() + text)};
}

QSizeF CaptionedFigure::minimumSize() const {
    const QSizeF inner = m_figure->minimumSize();
    const double text = textHeight(lines(inner.width() - 2 * kFigureMargin).size());
    return {inner.width(),
            std::ceil(std::min(inner.height() + text, inner.height() / (1 - kLargestShare)))};
}

double CaptionedFigure::heightFor(double width) const {
    const double inner = m_figure->heightFor(width);
    const double text = textHeight(lines(width - 2 * kFigureMargin).size());
    // Text that exceeds the maximum share ends in an ellipsis.
    return std::ceil(std::min(inner + text, inner / (1 - kLargestShare)));
}

void CaptionedFigure::paint(QPainter &painter, const QRectF &area, Device device) const {
    const double line = lineHeight(font());
    QStringList shown = lines(area.width() - 2 * kFigureMargin);
    const auto available = static_cast<qsizetype>(
        std::max(1.0, (area.height() * kLargestShare - kFigureMargin) / line));
    if (shown.size() > available) {
        // Join the remaining lines. The result is too wide, so drawLine() elides it.
        const QString rest = shown.mid(available - 1).join(' ');
        shown = shown.first(available - 1) << rest;
    }
    const double height = textHeight(shown.size());
    paintBackground(painter, area, m_style.background, m_style);
    m_figure->paint(painter, area.adjusted(0, 0, 0, -height), device);
    // The caption overlaps the figure's margin, so that it is close to the content.
    QRectF place(area.left() + kFigureMargin, area.bottom() - height,
                 area.width() - 2 * kFigureMargin, line);
    for (const QString &text : shown) {
        drawLine(painter, place, Qt::AlignLeft, text, font(), m_style.mutedText);
        place.translate(0, line);
    }
}

QString CaptionedFigure::description() const {
    return m_figure->description() + ' ' + m_caption;
}

std::unique_ptr<Figure> captioned(std::unique_ptr<Figure> figure, const QString &caption,
                                  const FigureStyle &style) {
    if (!figure || caption.trimmed().isEmpty())
        return figure;
    return std::make_unique<CaptionedFigure>(std::move(figure), caption.trimmed(), style);
}

} // namespace headlight::ui
