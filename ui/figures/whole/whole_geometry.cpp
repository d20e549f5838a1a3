#include "ui/figures/whole/whole_geometry.h"

#include "ui/figures/heatmap/beside_column.h"
#include "ui/figures/whole/whole_arrows.h"

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr double kMinScale = 0.5;   // px per cell
constexpr double kMaxScale = 22;    // px per cell, enough for numbers
constexpr double kEnough = 14;      // px per cell; above this, longer titles matter more
constexpr double kReadable = 2;     // px per cell; below this the map scrolls
constexpr double kMaxCells = 32;    // longer sides are not drawn longer than this many cells
constexpr double kMinSide = 14;     // px, side of a matrix
constexpr double kMinGap = 26;      // px between columns
constexpr double kVerticalGap = 16; // px between stages in a column, enough for an arrow
constexpr double kSign = 16;        // px for "="
constexpr double kTitleGap = 3;     // px below a title
constexpr std::size_t kMaxFolded = 5;

enum class Weights { Beside, Above, Hidden };

/// A candidate arrangement of the map.
struct Choice {
    std::size_t folded = 1; ///< how many stages of a chain may share a column
    WholeTitle title = WholeTitle::NameAndShape;
    Weights weights = Weights::Beside;
};

std::vector<Choice> candidates() {
    std::vector<Choice> all;
    for (std::size_t folded = 1; folded <= kMaxFolded; ++folded)
        for (const WholeTitle title :
             {WholeTitle::NameAndShape, WholeTitle::SymbolAndShape, WholeTitle::Symbol})
            for (const Weights weights : {Weights::Beside, Weights::Above, Weights::Hidden})
                all.push_back({folded, title, weights});
    return all;
}

double sideOf(core::Index cells, double scale) {
    return std::max(kMinSide, std::floor(scale * std::min(static_cast<double>(cells), kMaxCells)));
}

/// Returns the size of a matrix including the title above it.
QSizeF sizeOf(const WholeMatrix &matrix, double titleHeight, WholeTitle title, double scale) {
    return {std::max({sideOf(matrix.columns, scale) + matrix.besideWidth,
                      std::ceil(matrix.titles[static_cast<std::size_t>(title)]) + 1,
                      std::ceil(matrix.besideLabel.width())}),
            titleHeight + kTitleGap + sideOf(matrix.rows, scale) + matrix.besideLabel.height()};
}

/// The map in one arrangement: columns of stages, and the lanes of arrows above and below them.
struct Arrangement {
    Choice choice;
    std::vector<std::vector<std::size_t>> columns; ///< indices of stages, top to bottom
    WholeLanes lanes;
    double titleHeight = 0;

    const std::optional<WholeMatrix> &weights(const WholeRequest &request,
                                              std::size_t stage) const {
        static const std::optional<WholeMatrix> none;
        return choice.weights == Weights::Hidden ? none : request.learned[stage];
    }
    /// Returns the size of a stage including its parameter matrix.
    QSizeF block(const WholeRequest &request, std::size_t stage, double scale) const {
        const QSizeF own = sizeOf(request.matrices[stage], titleHeight, choice.title, scale);
        const auto &with = weights(request, stage);
        if (!with)
            return own;
        const QSizeF more = sizeOf(*with, titleHeight, choice.title, scale);
        return choice.weights == Weights::Beside ? QSizeF(own.width() + kSign + more.width(),
                                                          std::max(own.height(), more.height()))
                                                 : QSizeF(std::max(own.width(), more.width()),
                                                          own.height() + kSign + more.height());
    }
    QSizeF column(const WholeRequest &request, std::size_t which, double scale) const {
        QSizeF size(0, -kVerticalGap);
        for (const std::size_t stage : columns[which]) {
            const QSizeF one = block(request, stage, scale);
            size = {std::max(size.width(), one.width()),
                    size.height() + one.height() + kVerticalGap};
        }
        return size;
    }
    QSizeF size(const WholeRequest &request, double scale) const {
        QSizeF all(kMinGap * (static_cast<double>(columns.size()) - 1), 0);
        for (std::size_t which = 0; which < columns.size(); ++which) {
            const QSizeF one = column(request, which, scale);
            all = {all.width() + one.width(), std::max(all.height(), one.height())};
        }
        return {all.width(), all.height() + lanes.height()};
    }
    bool fits(const WholeRequest &request, double scale) const {
        const QSizeF needed = size(request, scale);
        return needed.width() <= request.area.width() && needed.height() <= request.area.height();
    }
    /// Returns the largest scale that fits. If none fits, returns the smallest one.
    double scale(const WholeRequest &request) const {
        double low = kMinScale, high = kMaxScale;
        if (fits(request, high))
            return high;
        for (int i = 0; i < 14; ++i)
            (fits(request, (low + high) / 2) ? low : high) = (low + high) / 2;
        return low;
    }
};

