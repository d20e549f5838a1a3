// The numbers in the cells of a heatmap. All have the same size and number of digits.
#include "ui/figures/heatmap/heatmap_painting.h"
#include "ui/figures/text/text.h"
#include "ui/text/number_text.h"

#include <QHash>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr double kShareOfCell = 0.3;        // digits relative to the cell's height, if they fit
constexpr double kLargeShareOfCell = 0.42;  // the same where digits are larger than usual
constexpr int kUsualPixels = 10;            // digits at the usual text size
constexpr int kLargestPixels = 28;          // largest digits at the usual text size
constexpr int kMinPixels = 9;               // smallest digits, however large the text
constexpr int kMinBriefPixels = 8;          // smallest digits of the short form
constexpr int kMinSmallPixels = 7;          // smallest digits if all text is reduced
constexpr double kNumberMargin = 1;         // px on either side, in small cells
constexpr double kDigitHeight = 0.73;       // digit height relative to the type size
constexpr double kSoftened = 0.75;          // share of the text colour for stages not computed yet
constexpr double kReadable = 4.5;           // contrast
constexpr core::Index kMaxMeasured = 4096;  // numbers measured for a size requested in advance
constexpr core::Index kMaxSampled = 512;    // numbers measured besides the largest
constexpr core::Index kMaxSearched = 65536; // numbers among which the largest are measured too

struct CellRange {
    Cell first, end; // first cell after the range
};

/// Returns the visible cells; in a vector file all cells.
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

/// Measures numbers at a type size of 1 px. It adds the widths of characters, which is fast for
/// thousands of numbers. Digits are not kerned, so no number is wider.
class NumberWidths {
  public:
    explicit NumberWidths(QFont font) : m_font(std::move(font)) { m_font.setPixelSize(kMeasured); }
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

  private:
    static constexpr int kMeasured = 100;
    QFont m_font;
    QHash<QChar, double> m_known;
};

struct Number {
    Cell cell;
    QString text;
    double width = 0; ///< at a type size of 1 px
};

/// The numbers of the cells in one form, and the largest width, including numbers that are not
/// shown.
struct Numbers {
    std::vector<Number> shown;
    double widest = 0;
};

Numbers numbersIn(const CellRange &seen, const HeatmapContent &content, QString (*textOf)(double),
                  const QFont &font) {
    const core::SharedMatrix matrix = content.matrix();
    NumberWidths widths(font);
    Numbers numbers;
    for (core::Index r = seen.first.row; r < seen.end.row; ++r) {
        const bool isEmpty = content.seesNothing(r); // described in words
        for (core::Index c = seen.first.column; c < seen.end.column; ++c) {
            Number number{{r, c}, textOf(static_cast<double>(matrix(r, c))), 0};
            number.width = widths.of(number.text);
            numbers.widest = std::max(numbers.widest, number.width);
            const bool has = content.hiddenHaveNumbers || !content.isHidden(r, c);
            if (has && !isEmpty && content.isComputed(r, c)) // other cells show no number
                numbers.shown.push_back(std::move(number));
        }
    }
    return numbers;
}

double marginOf(int pixels) {
    return std::max(kNumberMargin, 0.12 * pixels);
}

/// Returns the largest size from `wished` down to `least` at which the widest number fits; 0 if
/// none fits.
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

QColor textOn(QRgb fill, double fade) {
    const QColor text = wantsDarkText(fill) ? Qt::black : Qt::white;
    const QColor soft = fade < 1 ? mixed(text, QColor(fill), kSoftened) : text;
    return contrastOf(soft, QColor(fill)) >= kReadable ? soft : text;
}

int minPixels(const FigureStyle &style) {
    return style.textScale < 1 ? kMinSmallPixels : kMinBriefPixels;
}

/// True if not even one digit fits. A digit is about half as wide as high.
bool isTooSmall(const QSizeF &cell, const FigureStyle &style) {
    const int least = minPixels(style);
    return cell.height() < least || cell.width() < 0.5 * least + 2 * kNumberMargin;
}

/// The numbers to paint and their size; 0 px if they do not fit.
struct FittingNumbers {
    Numbers numbers;
    int pixels = 0;
};

FittingNumbers fittingNumbers(const QPainter &painter, const HeatmapGeometry &geometry,
                              const HeatmapContent &content, const FigureStyle &style,
                              const QFont &font) {
    const QSizeF cell = geometry.cell;
    const double share = content.minDigits > 0 ? kLargeShareOfCell : kShareOfCell;
    const int scaled = static_cast<int>(std::lround(share * std::min(cell.height(), cell.width())));
    const int least = content.minDigits > 0 ? content.minDigits : minPixels(style);
    const int usual = std::max(least, static_cast<int>(style.scaled(kUsualPixels)));
    const int wished =
        std::clamp(scaled, usual, std::max(usual, static_cast<int>(style.scaled(kLargestPixels))));
    if (!content.numbers || content.matrix().empty() || isTooSmall(cell, style))
        return {};
    // Show all visible numbers or none, because single missing numbers would look meaningful.
    const CellRange seen = cellsInSight(painter, geometry);
    FittingNumbers fitting{numbersIn(seen, content, cellText, font), 0};
    fitting.pixels = fittingPixels(wished, least, fitting.numbers.widest, cell, font);
    if (fitting.pixels < std::min(kMinPixels, usual)) {
        fitting.numbers = numbersIn(seen, content, briefCellText, font);
        fitting.pixels =
            fittingPixels(std::min(wished, usual), least, fitting.numbers.widest, cell, font);
    }
    return fitting;
}

} // namespace

