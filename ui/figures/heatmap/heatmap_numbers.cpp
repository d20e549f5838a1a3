// Paints the numbers in the cells of a heatmap. All have the same size and number of decimals.
#include "ui/figures/heatmap/heatmap_painting.h"
#include "ui/figures/text/text.h"
#include "ui/text/cell_numbers.h"

#include <QHash>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

CellRange cellsInSight(const QPainter &painter, const HeatmapGeometry &geometry) {
    const CellRange all{geometry.origin, {geometry.endRow(), geometry.endColumn()}};
    if (isVectorFile(painter))
        return all;
    const QRectF sight = painter.worldTransform().inverted().mapRect(QRectF(painter.viewport()));
    const QRectF seen = sight.intersected(geometry.cells);
    if (seen.isEmpty())
        return {geometry.origin, geometry.origin};
    const auto index = [](double distance, double cell) {
        return static_cast<core::Index>(std::floor(distance / cell));
    };
    const Cell first{
        all.first.row + index(seen.top() - geometry.cells.top(), geometry.cell.height()),
        all.first.column + index(seen.left() - geometry.cells.left(), geometry.cell.width())};
    const Cell last{
        all.first.row + index(seen.bottom() - geometry.cells.top(), geometry.cell.height()),
        all.first.column + index(seen.right() - geometry.cells.left(), geometry.cell.width())};
    return {first,
            {std::min(all.end.row, last.row + 1), std::min(all.end.column, last.column + 1)}};
}

namespace {

constexpr double kShareOfCell = 0.3;       // digits relative to the cell's shorter side
constexpr double kLargeShareOfCell = 0.42; // like kShareOfCell, for digits larger than usual
constexpr int kUsualPixels = 10;           // digits at the usual text size
constexpr int kLargestPixels = 28;         // largest digits at the usual text size
constexpr int kMinPixels = 9;              // smallest digits at any text size
constexpr int kMinBriefPixels = 8;         // smallest digits of the short form
constexpr int kMinSmallPixels = 7;         // smallest digits if all text is reduced
constexpr double kRoomyShare = 0.75; // share of the width that numbers with extra decimals may fill
constexpr double kNumberMargin = 1;  // px on either side, in small cells
constexpr double kDigitHeight = 0.73;       // digit height relative to the type size
constexpr double kSoftened = 0.75;          // share of the text colour for stages not computed yet
constexpr double kFaintShare = 0.5;         // smallest share of the text colour for zeros
constexpr core::Index kMaxMeasured = 4096;  // numbers in the largest matrix that is measured
constexpr core::Index kMaxSearched = 65536; // maximum count of numbers searched for the extremes

/// Measures numbers at a type size of 1 px. Adds up the widths of characters, which is fast for
/// thousands of numbers. Digits are not kerned, so no number is wider than this sum.
class NumberWidths {
  public:
    explicit NumberWidths(QFont font) : m_font(std::move(font)) {
        m_font.setPixelSize(kMeasured);
        for (char digit = '0'; digit <= '9'; ++digit)
            m_digit = std::max(m_digit, of(QString(QLatin1Char(digit))));
    }
    double of(const QString &text) {
        double width = 0;
        for (const QChar c : text) {
            auto known = m_known.constFind(c);
            if (known == m_known.constEnd())
                known = m_known.insert(c, textWidth(QString(c), m_font) / kMeasured);
            width += *known;
        }
        return width;
    }
    /// Returns the width of the longest text in this range. All digits count as the widest one.
    /// This keeps the size of numbers constant if only their last digits change.
    double widestOf(const NumberRange &range, const CellNumbers &form) {
        QStringList texts{form.text(range.low), form.text(range.high), form.text(range.lowPower),
                          form.text(range.highPower)};
        if (form.decimals > 0)
            texts.append(QLatin1Char('.') + QString(form.decimals, QLatin1Char('0')));
        if (range.hasSpecial)
            texts.append({QStringLiteral("−∞"), QStringLiteral("—")});
        double widest = 0;
        for (const QString &text : std::as_const(texts)) {
            double width = 0;
            for (const QChar c : text)
                width += c.isDigit() ? m_digit : of(QString(c));
            widest = std::max(widest, width);
        }
        return widest;
    }

