#include "ui/figures/heatmap/cell_image.h"

#include "core/tensor/in_parallel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace headlight::ui {

namespace {

constexpr double kNotComputed = 0.3; // share of the colour of cells that are not computed yet
constexpr core::Index kManyCells = core::Index(1) << 18; // minimum cells for ManyCells
constexpr int kPixelRowsAtOnce = 16;
constexpr float kNoNumber = std::numeric_limits<float>::quiet_NaN();

/// Cells first … last − 1 that one pixel of the image represents, along one side.
struct Stretch {
    core::Index first, last;
};
Stretch stretchOf(int pixel, int pixels, core::Index cells, core::Index origin) {
    return {origin + pixel * cells / pixels,
            origin + std::max((pixel + 1) * cells / pixels, pixel * cells / pixels + 1)};
}

/// Returns the pixel of a cell. Inverse of stretchOf().
core::Index pixelOf(core::Index cell, int pixels, core::Index cells, core::Index origin) {
    return ((cell - origin + 1) * pixels - 1) / cells;
}

/// Returns the divisor that turns a row's numbers into shares of the row's range. It is 1 if all
/// rows share a range.
double endOf(const HeatmapContent &content, core::Index row) {
    const bool isPerRow = content.scale.range() == Range::PerRow;
    const double high = isPerRow ? content.scale.endsOf(row).high : 1;
    return high > 0 ? high : 1;
}

/// Returns the colour of a cell whose mask is known.
QRgb colourOfCell(const HeatmapContent &content, float number, bool isHidden, core::Index row,
                  core::Index column, const FigureStyle &style) {
    const QRgb colour =
        isHidden ? style.hidden.rgb() : content.scale.colour(row, static_cast<double>(number));
    return content.isComputed(row, column)
               ? colour
               : mixed(QColor(colour), style.background, kNotComputed).rgb();
}

/// Paints an image of a few cells in their exact colours.
class FewCells {
  public:
    FewCells(const HeatmapGeometry &geometry, const HeatmapContent &content,
             const FigureStyle &style, const QColor &background, double fade, QImage &image)
        : m_geometry(geometry),
          m_content(content),
          m_style(style),
          m_background(background),
          m_fade(fade),
          m_image(image),
          m_matrix(content.matrix()),
          m_hidesAnything(content.mask && content.mask->hidesAnything()) {}

    void paint() {
        uchar *const bits = m_image.bits(); // detaches here, not in a worker thread
        const auto stride = m_image.bytesPerLine();
        const int bands = (m_image.height() + kRowsAtOnce - 1) / kRowsAtOnce;
        const auto paintBand = [&](core::Index band, core::Index) {
            std::vector<char> isHidden;
            const int first = static_cast<int>(band) * kRowsAtOnce;
            for (int y = first; y < std::min(m_image.height(), first + kRowsAtOnce); ++y)
                paintRow(y, isHidden, reinterpret_cast<QRgb *>(bits + y * stride));
        };
        if (m_geometry.rows * m_geometry.columns >= kShared)
            return core::inParallel(bands, paintBand);
        for (core::Index band = 0; band < bands; ++band)
            paintBand(band, 0);
    }

  private:
    static constexpr int kRowsAtOnce = 8;
    static constexpr core::Index kShared = 1 << 12; // fewer cells are painted before a thread wakes

    /// Sets the mask of the visible columns in `isHidden`, row by row.
    void findHidden(Stretch rows, std::vector<char> &isHidden) const {
        const core::Index first = m_geometry.origin.column;
        isHidden.assign(static_cast<std::size_t>((rows.last - rows.first) * m_geometry.columns),
                        char(0));
        for (core::Index r = rows.first; m_hidesAnything && r < rows.last; ++r) {
            const auto row = isHidden.begin() + (r - rows.first) * m_geometry.columns;
            m_content.mask->forEachRun(r, first, m_geometry.endColumn(),
                                       [&](const core::MaskRun &run) {
                                           std::fill(row + (run.first - first),
                                                     row + (run.end - first), char(run.hidden()));
                                       });
        }
    }

