#include "ui/figures/arithmetic/arithmetic_layout.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headlight::ui {

namespace {

constexpr std::size_t kMaxBlocks = 4;

/// Ways to save height in an area that is too low for a single line of columns.
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
    /// The space between the table and the lines.
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
    std::size_t columns = 0; ///< number of shown columns
};

Fit fitOf(const ArithmeticRequest &request) {
    const auto all = static_cast<std::size_t>(request.columns);
    for (double pixels = request.most; pixels >= request.least; --pixels) {
        const ArithmeticSizes sizes(request, pixels);
        const std::size_t blocks = (all + sizes.fitting() - 1) / sizes.fitting();
        if (blocks <= kMaxBlocks && sizes.height(blocks) <= request.area.height())
            return {sizes, blocks, all};
    }
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

} // namespace

ArithmeticLayout ArithmeticLayout::of(const ArithmeticRequest &request) {
    const Fit fit = fitOf(request);
    const ArithmeticSizes &sizes = fit.sizes;
    ArithmeticLayout layout;
    layout.pixels = sizes.pixels();
    layout.gap = sizes.gap();
    layout.isShown.assign(static_cast<std::size_t>(request.columns), false);
    const std::vector<core::Index> shown = chosenColumns(request, fit.columns);
    const auto hidden = request.columns - std::ssize(shown);
    const std::size_t places = shown.size() + (hidden > 0 ? 1 : 0);
    const double pitch = sizes.boxWidth() + sizes.gap();
    // Spread the columns evenly over the lines and centre the block.
    const std::size_t perBlock =
        fit.blocks > 0 ? std::min(sizes.fitting(), (places + fit.blocks - 1) / fit.blocks) : 0;
    const double width =
        sizes.left() - request.area.left() + static_cast<double>(perBlock) * pitch - sizes.gap();
    const double left =
        sizes.left() + std::max(0.0, std::floor((request.area.width() - width) / 2));
    const double names = left - sizes.left() + request.area.left();
    double y = request.area.top(), right = left;
    for (std::size_t next = 0; next < places && request.rows > 0;) {
        Block block;
        const auto cellsAt = [&](double x, double w) {
            std::vector<QRectF> cells;
            for (std::size_t row = 0; row < request.rows; ++row)
                cells.emplace_back(x,
                                   y + sizes.header() +
                                       static_cast<double>(row) *
                                           (sizes.boxHeight() + sizes.rowGap()),
                                   w, sizes.boxHeight());
            return cells;
        };
        block.names = cellsAt(names, sizes.nameWidth());
        for (std::size_t i = 0; i < perBlock && next < places; ++i, ++next) {
            const double x = left + static_cast<double>(i) * pitch;
            Place place;
            if (next < shown.size()) {
                place.column = shown[next];
                layout.isShown[static_cast<std::size_t>(shown[next])] = true;
            } else {
                place.hidden = hidden;
            }
            place.header = QRectF(x - sizes.gap() / 2, y, pitch, sizes.header());
            place.cells = cellsAt(x, sizes.boxWidth());
            right = std::max(right, x + sizes.boxWidth());
            block.places.push_back(std::move(place));
        }
        layout.blocks.push_back(std::move(block));
        y += sizes.block() + (next < places ? sizes.blockGap() : 0);
    }
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
        // A line that does not fit at the smallest type is cut.
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
