#include "ui/window/start/show/show_meeting.h"

#include "ui/figures/text/text.h"
#include "ui/text/number_text.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headlight::ui {

namespace {

constexpr double kScoreWidth = 140, kMinScore = 44, kMaxScore = 76; // px
constexpr double kScoreText = 36;                                   // px
constexpr double kMaxNumberText = 24;                               // px, in a cell
constexpr double kMaxRowCell = 90, kMaxColumnCell = 40;
constexpr double kMeetingGap = 10, kLabelGap = 16;
constexpr double kScoreEdge = 3;        // px, width of the score's frame
constexpr double kStripScale = 1.5;     // text size of the arithmetic
constexpr double kTextShareOfCell = .8; // largest height of a number, as a share of its cell
constexpr int kScoreDigits = 2, kCellDigits = 2;

/// Returns the largest font in which all numbers fit into the cells.
QFont cellFont(const FigureStyle &style, const QStringList &numbers, const QSizeF &cell) {
    for (double pixels = kMaxNumberText;; --pixels) {
        const QFont font = style.bodyFont(pixels, true);
        const auto fits = [&](const QString &text) {
            return textWidth(text, font) <= cell.width() - style.scaled(4);
        };
        if (font.pixelSize() <= std::max(style.minText, 1) ||
            (font.pixelSize() <= kTextShareOfCell * cell.height() &&
             std::ranges::all_of(numbers, fits)))
            return font;
    }
}

/// Returns the numbers of the vector, with as many decimals as the cells can hold.
QStringList numbersIn(const FigureStyle &style, const std::vector<float> &numbers,
                      const QSizeF &cell) {
    QStringList texts;
    for (int digits = kCellDigits; digits >= 0; --digits) {
        texts.clear();
        double widest = 0;
        for (const float number : numbers) {
            texts << numberText(static_cast<double>(number), digits);
            widest = std::max(widest, textWidth(texts.back(), cellFont(style, {}, {})));
        }
        if (widest <= cell.width() - style.scaled(4))
            break;
    }
    return texts;
}

void paintNumbers(QPainter &painter, const FigureStyle &style, const ShowVector &vector,
                  const std::vector<QRectF> &cells) {
    paintCells(painter, style, vector, cells);
    if (cells.empty())
        return;
    const QStringList texts = numbersIn(style, vector.numbers, cells.front().size());
    const QFont font = cellFont(style, texts, cells.front().size());
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
        const QColor fill = vector.fillOf(cell, style);
        const bool isDark = contrastOf(Qt::white, fill) > contrastOf(Qt::black, fill);
        drawLine(painter, cells[cell], Qt::AlignHCenter, texts[static_cast<qsizetype>(cell)], font,
                 isDark ? Qt::white : Qt::black);
    }
}

} // namespace

ShowMeeting::Place ShowMeeting::place(const FigureStyle &style, const QRectF &area) const {
    Place place;
    const double gap = style.scaled(kMeetingGap);
    // The smallest cell holds a number in the smallest text.
    const double leastHeight = std::max(style.minRow, lineHeight(style.bodyFont(1, true)));
    const double leastWidth = textWidth(QStringLiteral("−0.0"), style.bodyFont(1, true));
    const std::size_t all = std::min(row.numbers.size(), column.numbers.size());
    const double left = area.height() - gap - static_cast<double>(all) * leastHeight;
    place.score =
        QRectF(0, 0, style.scaled(kScoreWidth),
               std::floor(std::clamp(left, style.scaled(kMinScore), style.scaled(kMaxScore))));
    place.score.moveBottomRight(area.bottomRight());
    const double high = place.score.top() - gap - area.top();
    const double wide = place.score.left() - gap - area.left();
    const auto most =
        static_cast<std::size_t>(std::max(1.0, std::min(high / leastHeight, wide / leastWidth)));
    place.numbers.resize(all);
    std::iota(place.numbers.begin(), place.numbers.end(), std::size_t(0));
    if (all > most) {
        std::ranges::stable_sort(place.numbers, std::ranges::greater(), [this](std::size_t number) {
            return std::abs(row.numbers[number] * column.numbers[number]);
        });
        place.numbers.resize(most);
        std::ranges::sort(place.numbers);
    }
    const auto count = static_cast<double>(std::max<std::size_t>(1, place.numbers.size()));
    const QSizeF inRow(std::min(std::floor(wide / count), style.scaled(kMaxRowCell)),
                       place.score.height());
    const QSizeF inColumn(place.score.width(),
                          std::min(std::floor(high / count), style.scaled(kMaxColumnCell)));
    const QPointF corner(place.score.left() - gap - count * inRow.width(),
                         place.score.top() - gap - count * inColumn.height());
    for (std::size_t cell = 0; cell < place.numbers.size(); ++cell) {
        const auto index = static_cast<double>(cell);
        place.row.emplace_back(QPointF(corner.x() + index * inRow.width(), place.score.top()),
                               inRow);
        place.column.emplace_back(
            QPointF(place.score.left(), corner.y() + index * inColumn.height()), inColumn);
    }
    const double purpose = std::ceil(lineHeight(ShowVector::purposeFont(style)));
    const double name = std::ceil(lineHeight(ShowVector::nameFont(style)));
    const double label = style.scaled(kLabelGap);
    const double width = place.score.left() - label - corner.x();
    place.columnPurpose = QRectF(corner.x(), corner.y(), width, purpose);
    place.columnName = QRectF(corner.x(), place.columnPurpose.bottom(), width, name);
    place.rowName = QRectF(corner.x(), place.score.top() - label - name, width, name);
    place.rowPurpose = QRectF(corner.x(), place.rowName.top() - purpose, width, purpose);
    FigureStyle strip = style;
    strip.textScale *= kStripScale;
    const double line = ArithmeticStrip::heightFor(strip);
    place.strip = QRectF(corner.x(), 0, width, line);
    place.strip.moveTop(
        std::floor((place.columnName.bottom() + place.rowPurpose.top() - line) / 2));
    return place;
}

void ShowMeeting::paint(QPainter &painter, const FigureStyle &style, const QRectF &area) const {
    painter.save();
    const Place at = place(style, area);
    const auto shown = [&at](ShowVector vector) {
        std::vector<float> numbers;
        for (const std::size_t number : at.numbers)
            numbers.push_back(vector.numbers[number]);
        vector.numbers = std::move(numbers);
        return vector;
    };
    paintNumbers(painter, style, shown(row), at.row);
    paintNumbers(painter, style, shown(column), at.column);
    const auto paintLabel = [&](const ShowVector &vector, const QRectF &purpose, const QRectF &name,
                                Qt::Alignment alignment) {
        drawLine(painter, purpose, alignment, vector.purpose, ShowVector::purposeFont(style),
                 vector.colour);
        drawLine(painter, name, alignment, vector.name, ShowVector::nameFont(style),
                 style.mutedText);
    };
    paintLabel(row, at.rowPurpose, at.rowName, Qt::AlignLeft);
    paintLabel(column, at.columnPurpose, at.columnName, Qt::AlignRight);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(style.selection, style.scaled(kScoreEdge)));
    painter.drawRect(at.score);
    drawLine(painter, at.score, Qt::AlignHCenter, numberText(score, kScoreDigits),
             style.bodyFont(kScoreText, true), style.text);
    FigureStyle strip = style;
    strip.textScale *= kStripScale;
    arithmetic.paint(painter, at.strip, strip);
    painter.restore();
}

} // namespace headlight::ui