    void paintRow(int y, std::vector<char> &isHidden, QRgb *pixels) const {
        const Stretch rows = stretchOf(y, m_image.height(), m_geometry.rows, m_geometry.origin.row);
        findHidden(rows, isHidden);
        for (int x = 0; x < m_image.width(); ++x) {
            const Stretch columns =
                stretchOf(x, m_image.width(), m_geometry.columns, m_geometry.origin.column);
            pixels[x] = faded(colourOf(rows, columns, isHidden), m_background, m_fade);
        }
    }

    QRgb colourOf(Stretch rows, Stretch columns, const std::vector<char> &isHidden) const {
        core::Index row = rows.first;
        core::Index column = columns.first;
        double strongest = -1;
        double sum = 0;
        core::Index count = 0;
        const auto hides = [&](core::Index r, core::Index c) {
            return isHidden[static_cast<std::size_t>((r - rows.first) * m_geometry.columns + c -
                                                     m_geometry.origin.column)] != 0;
        };
        for (core::Index r = rows.first; r < rows.last; ++r) {
            const auto values = m_matrix.row(r);
            const double whole =
                endOf(m_content, r); // several rows are compared by share of their range
            for (core::Index c = columns.first; c < columns.last; ++c) {
                if (hides(r, c))
                    continue;
                const float value = values[static_cast<std::size_t>(c)];
                const double share = static_cast<double>(value) / whole;
                const double size = std::abs(share);
                if (size > strongest) {
                    strongest = size;
                    row = r;
                    column = c;
                }
                if (std::isfinite(value)) {
                    sum += share;
                    ++count;
                }
            }
        }
        const bool isMean = m_content.blocks == BlockNumber::Mean && count > 1;
        if (isMean && m_content.isComputed(row, column))
            return m_content.scale.colour(row,
                                          sum / static_cast<double>(count) * endOf(m_content, row));
        return colourOfCell(m_content, m_matrix(row, column), hides(row, column), row, column,
                            m_style);
    }

    const HeatmapGeometry &m_geometry;
    const HeatmapContent &m_content;
    const FigureStyle &m_style;
    const QColor &m_background;
    double m_fade;
    QImage &m_image;
    core::SharedMatrix m_matrix;
    bool m_hidesAnything;
};

/// Colours of numbers, from a table indexed by map position.
class NumberColours {
  public:
    /// `ofRows` is true if the numbers are already shares of their row's range.
    NumberColours(const HeatmapContent &content, bool ofRows, const QColor &background, double fade)
        : m_scale(content.scale), m_ends(content.scale.endsOf(-1)) {
        if (ofRows)
            m_ends = {isDiverging(m_scale.map()) ? -1.0 : 0.0, 1};
        const auto paint = [&](double t) { return faded(m_scale.colourAt(t), background, fade); };
        for (std::size_t i = 0; i < m_table.size(); ++i)
            m_table[i] = paint(static_cast<double>(i) / static_cast<double>(m_table.size() - 1));
        m_nan = paint(std::numeric_limits<double>::quiet_NaN());
        m_isFlat = m_ends.high <= m_ends.low; // all numbers are 0
        m_flat = isDiverging(m_scale.map()) ? 0.5 : 0;
    }
    QRgb of(float number) const {
        if (std::isnan(number))
            return m_nan;
        double t = m_flat;
        if (!m_isFlat)
            t = m_scale.positionOfShare(std::clamp(
                (static_cast<double>(number) - m_ends.low) / (m_ends.high - m_ends.low), 0.0, 1.0));
        return m_table[static_cast<std::size_t>(t * static_cast<double>(m_table.size() - 1) + 0.5)];
    }