  private:
    static constexpr int kMeasured = 100;
    QFont m_font;
    QHash<QChar, double> m_known;
    double m_digit = 0;
};

struct Number {
    Cell cell;
    QString text;
    double width = 0; ///< at a type size of 1 px
    bool isZero = false;
};

/// Returns the numbers to show and their cells.
std::vector<Number> numbersIn(const CellRange &seen, const HeatmapContent &content,
                              const CellNumbers &form, NumberWidths &widths) {
    const core::SharedMatrix matrix = content.matrix();
    std::vector<Number> numbers;
    for (core::Index r = seen.first.row; r < seen.end.row; ++r) {
        if (content.seesNothing(r)) // paintRowMarks() marks these rows
            continue;
        for (core::Index c = seen.first.column; c < seen.end.column; ++c) {
            const bool has = content.hiddenHaveNumbers || !content.isHidden(r, c);
            if (!has || !content.isComputed(r, c))
                continue;
            const auto value = static_cast<double>(matrix(r, c));
            const QString text = form.text(value);
            numbers.push_back({{r, c}, text, widths.of(text), form.isZero(value)});
        }
    }
    return numbers;
}

/// Returns the extremes of the complete matrix, so that scrolling does not change the decimals. In
/// a very large matrix, searches only the first and the visible numbers.
NumberRange rangeOf(const core::SharedMatrix &matrix, const CellRange &seen) {
    NumberRange range;
    const auto add = [&](const CellRange &cells) {
        for (core::Index r = cells.first.row; r < cells.end.row; ++r)
            for (core::Index c = cells.first.column; c < cells.end.column; ++c)
                range.add(static_cast<double>(matrix(r, c)));
    };
    const core::Index columns = std::min(matrix.columns, kMaxSearched);
    const core::Index rows = columns > 0 ? std::min(matrix.rows, kMaxSearched / columns) : 0;
    add({{0, 0}, {rows, columns}});
    if (seen.end.row > rows || seen.end.column > columns)
        add(seen);
    return range;
}
NumberRange rangeOf(const core::SharedMatrix &matrix) {
    return rangeOf(matrix, {});
}

double marginOf(int pixels) {
    return std::max(kNumberMargin, 0.12 * pixels);
}

/// Returns the largest size from `wished` down to `least` at which the widest number fits. 0 if
/// there is none.
int fittingPixels(int wished, int least, double widest, const QSizeF &cell, const QFont &font) {
    QFont tried = font;
    for (int pixels = wished; pixels >= least; --pixels) {
        tried.setPixelSize(pixels);
        if (lineHeight(tried) <= cell.height() + 1 &&
            pixels * widest <= cell.width() - 2 * marginOf(pixels))
            return pixels;
    }
    return 0;
}

/// Returns the colour of a number. Zeros are faint but readable, so that the other numbers stand
/// out.
QColor textOn(QRgb fill, double fade, bool isZero) {
    return faint(wantsDarkText(fill) ? Qt::black : Qt::white, QColor(fill),
                 isZero     ? kFaintShare
                 : fade < 1 ? kSoftened
                            : 1,
                 kTextContrast);
}

int minPixels(const FigureStyle &style) {
    return std::max(style.minText, style.textScale < 1 ? kMinSmallPixels : kMinBriefPixels);
}

/// True if not even one digit fits. A digit is about half as wide as it is tall.
bool isTooSmall(const QSizeF &cell, const FigureStyle &style) {
    const int least = minPixels(style);
    return cell.height() < std::max<double>(least, style.minRow) ||
           cell.width() < 0.5 * least + 2 * kNumberMargin;
}

/// The form and size of the numbers in cells of one size.
struct FittingForm {
    CellNumbers form;
    int pixels = 0; ///< 0 if the numbers do not fit
    double widest = 0;
};

FittingForm fittingForm(const QSizeF &cell, const HeatmapContent &content, const NumberRange &range,
                        NumberWidths &widths, const FigureStyle &style) {
    if (!content.numbers || content.matrix().empty() || isTooSmall(cell, style))
        return {};
    const QFont font = style.font(FigureStyle::Text::Cell);
    const double share = content.minDigits > 0 ? kLargeShareOfCell : kShareOfCell;
    const int scaled = static_cast<int>(std::lround(share * std::min(cell.height(), cell.width())));
    const int least = std::max(content.minDigits, minPixels(style));
    const int usual = std::max(least, static_cast<int>(style.scaled(kUsualPixels)));
    const int wished =
        std::clamp(scaled, usual, std::max(usual, static_cast<int>(style.scaled(kLargestPixels))));
    const auto fitting = [&](const CellNumbers &form, int most, double shareOfWidth = 1) {
        const double widest = widths.widestOf(range, form);
        const QSizeF room(shareOfWidth * cell.width(), cell.height());
        return FittingForm{form, fittingPixels(most, least, widest, room, font), widest};
    };
    const CellNumbers own = CellNumbers::usual(range);
    const CellNumbers brief = CellNumbers::brief(range);
    if (content.showsSmall)
        for (int decimals = CellNumbers::ofSmall(range).decimals;
             decimals > std::max(own.decimals, CellNumbers::kMaxDecimals); --decimals)
            if (const FittingForm one = fitting({decimals, own.digits}, wished);
                one.pixels >= std::min(kMinPixels, usual))
                return one;
    // Use more decimals than usual only if the digits stay as large and leave part of the cell
    // free.
    for (int decimals = CellNumbers::kMaxDecimals; decimals > own.decimals; --decimals)
        if (const FittingForm one = fitting({decimals, own.digits}, wished, kRoomyShare);
            one.pixels == wished)
            return one;
    for (int decimals = own.decimals; decimals >= brief.decimals; --decimals)
        if (const FittingForm one = fitting({decimals, own.digits}, wished);
            one.pixels >= std::min(kMinPixels, usual))
            return one;
    return fitting(brief, std::min(wished, usual));
}

} // namespace

