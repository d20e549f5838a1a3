#include "ui/figures/arithmetic/arithmetic_layout.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headlight::ui {

namespace {

constexpr std::size_t kMaxBlocks = 4;

/// Parts given up to save height in a short area: none; white space; white space and the note.
enum class Economy { None, WhiteSpace, Note };

/// Sizes of the table's parts at one type size.
class ArithmeticSizes {
  public:
    ArithmeticSizes(const ArithmeticRequest &request, double pixels,
                    Economy economy = Economy::None)
        : m_request(request),
          p(std::floor(pixels)),
          m_isTight(economy != Economy::None),
          m_hasNote(request.hasNote && economy != Economy::Note) {}

    double boxWidth() const { return std::ceil(m_request.number * p + 0.9 * p); }
    double boxHeight() const { return std::round((m_isTight ? 1.35 : 1.6) * p); }
    double rowGap() const { return std::round((m_isTight ? 0.15 : 0.35) * p); }
    double gap() const { return std::round((m_request.adds ? 1.3 : 0.45) * p); }
    double signWidth() const { return std::round(1.1 * p); }
    double nameWidth() const {
        return std::min(std::ceil(m_request.name * p + 0.6 * p), 0.3 * m_request.area.width());
    }
    double left() const { return m_request.area.left() + nameWidth() + signWidth(); }
    double header() const { return std::round(std::max(0.75 * p, m_request.minLabel) * 1.3); }
    double block() const {
        const auto rows = static_cast<double>(m_request.rows);
        return header() + rows * boxHeight() + std::max(0.0, rows - 1) * rowGap();
    }
    double blockGap() const { return std::round(0.9 * p); }
    double lineHeight() const { return std::round((m_isTight ? 1.75 : 2.1) * p); }
    double lineGap() const { return m_isTight ? 0 : 0.2 * p; }
    double note() const {
        return m_hasNote ? std::round(1.5 * std::max(0.6 * p, m_request.minLabel)) : 0;
    }
    /// Returns the space between the table and the lines.
    double tableGap() const {
        return (m_isTight ? 0.5 : 1.0) * (m_request.adds ? 0.9 * p : 0.6 * p);
    }
    double beneath() const {
        const auto count = static_cast<double>(m_request.lines.size());
        return tableGap() + count * lineHeight() + std::max(0.0, count - 1) * lineGap() + note();
    }
    std::size_t fitting() const {
        const double available = m_request.area.right() - left() + gap();
        return static_cast<std::size_t>(
            std::max(1.0, std::floor(available / (boxWidth() + gap()))));
    }
    double height(std::size_t blocks) const {
        const auto count = static_cast<double>(blocks);
        return (blocks == 0 ? 0 : count * block() + (count - 1) * blockGap()) + beneath();
    }
    double pixels() const { return p; }