  private:
    const ColourScale &m_scale;
    ValueRange m_ends;
    std::array<QRgb, 2048> m_table;
    QRgb m_nan;
    bool m_isFlat = false;
    double m_flat = 0;
};

/// Paints an image of many cells. For each row of pixels, it first combines the cells of each
/// column and then the columns of each pixel.
class ManyCells {
  public:
    ManyCells(const HeatmapGeometry &geometry, const HeatmapContent &content,
              const FigureStyle &style, const QColor &background, double fade, QImage &image)
        : m_geometry(geometry),
          m_content(content),
          m_image(image),
          m_matrix(content.matrix()),
          m_isMean(content.blocks == BlockNumber::Mean),
          m_ofRows(content.scale.range() == Range::PerRow),
          m_level(levelOf()),
          m_numbers(m_level ? m_level->numbers.view() : m_matrix.view()),
          m_side(m_level ? m_level->side : 1),
          m_colours(content, m_ofRows, background, fade),
          m_hidden(faded(style.hidden.rgb(), background, fade)) {
        const Stretch all{geometry.origin.column, geometry.endColumn()};
        m_firstColumn = all.first / m_side;
        m_columns = (all.last + m_side - 1) / m_side - m_firstColumn;
        for (int x = 0; x < image.width(); ++x) {
            const Stretch cells = stretchOf(x, image.width(), geometry.columns, all.first);
            m_stretches.push_back({cells.first / m_side - m_firstColumn,
                                   (cells.last + m_side - 1) / m_side - m_firstColumn});
        }
    }

    void paint() {
        uchar *const bits = m_image.bits(); // detaches here, not in a worker thread
        const auto stride = m_image.bytesPerLine();
        const int bands = (m_image.height() + kPixelRowsAtOnce - 1) / kPixelRowsAtOnce;
        core::inParallel(bands, [&](core::Index band, core::Index) {
            Row row(m_columns, m_image.width());
            const int first = static_cast<int>(band) * kPixelRowsAtOnce;
            for (int y = first; y < std::min(m_image.height(), first + kPixelRowsAtOnce); ++y)
                paintRow(y, row, reinterpret_cast<QRgb *>(bits + y * stride));
        });
    }

  private:
    /// Buffers of one row of pixels.
    struct Row {
        std::vector<float> numbers; // largest number of each column in absolute value, or the sum
        std::vector<float> counts;  // how many numbers of each column were added, for a mean
        std::vector<char> isVisible;
        Row(core::Index columns, int width)
            : numbers(static_cast<std::size_t>(columns)),
              counts(numbers.size()),
              isVisible(static_cast<std::size_t>(width)) {}
    };

    const core::MatrixPyramid::Level *levelOf() const {
        const core::MatrixPyramid *pyramid = m_content.pyramid.get();
        if (!pyramid || pyramid->isOfRows() != m_ofRows || pyramid->blocks() != m_content.blocks)
            return nullptr;
        return pyramid->levelFor(std::min(static_cast<double>(m_geometry.columns) / m_image.width(),
                                          static_cast<double>(m_geometry.rows) / m_image.height()));
    }

    /// Adds columns first … end − 1 of a row of numbers. Column 0 is the first visible column.
    void add(Row &row, const float *numbers, core::Index first, core::Index end,
             float factor) const {
        float *const to = row.numbers.data();
        if (!m_isMean) {
            for (core::Index c = first; c < end; ++c) { // branchless for speed
                const float number = numbers[c] * factor;
                const bool isStronger =
                    (std::abs(number) > std::abs(to[c])) | (to[c] != to[c]); // NaN ≠ NaN
                to[c] = isStronger ? number : to[c];
            }
            return;
        }
        float *const counts = row.counts.data();
        for (core::Index c = first; c < end; ++c) {
            const float number = numbers[c] * factor;
            const bool isNumber = std::abs(number) <= std::numeric_limits<float>::max();
            to[c] += isNumber ? number : 0;
            counts[c] += isNumber ? 1.0F : 0.0F;
        }
    }

    /// Adds block means, each multiplied by the number of visible cells in the block.
    void addMeans(Row &row, const float *means, const std::uint16_t *counts) const {
        for (core::Index c = 0; c < m_columns; ++c) {
            const auto at = static_cast<std::size_t>(c);
            const auto count = static_cast<float>(counts[c]);
            row.numbers[at] += count > 0 ? means[c] * count : 0;
            row.counts[at] += count;
        }
    }