/// Puts stages into columns. Stacks up to `folded` stages of a chain in one column.
Arrangement arrange(const WholeRequest &request, const Choice &choice) {
    const WholeGraph &graph = request.graph;
    Arrangement made{choice, {}, {}, 0};
    made.titleHeight =
        request.titleHeight + (choice.title == WholeTitle::NameAndShape ? request.lineHeight : 0);
    std::vector<std::vector<std::size_t>> columns(graph.columnCount());
    for (std::size_t stage = 0; stage < graph.stages.size(); ++stage)
        columns[graph.stages[stage].column].push_back(stage);
    const auto isLinked = [&](std::size_t from, std::size_t to) {
        return std::ranges::any_of(graph.links, [&](const WholeGraph::Link &link) {
            return link.from == graph.stages[from].at && link.to == graph.stages[to].at;
        });
    };
    bool isChain = false;
    for (std::vector<std::size_t> &column : columns) {
        if (column.empty())
            continue;
        const bool continues = isChain && column.size() == 1 &&
                               made.columns.back().size() < choice.folded &&
                               isLinked(made.columns.back().back(), column.front());
        isChain = column.size() == 1;
        if (continues)
            made.columns.back().push_back(column.front());
        else
            made.columns.push_back(std::move(column));
    }
    made.lanes = WholeLanes::of(graph, made.columns);
    return made;
}

/// Returns the score of an arrangement. It is high for large cells, long titles, visible parameters
/// and few folds.
double score(const WholeRequest &request, const Arrangement &made, double scale) {
    if (!made.fits(request, scale)) {
        const QSizeF size = made.size(request, scale);
        return -std::max(size.width() / request.area.width(),
                         size.height() / request.area.height());
    }
    constexpr std::array<double, kWholeTitles> kTitles{0.4, 0.8, 1};
    const bool hides =
        made.choice.weights == Weights::Hidden &&
        std::ranges::any_of(request.learned, [](const auto &one) { return one.has_value(); });
    return (std::min(scale, kEnough) + 0.1 * scale) *
           kTitles[static_cast<std::size_t>(made.choice.title)] * (hides ? 0.12 : 1) *
           (1 - 0.04 * static_cast<double>(made.choice.folded));
}

WholeNode nodeAt(core::StageId at, const WholeMatrix &matrix, QPointF corner, double titleHeight,
                 double scale, WholeTitle title) {
    WholeNode node;
    node.at = at;
    node.rows = matrix.rows;
    node.columns = matrix.columns;
    node.title =
        QRectF(corner, QSizeF(sizeOf(matrix, titleHeight, title, scale).width(), titleHeight));
    node.matrix = QRectF(QPointF(corner.x(), corner.y() + titleHeight + kTitleGap),
                         QSizeF(sideOf(matrix.columns, scale), sideOf(matrix.rows, scale)));
    if (matrix.besideWidth <= 0)
        return node;
    node.beside = QRectF(node.matrix.right() + kBesideGap, node.matrix.top(),
                         matrix.besideWidth - kBesideGap, node.matrix.height());
    const double right = std::max(node.beside.right(), corner.x() + matrix.besideLabel.width());
    node.besideLabel =
        QRectF(corner.x(), node.matrix.bottom(), right - corner.x(), matrix.besideLabel.height());
    return node;
}