  private:
    const ArithmeticRequest &m_request;
    double p;
    bool m_isTight, m_hasNote;
};

/// Returns the `count` most important columns in their original order.
std::vector<core::Index> chosenColumns(const ArithmeticRequest &request, std::size_t count) {
    std::vector<core::Index> columns(static_cast<std::size_t>(request.columns));
    std::iota(columns.begin(), columns.end(), core::Index(0));
    if (count >= columns.size())
        return columns;
    const auto isMoreImportant = [&](core::Index a, core::Index b) {
        const double first = request.importance[static_cast<std::size_t>(a)];
        const double second = request.importance[static_cast<std::size_t>(b)];
        return first != second ? first > second : a < b;
    };
    std::ranges::partial_sort(columns, columns.begin() + static_cast<std::ptrdiff_t>(count),
                              isMoreImportant);
    columns.resize(count);
    std::ranges::sort(columns);
    return columns;
}

struct Fit {
    ArithmeticSizes sizes;
    std::size_t blocks = 0;
    std::size_t columns = 0; ///< number of placed columns
    bool scrolls = false;
};

/// Returns the fit at the smallest type size. The columns scroll if not all of them fit even with
/// less white space.
Fit scrolledFit(const ArithmeticRequest &request) {
    const auto all = static_cast<std::size_t>(request.columns);
    const auto with = [&](Economy economy, bool scrolls) {
        const ArithmeticSizes sizes(request, request.least, economy);
        return Fit{sizes, (all + sizes.fitting() - 1) / sizes.fitting(), all, scrolls};
    };
    if (const Fit fit = with(Economy::WhiteSpace, false);
        fit.sizes.height(fit.blocks) <= request.area.height())
        return fit;
    for (const Economy economy : {Economy::None, Economy::WhiteSpace})
        if (const Fit fit = with(economy, true); fit.sizes.height(1) <= request.area.height())
            return fit;
    return with(Economy::Note, true);
}

Fit fitOf(const ArithmeticRequest &request) {
    const auto all = static_cast<std::size_t>(request.columns);
    for (double pixels = request.most; pixels >= request.least; --pixels) {
        const ArithmeticSizes sizes(request, pixels);
        const std::size_t blocks = (all + sizes.fitting() - 1) / sizes.fitting();
        if ((blocks <= kMaxBlocks || request.scroll) &&
            sizes.height(blocks) <= request.area.height())
            return {sizes, blocks, all};
    }
    if (request.scroll && request.rows > 0 && all > 0)
        return scrolledFit(request);
    // Not all columns fit. Use a legible size and as many lines as fit.
    for (double pixels = std::min(request.most, 1.2 * request.least);; --pixels) {
        const ArithmeticSizes sizes(request, pixels);
        std::size_t blocks = kMaxBlocks;
        while (blocks > 1 && sizes.height(blocks) > request.area.height())
            --blocks;
        const bool isTooHigh = blocks == 1 && sizes.height(1) > request.area.height();
        if (isTooHigh && pixels - 1 >= request.least)
            continue;
        const std::size_t places = blocks * sizes.fitting();
        const std::size_t columns = places >= all ? all : std::max<std::size_t>(places, 2) - 1;
        if (!isTooHigh)
            return {sizes, blocks, columns};
        const std::size_t lines = all > 0 ? 1 : 0; // number of lines with columns
        const ArithmeticSizes tight(request, pixels, Economy::WhiteSpace);
        return {tight.height(lines) <= request.area.height()
                    ? tight
                    : ArithmeticSizes(request, pixels, Economy::Note),
                lines, columns};
    }
}

/// Places the columns of a table.
class ColumnPlacing {
  public:
    ColumnPlacing(const ArithmeticRequest &request, const Fit &fit)
        : m_request(request),
          m_sizes(fit.sizes),
          m_scrolls(fit.scrolls),
          m_shown(chosenColumns(request, fit.columns)),
          m_hidden(request.columns - std::ssize(m_shown)),
          m_places(request.rows > 0 ? m_shown.size() + (m_hidden > 0 ? 1 : 0) : 0),
          m_pitch(m_sizes.boxWidth() + m_sizes.gap()) {
        // Spread the columns evenly over the lines and centre the block.
        if (fit.blocks > 0)
            m_perBlock = std::min(m_sizes.fitting(), (m_places + fit.blocks - 1) / fit.blocks);
        const double width = m_sizes.left() - request.area.left() + lineWidth();
        m_left = m_sizes.left() + std::max(0.0, std::floor((request.area.width() - width) / 2));
    }

    double left() const { return m_left; }
    double right() const { return m_left + std::max(0.0, lineWidth()); }
    /// Places the columns and returns the y at which they end.
    double place(ArithmeticLayout &layout) const {
        layout.isShown.assign(static_cast<std::size_t>(m_request.columns), false);
        for (const core::Index column : m_shown)
            layout.isShown[static_cast<std::size_t>(column)] = true;
        const QRectF &area = m_request.area;
        double y = area.top();
        if (m_scrolls) {
            setWindow(layout);
            y -= layout.scrolled;
        }
        for (std::size_t next = 0; next < m_places; next += m_perBlock) {
            const bool isLast = next + m_perBlock >= m_places;
            const double bottom = y + m_sizes.block();
            if (!m_scrolls || (bottom > layout.window.top() && y < layout.window.bottom()))
                layout.blocks.push_back(blockAt(y, next));
            y = bottom + (isLast ? 0 : m_sizes.blockGap());
        }
        return m_scrolls ? layout.window.bottom() : y;
    }

  private:
    double lineWidth() const { return static_cast<double>(m_perBlock) * m_pitch - m_sizes.gap(); }

