#include "ui/figures/geometry/name_places.h"

#include "ui/figures/geometry/plane_marks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <unordered_map>

namespace headlight::ui {

namespace {

constexpr double kPointGap = 5;                      // px between a point and its name
constexpr std::array kDistances{0.0, 0.9, 1.9, 3.1}; // multiples of the name's height
constexpr double kLineStep = 6;                      // px between two samples along a line
constexpr double kLeaderFrom = 0.7;   // times the name's height; farther names have a leader line
constexpr std::size_t kFewNames = 64; // up to this many names may use any free position

bool overlap(const QRectF &a, const QRectF &b) {
    return a.left() < b.right() && b.left() < a.right() && a.top() < b.bottom() &&
           b.top() < a.bottom();
}

/// A grid of small squares that records where lines run.
class Crossed {
  public:
    explicit Crossed(const QRectF &plot)
        : m_plot(plot),
          m_columns(static_cast<int>(plot.width() / kSquare) + 1),
          m_rows(static_cast<int>(plot.height() / kSquare) + 1),
          m_squares(static_cast<std::size_t>(m_columns) * static_cast<std::size_t>(m_rows)) {}

    void add(const QLineF &line) {
        const auto inside = clipped(line, m_plot);
        if (!inside)
            return;
        const int steps = static_cast<int>(inside->length() / kSquare) + 1;
        for (int i = 0; i <= steps; ++i) {
            const QPointF point = inside->pointAt(static_cast<double>(i) / steps);
            m_squares[at(row(point.y()), column(point.x()))] = 1;
        }
    }

    bool contains(const QRectF &rect) const {
        for (int y = row(rect.top()); y <= row(rect.bottom()); ++y)
            for (int x = column(rect.left()); x <= column(rect.right()); ++x)
                if (m_squares[at(y, x)])
                    return true;
        return false;
    }

  private:
    static constexpr double kSquare = 4;

    int column(double x) const {
        return std::clamp(static_cast<int>((x - m_plot.left()) / kSquare), 0, m_columns - 1);
    }
    int row(double y) const {
        return std::clamp(static_cast<int>((y - m_plot.top()) / kSquare), 0, m_rows - 1);
    }
    std::size_t at(int row, int column) const {
        return static_cast<std::size_t>(row) * static_cast<std::size_t>(m_columns) +
               static_cast<std::size_t>(column);
    }

    QRectF m_plot;
    int m_columns, m_rows;
    std::vector<char> m_squares;
};

/// Occupied rectangles in a grid index.
class Taken {
  public:
    void add(const QRectF &rect) {
        const std::size_t index = m_rects.size();
        m_rects.push_back(rect);
        forEachSquare(rect, [&](qint64 square) {
            m_squares[square].push_back(index);
            return false;
        });
    }

    bool overlaps(const QRectF &rect) const {
        return forEachSquare(rect, [&](qint64 square) {
            const auto found = m_squares.find(square);
            return found != m_squares.end() &&
                   std::any_of(found->second.begin(), found->second.end(),
                               [&](std::size_t i) { return overlap(m_rects[i], rect); });
        });
    }

  private:
    static constexpr double kSquare = 48;

    /// Calls `work` for each square that the rectangle touches, until it returns true.
    template <typename Work>
    static bool forEachSquare(const QRectF &rect, Work work) {
        const auto at = [](double value) {
            return static_cast<qint64>(std::floor(value / kSquare));
        };
        for (qint64 y = at(rect.top()); y <= at(rect.bottom()); ++y)
            for (qint64 x = at(rect.left()); x <= at(rect.right()); ++x)
                if (work((y << 32) ^ (x & 0xffffffff)))
                    return true;
        return false;
    }