CellNumbers writtenIn(const QSizeF &cell, const HeatmapContent &content, const FigureStyle &style) {
    NumberWidths widths(style.font(FigureStyle::Text::Cell));
    const NumberRange range = rangeOf(content.matrix());
    const FittingForm found = fittingForm(cell, content, range, widths, style);
    return found.pixels > 0 ? found.form : CellNumbers::usual(range);
}

QSizeF minCellOfNumbers(const HeatmapContent &content, const FigureStyle &style) {
    const core::SharedMatrix matrix = content.matrix();
    if (!content.numbers || matrix.empty() || matrix.rows * matrix.columns > kMaxMeasured)
        return {};
    QFont font = style.font(FigureStyle::Text::Cell);
    const NumberRange range = rangeOf(matrix);
    const double widest = NumberWidths(font).widestOf(range, CellNumbers::brief(range));
    const int least = minPixels(style);
    font.setPixelSize(least);
    return {least * widest + 2 * marginOf(least),
            std::max({double(least), style.minRow, lineHeight(font) - 1})};
}

QSizeF cellOfNumbers(const HeatmapContent &content, const FigureStyle &style, int pixels) {
    QFont font = style.font(FigureStyle::Text::Cell);
    const NumberRange range = rangeOf(content.matrix());
    // One decimal is not enough for weights.
    const bool areWeights = range.low >= -1 && range.high <= 1;
    const CellNumbers form = areWeights ? CellNumbers::usual(range) : CellNumbers::brief(range);
    const double widest = NumberWidths(font).widestOf(range, form);
    font.setPixelSize(pixels);
    return {std::ceil(pixels * widest + 2 * marginOf(pixels)),
            std::ceil(std::max(style.minRow, lineHeight(font)))};
}

bool numbersFit(const QSizeF &cell, const HeatmapContent &content, const FigureStyle &style) {
    if (isTooSmall(cell, style)) // avoids measuring the numbers
        return false;
    const QSizeF least = minCellOfNumbers(content, style);
    return !least.isEmpty() && cell.width() >= least.width() && cell.height() >= least.height();
}

void paintNumbers(QPainter &painter, const HeatmapGeometry &geometry, const HeatmapContent &content,
                  const FigureStyle &style, const QColor &background, double fade) {
    QFont font = style.font(FigureStyle::Text::Cell);
    if (!content.numbers || content.matrix().empty() || isTooSmall(geometry.cell, style))
        return paintHatch(painter, geometry, content, style, background, std::nullopt);
    // Show all visible numbers or none, because a single missing number would seem to mean
    // something.
    const CellRange seen = cellsInSight(painter, geometry);
    NumberWidths widths(font);
    const auto [form, pixels, widest] =
        fittingForm(geometry.cell, content, rangeOf(content.matrix(), seen), widths, style);
    if (pixels == 0)
        return paintHatch(painter, geometry, content, style, background, std::nullopt);
    const std::vector<Number> numbers = numbersIn(seen, content, form, widths);
    font.setPixelSize(pixels);
    paintHatch(painter, geometry, content, style, background,
               QSizeF(pixels * widest, kDigitHeight * pixels));
    const double height = lineHeight(font);
    const core::SharedMatrix matrix = content.matrix();
    const auto fillOf = [&](const Cell &cell) {
        const QRgb own = content.isHidden(cell.row, cell.column)
                             ? style.hidden.rgb()
                             : content.scale.colour(
                                   cell.row, static_cast<double>(matrix(cell.row, cell.column)));
        return fade < 1 ? mixed(QColor(own), background, fade).rgb() : own;
    };
    for (const Number &number : numbers)
        if (content.isHidden(number.cell.row,
                             number.cell.column)) { // clear the diagonal line behind the number
            const QRectF rect = geometry.cellRect(number.cell.row, number.cell.column);
            QRectF box(0, 0, std::min(rect.width() - 3, pixels * number.width + 4),
                       std::min(rect.height() - 3, 0.8 * height));
            box.moveCenter(rect.center());
            painter.fillRect(box, QColor(fillOf(number.cell)));
        }
    ShortLines lines(painter, font);
    for (const Number &number : numbers) {
        const QRectF rect = geometry.cellRect(number.cell.row, number.cell.column);
        lines.draw(rect.adjusted((rect.width() - pixels * number.width) / 2, 0, 0, 0), number.text,
                   content.isHidden(number.cell.row, number.cell.column)
                       ? style.mutedText
                       : textOn(fillOf(number.cell), fade, number.isZero));
    }
}

} // namespace headlight::ui