    void setWindow(ArithmeticLayout &layout) const {
        const QRectF &area = m_request.area;
        const double least = m_sizes.header() + m_sizes.boxHeight();
        layout.window = QRectF(area.left(), area.top(), area.width(),
                               std::max(area.height() - m_sizes.beneath(), least));
        const std::size_t blocks = (m_places + m_perBlock - 1) / m_perBlock;
        layout.beyond =
            std::max(0.0, m_sizes.height(blocks) - m_sizes.beneath() - layout.window.height());
        const auto stressed = static_cast<std::size_t>(m_request.stressed.value_or(0));
        const double top =
            static_cast<double>(stressed / m_perBlock) * (m_sizes.block() + m_sizes.blockGap());
        const double wanted = std::min(top, top + m_sizes.block() - layout.window.height());
        layout.scrolled = std::clamp(m_request.scroll->by.value_or(wanted), 0.0, layout.beyond);
    }

    ArithmeticLayout::Block blockAt(double y, std::size_t next) const {
        ArithmeticLayout::Block block;
        const auto cellsAt = [&](double x, double width) {
            std::vector<QRectF> cells;
            for (std::size_t row = 0; row < m_request.rows; ++row)
                cells.emplace_back(x,
                                   y + m_sizes.header() +
                                       static_cast<double>(row) *
                                           (m_sizes.boxHeight() + m_sizes.rowGap()),
                                   width, m_sizes.boxHeight());
            return cells;
        };
        block.names = cellsAt(m_left - m_sizes.left() + m_request.area.left(), m_sizes.nameWidth());
        for (std::size_t i = 0; i < m_perBlock && next < m_places; ++i, ++next) {
            const double x = m_left + static_cast<double>(i) * m_pitch;
            ArithmeticLayout::Place place;
            if (next < m_shown.size())
                place.column = m_shown[next];
            else
                place.hidden = m_hidden;
            place.header = QRectF(x - m_sizes.gap() / 2, y, m_pitch, m_sizes.header());
            place.cells = cellsAt(x, m_sizes.boxWidth());
            block.places.push_back(std::move(place));
        }
        block.isLast = next == m_places;
        return block;
    }

    const ArithmeticRequest &m_request;
    const ArithmeticSizes &m_sizes;
    bool m_scrolls;
    std::vector<core::Index> m_shown;
    core::Index m_hidden;
    std::size_t m_places, m_perBlock = 0;
    double m_pitch, m_left = 0;
};

} // namespace

ArithmeticLayout ArithmeticLayout::of(const ArithmeticRequest &request) {
    const Fit fit = fitOf(request);
    const ArithmeticSizes &sizes = fit.sizes;
    ArithmeticLayout layout;
    layout.pixels = sizes.pixels();
    layout.gap = sizes.gap();
    const ColumnPlacing columns(request, fit);
    double y = columns.place(layout);
    const double left = columns.left(), right = columns.right();
    const bool hasTable = !layout.blocks.empty();
    if (request.adds && hasTable) {
        const double rule = std::round(y + sizes.tableGap() / 2);
        layout.rule = QLineF(left, rule, right, rule);
    }
    y += hasTable ? sizes.tableGap() : 0;
    const double available = request.area.width();
    // Centre the lines below the table, but keep them inside the area.
    const double middle = hasTable ? (left + right) / 2 : request.area.center().x();
    for (std::size_t i = 0; i < request.lines.size(); ++i) {
        const double needed = request.lines[i] * sizes.pixels();
        // A line that does not fit even at the smallest type size is cut.
        const double pixels = needed > available
                                  ? std::max(request.least, sizes.pixels() * available / needed)
                                  : sizes.pixels();
        const double taken = std::min(needed, available);
        const double x = std::clamp(middle - taken / 2, request.area.left(),
                                    std::max(request.area.left(), request.area.right() - taken));
        layout.lines.emplace_back(std::round(x), std::round(y), taken, sizes.lineHeight());
        layout.linePixels.push_back(pixels);
        y += sizes.lineHeight() + (i + 1 < request.lines.size() ? sizes.lineGap() : 0);
    }
    if (sizes.note() > 0) {
        layout.note = QRectF(request.area.left(), y, available, sizes.note());
        y += sizes.note();
    }
    layout.used =
        QRectF(request.area.topLeft(), QPointF(std::max(right, request.area.left()), std::ceil(y)));
    return layout;
}

} // namespace headlight::ui