    std::vector<QRectF> m_rects;
    std::unordered_map<qint64, std::vector<std::size_t>> m_squares;
};

/// Returns the name's rectangle in direction `angle` from the tip, `distance` px beyond the closest
/// position.
QRectF besides(QPointF tip, double size, const QSizeF &name, double angle, double distance) {
    const double dx = std::cos(angle);
    const double dy = -std::sin(angle); // screen y points down
    // The rectangle touches a circle of radius kPointGap around the tip.
    const double reachX = std::abs(dx) > 1e-9 ? name.width() / 2 / std::abs(dx) : 1e9;
    const double reachY = std::abs(dy) > 1e-9 ? name.height() / 2 / std::abs(dy) : 1e9;
    const double reach = std::min(reachX, reachY) + kPointGap + size / 2 + distance;
    const QPointF centre = tip + QPointF(dx, dy) * reach;
    return {std::round(centre.x() - name.width() / 2), std::round(centre.y() - name.height() / 2),
            name.width(), name.height()};
}

/// Returns the free position nearest to the tip. Searches in steps of half a line.
std::optional<QRectF> nearestFree(const Taken &taken, const QRectF &plot, QPointF tip,
                                  const QSizeF &name) {
    const double step = std::max(4.0, name.height() / 2);
    std::optional<QRectF> nearest;
    double least = 0;
    for (double y = plot.top() + 1; y + name.height() < plot.bottom(); y += step)
        for (double x = plot.left() + 1; x + name.width() < plot.right(); x += step) {
            const QRectF rect(QPointF(std::round(x), std::round(y)), name);
            const double away = QLineF(rect.center(), tip).length();
            if ((nearest && away >= least) || taken.overlaps(rect))
                continue;
            nearest = rect;
            least = away;
        }
    return nearest;
}

} // namespace

std::vector<PlaneName> placeNames(const std::vector<PlaneItem> &items,
                                  const std::vector<QPointF> &tips,
                                  const std::vector<QPointF> &starts,
                                  const std::vector<QLineF> &lines, const QRectF &plot) {
    std::vector<PlaneName> names(items.size());
    Taken taken;
    for (std::size_t i = 0; i < items.size(); ++i)
        if (const double size = items[i].size; plot.contains(tips[i]))
            taken.add({tips[i].x() - size / 2, tips[i].y() - size / 2, size, size});

    Crossed crossed(plot);
    for (const QLineF &line : lines)
        crossed.add(line);

    std::vector<std::size_t> order(items.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return items[a].rank < items[b].rank; });
    for (const std::size_t index : order) {
        const QSizeF &name = items[index].name;
        const QPointF tip = tips[index];
        if (name.isEmpty() || !plot.contains(tip))
            continue;
        // Try to extend an arrow by its name, and to put a point's name to its right.
        const QPointF along = tip - starts[index];
        const bool points = items[index].arrow && along.manhattanLength() > 1;
        const double first = points ? std::atan2(-along.y(), along.x()) : 0;
        for (const double times : kDistances) {
            const double distance = times * name.height();
            std::optional<QRectF>
                place; // first free position that crosses no line, or else the first free one
            for (int turn = 0; turn < 12; ++turn) {
                // 0, +30°, −30°, +60°, … on both sides of the first direction.
                const double turned = ((turn + 1) / 2) * (turn % 2 == 1 ? 1 : -1);
                const QRectF rect = besides(tip, items[index].size, name,
                                            first + turned * std::numbers::pi / 6, distance);
                if (!plot.contains(rect) || taken.overlaps(rect))
                    continue;
                const bool isFree = !crossed.contains(rect);
                if (isFree || !place)
                    place = rect;
                if (isFree)
                    break;
            }
            if (!place)
                continue;
            names[index] = {*place, times > kLeaderFrom};
            taken.add(*place);
            break;
        }
        if (!names[index].rect.isEmpty() || items.size() > kFewNames)
            continue;
        if (const auto place = nearestFree(taken, plot, tip, name)) {
            names[index] = {*place, true};
            taken.add(*place);
        }
    }
    return names;
}

} // namespace headlight::ui