WholeGeometry place(const WholeRequest &request, const Arrangement &made, double scale) {
    WholeGeometry geometry;
    geometry.scale = scale;
    geometry.title = made.choice.title;
    geometry.nodes.resize(request.graph.stages.size());
    const QSizeF size = made.size(request, scale);
    const double spare = std::max(0.0, request.area.width() - size.width());
    const auto gaps = static_cast<double>(std::max<std::size_t>(1, made.columns.size() - 1));
    const double gap = kMinGap + std::floor(std::min(spare / gaps, 40 * request.textScale));
    double x =
        std::round(request.area.left() + std::max(0.0, (spare - (gap - kMinGap) * gaps) / 2));
    const QRectF rows(request.area.left(), request.area.top() + made.lanes.above(),
                      request.area.width(), request.area.height() - made.lanes.height());
    WholeColumns columns;
    for (std::size_t which = 0; which < made.columns.size(); ++which) {
        const QSizeF column = made.column(request, which, scale);
        double y = std::round(std::max(rows.top(), rows.center().y() - column.height() / 2));
        // Left edge of the stage above. A stage without parameters is aligned with it.
        double left = x;
        for (const std::size_t stage : made.columns[which]) {
            const core::StageId at = request.graph.stages[stage].at;
            const QSizeF block = made.block(request, stage, scale);
            const bool fits = left + block.width() <= x + column.width();
            QPointF corner(!made.weights(request, stage) && fits ? left : x, y);
            if (const auto &weights = made.weights(request, stage)) {
                const WholeNode before =
                    nodeAt(at, *weights, corner, made.titleHeight, scale, made.choice.title);
                const bool isBeside = made.choice.weights == Weights::Beside;
                corner = isBeside ? QPointF(before.frame().right() + kSign, y)
                                  : QPointF(x, before.frame().bottom() + kSign);
                geometry.learned.push_back(before);
            }
            geometry.nodes[stage] = nodeAt(at, request.matrices[stage], corner, made.titleHeight,
                                           scale, made.choice.title);
            if (!geometry.learned.empty() && geometry.learned.back().at == at) {
                const QRectF from = geometry.learned.back().matrix;
                const QRectF to = geometry.nodes[stage].matrix;
                geometry.signs.push_back(
                    made.choice.weights == Weights::Beside
                        ? QRectF(to.left() - kSign, to.top(), kSign, to.height())
                        : QRectF(from.left(), from.bottom(), from.width(), kSign));
            }
            left = corner.x();
            y += block.height() + kVerticalGap;
        }
        columns.push_back({x, x + column.width()});
        x += column.width() + gap;
    }
    geometry.arrows = wholeArrows(geometry, request.graph, made.columns, made.lanes, columns, rows);
    geometry.isComplete =
        made.fits(request, scale) && scale >= kReadable &&
        made.choice.title != WholeTitle::Symbol &&
        geometry.learned.size() ==
            static_cast<std::size_t>(std::ranges::count_if(
                request.learned, [](const auto &one) { return one.has_value(); }));
    return geometry;
}

} // namespace

WholeGeometry WholeGeometry::of(const WholeRequest &request) {
    std::optional<Arrangement> best;
    double bestScale = 0, bestScore = 0;
    for (const Choice &choice : candidates()) {
        Arrangement made = arrange(request, choice);
        const double scale = made.scale(request);
        const double points = score(request, made, scale);
        if (best && points <= bestScore)
            continue;
        best = std::move(made);
        bestScale = scale;
        bestScore = points;
    }
    return place(request, *best, bestScale);
}

QSizeF minimumWholeSize(const WholeRequest &request) {
    return arrange(request, {2, WholeTitle::Symbol, Weights::Hidden}).size(request, kMinScale);
}

HeatmapGeometry WholeNode::cells() const {
    HeatmapGeometry geometry;
    geometry.area = frame();
    geometry.cells = matrix;
    geometry.title = title;
    geometry.beside = beside;
    geometry.besideLabel = besideLabel;
    geometry.rows = rows;
    geometry.columns = columns;
    geometry.cell = QSizeF(matrix.width() / static_cast<double>(std::max<core::Index>(1, columns)),
                           matrix.height() / static_cast<double>(std::max<core::Index>(1, rows)));
    return geometry;
}

const WholeNode *WholeGeometry::node(core::StageId at) const & {
    const auto found = std::ranges::find(nodes, at, &WholeNode::at);
    return found == nodes.end() ? nullptr : &*found;
}

const WholeNode *WholeGeometry::learnedOf(core::StageId at) const & {
    const auto found = std::ranges::find(learned, at, &WholeNode::at);
    return found == learned.end() ? nullptr : &*found;
}

std::optional<core::StageId> WholeGeometry::stageAt(QPointF point) const {
    for (const auto *list : {&nodes, &learned})
        for (const WholeNode &node : *list)
            if (node.frame().contains(point))
                return node.at;
    return std::nullopt;
}

void WholeGeometry::moveBy(QPointF offset) {
    for (auto *list : {&nodes, &learned})
        for (WholeNode &node : *list) {
            node.title.translate(offset);
            node.matrix.translate(offset);
            node.beside.translate(offset);
            node.besideLabel.translate(offset);
        }
    for (QRectF &sign : signs)
        sign.translate(offset);
    for (WholeArrow &arrow : arrows)
        arrow.path.translate(offset);
}

} // namespace headlight::ui