QSizeF minCellOfNumbers(const HeatmapContent &content, const FigureStyle &style) {
    const core::SharedMatrix matrix = content.matrix();
    if (!content.numbers || matrix.empty() || matrix.rows * matrix.columns > kMaxMeasured)
        return {};
    QFont font = style.font(FigureStyle::Text::Cell);
    const CellRange all{{0, 0}, {matrix.rows, matrix.columns}};
    const double widest = numbersIn(all, content, briefCellText, font).widest;
    const int least = minPixels(style);
    font.setPixelSize(least);
    return {least * widest + 2 * marginOf(least), std::max<double>(least, lineHeight(font) - 1)};
}

QSizeF cellOfNumbers(const HeatmapContent &content, const FigureStyle &style, int pixels) {
    const core::SharedMatrix matrix = content.matrix();
    NumberWidths widths(style.font(FigureStyle::Text::Cell));
    double brief = 0, usual = 0, low = 0, high = 0;
    const core::Index columns = std::min(matrix.columns, kMaxMeasured);
    const core::Index rows = columns > 0 ? std::min(matrix.rows, 1 + kMaxSearched / columns) : 0;
    const auto measure = [&](double number) {
        brief = std::max(brief, widths.of(briefCellText(number)));
        usual = std::max(usual, widths.of(cellText(number)));
    };
    for (core::Index r = 0; r < rows; ++r)
        for (core::Index c = 0; c < columns; ++c) {
            const auto number = static_cast<double>(matrix(r, c));
            if (r * columns + c < kMaxSampled)
                measure(number);
            if (std::isfinite(number)) {
                low = std::min(low, number);
                high = std::max(high, number);
            }
        }
    measure(low);
    measure(high);
    // One decimal says too little about weights.
    const double widest = low >= -1 && high <= 1 ? usual : brief;
    QFont font = style.font(FigureStyle::Text::Cell);
    font.setPixelSize(pixels);
    return {std::ceil(pixels * widest + 2 * marginOf(pixels)), std::ceil(lineHeight(font))};
}

bool numbersFit(const QSizeF &cell, const HeatmapContent &content, const FigureStyle &style) {
    if (isTooSmall(cell, style)) // without measuring
        return false;
    const QSizeF least = minCellOfNumbers(content, style);
    return !least.isEmpty() && cell.width() >= least.width() && cell.height() >= least.height();
}

void paintNumbers(QPainter &painter, const HeatmapGeometry &geometry, const HeatmapContent &content,
                  const FigureStyle &style, const QColor &background, double fade) {
    QFont font = style.font(FigureStyle::Text::Cell);
    const auto [numbers, pixels] = fittingNumbers(painter, geometry, content, style, font);
    if (pixels == 0)
        return paintHatch(painter, geometry, content, style, background, std::nullopt);
    font.setPixelSize(pixels);
    paintHatch(painter, geometry, content, style, background,
               QSizeF(pixels * numbers.widest, kDigitHeight * pixels));
    const double height = lineHeight(font);
    const core::SharedMatrix matrix = content.matrix();
    const auto fillOf = [&](const Cell &cell) {
        const QRgb own = content.isHidden(cell.row, cell.column)
                             ? style.hidden.rgb()
                             : content.scale.colour(
                                   cell.row, static_cast<double>(matrix(cell.row, cell.column)));
        return fade < 1 ? mixed(QColor(own), background, fade).rgb() : own;
    };
    for (const Number &number : numbers.shown)
        if (content.isHidden(number.cell.row,
                             number.cell.column)) { // leave the diagonal stroke free
            const QRectF rect = geometry.cellRect(number.cell.row, number.cell.column);
            QRectF box(0, 0, std::min(rect.width() - 3, pixels * number.width + 4),
                       std::min(rect.height() - 3, 0.8 * height));
            box.moveCenter(rect.center());
            painter.fillRect(box, QColor(fillOf(number.cell)));
        }
    ShortLines lines(painter, font);
    for (const Number &number : numbers.shown) {
        const QRectF rect = geometry.cellRect(number.cell.row, number.cell.column);
        lines.draw(rect.adjusted((rect.width() - pixels * number.width) / 2, 0, 0, 0), number.text,
                   content.isHidden(number.cell.row, number.cell.column)
                       ? style.mutedText
                       : textOn(fillOf(number.cell), fade));
    }
}

} // namespace headlight::ui