    void addRow(Row &row, core::Index index) const {
        const float *const numbers = m_numbers.row(index).data() + m_firstColumn;
        if (m_level && m_isMean)
            return addMeans(row, numbers, m_level->countsOf(index).data() + m_firstColumn);
        if (m_level)
            return add(row, numbers, 0, m_columns, 1);
        const auto factor = static_cast<float>(1 / endOf(m_content, index));
        if (!m_content.mask)
            return add(row, numbers, 0, m_columns, factor);
        m_content.mask->forEachRun(
            index, m_firstColumn, m_firstColumn + m_columns, [&](const core::MaskRun &run) {
                if (!run.hidden())
                    add(row, numbers, run.first - m_firstColumn, run.end - m_firstColumn, factor);
            });
    }

    void findVisible(Row &row, Stretch rows) const {
        const core::Index origin = m_geometry.origin.column;
        for (core::Index r = rows.first; r < rows.last; ++r)
            m_content.mask->forEachRun(
                r, origin, m_geometry.endColumn(), [&](const core::MaskRun &run) {
                    const auto pixel = [&](core::Index cell) {
                        return pixelOf(cell, m_image.width(), m_geometry.columns, origin);
                    };
                    if (!run.hidden())
                        std::fill(row.isVisible.begin() + pixel(run.first),
                                  row.isVisible.begin() + pixel(run.end - 1) + 1, char(1));
                });
    }

    void paintRow(int y, Row &row, QRgb *pixels) const {
        const Stretch rows = stretchOf(y, m_image.height(), m_geometry.rows, m_geometry.origin.row);
        std::ranges::fill(row.numbers, m_isMean ? 0 : kNoNumber);
        if (m_isMean)
            std::ranges::fill(row.counts, 0.0F);
        for (core::Index r = rows.first / m_side; r < (rows.last + m_side - 1) / m_side; ++r)
            addRow(row, r);
        if (m_content.mask) {
            std::ranges::fill(row.isVisible, char(0));
            findVisible(row, rows);
        }
        for (std::size_t x = 0; x < m_stretches.size(); ++x)
            pixels[x] = m_content.mask && !row.isVisible[x]
                            ? m_hidden
                            : m_colours.of(numberOf(row, m_stretches[x]));
    }

    float numberOf(const Row &row, Stretch columns) const {
        float number = m_isMean ? 0 : kNoNumber, count = 0;
        for (core::Index c = columns.first; c < columns.last; ++c) {
            const auto at = static_cast<std::size_t>(c);
            number =
                m_isMean ? number + row.numbers[at] : core::strongerOf(number, row.numbers[at]);
            count += m_isMean ? row.counts[at] : 0;
        }
        return !m_isMean ? number : count > 0 ? number / count : kNoNumber;
    }

    const HeatmapGeometry &m_geometry;
    const HeatmapContent &m_content;
    QImage &m_image;
    core::SharedMatrix m_matrix;
    bool m_isMean, m_ofRows;
    const core::MatrixPyramid::Level *m_level; // null if m_numbers is the matrix itself
    core::MatrixView m_numbers;
    core::Index m_side; // side length of a block in cells
    core::Index m_firstColumn = 0, m_columns = 0;
    std::vector<Stretch> m_stretches; // columns of each pixel, 0 is the first visible one
    NumberColours m_colours;
    QRgb m_hidden;
};

} // namespace

QRgb cellColour(const HeatmapContent &content, const core::MatrixView &matrix, core::Index row,
                core::Index column, const FigureStyle &style) {
    return colourOfCell(content, matrix(row, column), content.isHidden(row, column), row, column,
                        style);
}

QRgb faded(QRgb colour, const QColor &background, double fade) {
    return fade >= 1 ? colour : mixed(QColor(colour), background, fade).rgb();
}

QImage cellImage(const HeatmapGeometry &geometry, const HeatmapContent &content,
                 const FigureStyle &style, const QColor &background, double fade, QSize pixels) {
    QImage image(pixels, QImage::Format_RGB32);
    if (geometry.rows * geometry.columns >= kManyCells && !content.computedTo) {
        ManyCells(geometry, content, style, background, fade, image).paint();
        return image;
    }
    FewCells(geometry, content, style, background, fade, image).paint();
    return image;
}

} // namespace headlight::ui
