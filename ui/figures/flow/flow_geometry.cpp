#include "ui/figures/flow/flow_geometry.h"

#include "ui/figures/flow/flow_arrows.h"
#include "ui/figures/spacing.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr double kSmallest = 40;    // px: no matrix is smaller
constexpr double kVerticalGap = 24; // between stages above each other: room for an arrow
constexpr double kSmallGap = 17;    // the same where there is little height
constexpr double kBeside = 8;       // between a matrix and a title beside it
constexpr double kRowGap = 26;      // between stages side by side: room for an arrow
constexpr double kLane = 18;        // beneath the scores, where the values go past them

/// The shape of a small matrix as it is drawn: its own, within limits that keep it readable.
QSizeF smallSize(const FlowStage &stage, double width, double height, double largestCell) {
    const double aspect = std::clamp(static_cast<double>(stage.columns) /
                                         static_cast<double>(std::max<core::Index>(1, stage.rows)),
                                     0.6, 1.8);
    width = std::min(width, largestCell * static_cast<double>(stage.columns));
    height = std::min(height, largestCell * static_cast<double>(stage.rows));
    double w = std::min(width, height * aspect);
    double h = w / aspect;
    w = std::max(w, kSmallest);
    h = std::max(h, kSmallest);
    const auto whole = [](double side, core::Index count) {
        const double cells = static_cast<double>(std::max<core::Index>(1, count));
        const double rounded = std::floor(side / cells) * cells;
        return rounded >= kSmallest ? rounded : std::floor(side);
    };
    return {whole(w, stage.columns), whole(h, stage.rows)};
}

/// Small stages in the large one's column, side by side.
struct Row {
    std::vector<FlowStage> stages;
    bool beside = false;
};

class Layout {
  public:
    explicit Layout(const FlowRequest &request) : m_request(request) {
        m_geometry.area = request.area;
        m_geometry.current = request.current;
    }

    FlowGeometry run() {
        const QRectF inner =
            m_request.area.adjusted(kFigureMargin, kFigureMargin, -kFigureMargin, -kFigureMargin);
        m_geometry.formula = QRectF(inner.left(), inner.bottom() - m_request.formulaHeight,
                                    inner.width(), m_request.formulaHeight);
        m_diagram = QRectF(inner.left(), inner.top(), inner.width(),
                           inner.height() - m_request.formulaHeight - 12);
        for (const FlowStage &stage : m_request.stages) {
            m_columns[stage.column].push_back(stage);
            if (stage.at == m_request.current)
                m_large = stage.column;
        }
        for (const auto &column : m_columns)
            m_count += column.empty() ? 0 : 1;
        reserveLanes();
        chooseTitles();
        chooseWidths();
        double x = m_diagram.left() + (m_diagram.width() - totalWidth()) / 2;
        for (std::size_t column = 0; column < kFlowColumns; ++column) {
            if (m_columns[column].empty())
                continue;
            const double width = column == m_large ? m_wide : m_narrow;
            m_extent[column] = {std::round(x), std::round(x) + width};
            if (column == m_large)
                placeLarge(std::round(x));
            else
                placeNarrow(column, std::round(x));
            x += width + m_gap;
        }
        m_geometry.arrows = flowArrows(m_geometry, m_request, m_extent, m_diagram.top(),
                                       m_diagram.bottom() - kLane / 2);
        return std::move(m_geometry);
    }

  private:
    const std::vector<FlowStage> &columnAt(std::size_t column) const { return m_columns[column]; }
    std::size_t columnOf(core::StageAt at) const {
        for (const FlowStage &stage : m_request.stages)
            if (stage.at == at)
                return stage.column;
        return 0;
    }
    /// Where arrows pass above or beneath a column, it is that much lower.
    void reserveLanes() {
        double lanes = 0;
        for (const FlowLink &link : m_request.links) {
            if (link.route == FlowRoute::Direct)
                continue;
            const std::size_t from = columnOf(link.from), to = columnOf(link.to);
            const bool over = link.route == FlowRoute::Over;
            lanes += over ? kFlowLane : 0;
            // Where stages stand side by side, it begins above them.
            const std::size_t first = over && from == m_large ? from : from + 1;
            for (std::size_t column = first; column < to; ++column)
                (over ? m_over : m_under)[column] = over ? lanes : kLane;
        }
    }
    double topOf(std::size_t column) const { return m_diagram.top() + m_over[column]; }
    double heightOf(std::size_t column) const {
        return m_diagram.height() - m_over[column] - m_under[column];
    }
    double titles() const {
        return m_request.titleHeight + (m_compact ? 0 : m_request.lineHeight) + 4;
    }
    /// The height that is left for one matrix of a narrow column.
    double matrixHeight(std::size_t column) const {
        const auto count = static_cast<double>(columnAt(column).size());
        return (heightOf(column) - (count - 1) * m_verticalGap) / count - titles();
    }

    /// Two lines above every matrix, or one where there is little height.
    void chooseTitles() {
        for (std::size_t column = 0; column < kFlowColumns; ++column)
            if (!columnAt(column).empty() && matrixHeight(column) < 52)
                m_compact = true;
        if (m_diagram.height() < 400) {
            m_compact = true;
            m_verticalGap = kSmallGap;
        }
        for (std::size_t column = 0; column < kFlowColumns; ++column)
            while (!columnAt(column).empty() && matrixHeight(column) < kSmallest + 1 &&
                   m_verticalGap > 14)
                m_verticalGap -= 1;
    }

    /// The current stage stays the large one.
    double largestSmallCell() const {
        const QSizeF cell = m_geometry.large.cell;
        return std::max(4.0, 0.7 * std::max(cell.width(), cell.height()));
    }

    /// The rows of stages above and beneath the card.
    void splitLarge() {
        m_above.clear();
        m_beneath.clear();
        bool before = true;
        for (const FlowStage &stage : columnAt(m_large)) {
            if (stage.at == m_request.current) {
                before = false;
                continue;
            }
            auto &rows = before ? m_above : m_beneath;
            if (rows.empty() || stage.parallel)
                rows.emplace_back();
            rows.back().stages.push_back(stage);
        }
    }

    double stripMatrixHeight() const {
        return std::clamp(m_diagram.height() * 0.12, kSmallest, 84.0);
    }
    double besideWidth() const { return 7 * m_request.lineHeight; }
    double besideHeight() const { return m_request.titleHeight + m_request.lineHeight; }
    /// The width that a row of stages needs.
    double leastWidth(const Row &row) const {
        const double one = row.beside ? 1.8 * stripMatrixHeight() + kBeside + besideWidth() : 64;
        return static_cast<double>(row.stages.size()) * (one + kRowGap);
    }
    double heightOf(const Row &row) const {
        return (row.beside ? 0 : titles()) +
               std::max(stripMatrixHeight(), row.beside ? besideHeight() : 0) + m_verticalGap;
    }

    double narrowColumns() const {
        return static_cast<double>(std::max<std::size_t>(m_count, 1) - 1);
    }
    double totalWidth() const { return narrowColumns() * (m_narrow + m_gap) + m_wide; }

    void chooseWidths() {
        splitLarge();
        const double width = m_diagram.width();
        const bool many = m_count > 4;
        const double share = many ? 3 / narrowColumns() : 1;
        m_narrow =
            std::clamp(width * 0.115 * share,
                       flowColumnWidth(static_cast<double>(m_count), m_request.titleHeight), 150.0);
        m_gap =
            std::clamp(width * 0.042 * share, flowColumnGap(static_cast<double>(m_count)), 64.0);
        m_wide = 0;
        const double room = width - totalWidth();
        // Titles beside the matrices leave the card more height, where they fit in its width.
        double least = std::min(room, 230 * m_request.textScale);
        m_strips = 0;
        for (auto *rows : {&m_above, &m_beneath})
            for (Row &row : *rows) {
                row.beside = true;
                row.beside = row.stages.size() <= 2 && leastWidth(row) <= room;
                least = std::max(least, leastWidth(row));
                m_strips += heightOf(row);
            }
        const double cardHeight = heightOf(m_large) - m_strips;
        HeatmapRequest large = m_request.large;
        large.maximumCell = std::max(large.maximumCell, 0.18 * m_diagram.height());
        large.area = QRectF(0, 0, room - 2 * kCardPadding, cardHeight - 2 * kCardPadding);
        m_geometry.large = HeatmapGeometry::of(large);
        // What the card does not need goes to its neighbours and the space between them.
        const double used = m_geometry.large.used.width() + 2 * kCardPadding;
        m_wide = std::floor(std::min(room, std::max(used, least)));
        const double spare = width - totalWidth();
        const double others = std::max(1.0, narrowColumns());
        const double grown = std::min(spare * 0.6 / others, 190 - m_narrow);
        m_narrow = std::floor(m_narrow + std::max(0.0, grown));
        m_gap = std::floor(m_gap + std::clamp((width - totalWidth()) / others, 0.0, 110 - m_gap));
    }

    void addNode(const FlowStage &stage, double x, double y, double width, const QSizeF &matrix) {
        FlowNode node;
        node.at = stage.at;
        node.rows = stage.rows;
        node.columns = stage.columns;
        node.compact = m_compact;
        node.title = QRectF(x, y, width, m_request.titleHeight);
        node.subtitle =
            m_compact ? QRectF() : QRectF(x, node.title.bottom(), width, m_request.lineHeight);
        node.matrix = QRectF(QPointF(x, std::round(y + titles())), matrix);
        node.frame = QRectF(QPointF(x, y), QPointF(x + width, node.matrix.bottom()));
        m_geometry.nodes.push_back(node);
    }

    void placeNarrow(std::size_t column, double x) {
        std::vector<QSizeF> sizes;
        double height = 0;
        for (const FlowStage &stage : columnAt(column)) {
            sizes.push_back(smallSize(stage, m_narrow, matrixHeight(column), largestSmallCell()));
            height += titles() + sizes.back().height();
        }
        const auto gaps = static_cast<double>(sizes.size() - 1);
        // Columns with room to spare spread a little, so that the arrows between them read well.
        const double gap = sizes.size() < 2
                               ? 0
                               : std::floor(std::clamp((heightOf(column) - height) / (gaps + 1),
                                                       m_verticalGap, 64.0));
        double y = topOf(column) + std::max(0.0, (heightOf(column) - height - gaps * gap) / 2);
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            addNode(columnAt(column)[i], x, std::round(y), m_narrow, sizes[i]);
            y = m_geometry.nodes.back().frame.bottom() + gap;
        }
    }

    void addNodeBeside(const FlowStage &stage, double x, double y, const QSizeF &matrix) {
        FlowNode node;
        node.at = stage.at;
        node.rows = stage.rows;
        node.columns = stage.columns;
        node.beside = true;
        node.matrix = QRectF(QPointF(x, y), matrix);
        const double text = besideHeight();
        const double width =
            std::min(besideWidth(), std::max(stage.titleWidth + 1, 4 * m_request.lineHeight));
        node.title =
            QRectF(node.matrix.right() + kBeside, std::round(node.matrix.center().y() - text / 2),
                   width, m_request.titleHeight);
        node.subtitle = QRectF(node.title.left(), node.title.bottom(), node.title.width(),
                               m_request.lineHeight);
        node.frame = node.matrix.united(node.title).united(node.subtitle);
        m_geometry.nodes.push_back(node);
    }

    double placeRow(const Row &row, double x, double y) {
        const double share = std::floor(m_wide / static_cast<double>(row.stages.size()));
        double bottom = y;
        for (std::size_t i = 0; i < row.stages.size(); ++i) {
            const double left = x + static_cast<double>(i) * share;
            const double text = row.beside ? kBeside + besideWidth() : 0;
            const double width = std::min(share - kRowGap - text, 1.8 * stripMatrixHeight());
            const QSizeF size =
                smallSize(row.stages[i], width, stripMatrixHeight(), largestSmallCell());
            if (row.beside)
                addNodeBeside(row.stages[i], left,
                              y + std::round(std::max(0.0, besideHeight() - size.height()) / 2),
                              size);
            else
                addNode(row.stages[i], left, y, width, size);
            bottom = std::max(bottom, m_geometry.nodes.back().frame.bottom());
        }
        return bottom;
    }

    void placeLarge(double x) {
        const double cardHeight = m_geometry.large.used.height() + 2 * kCardPadding;
        double y = std::round(topOf(m_large) +
                              std::max(0.0, (heightOf(m_large) - cardHeight - m_strips) / 2));
        for (const auto &row : m_above)
            y = std::round(placeRow(row, x, y) + m_verticalGap);
        m_geometry.card = QRectF(x, y, m_wide, std::ceil(cardHeight));
        const double inside = m_wide - 2 * kCardPadding - m_geometry.large.used.width();
        m_geometry.large.moveBy(
            QPointF(x + kCardPadding + std::floor(std::max(0.0, inside) / 2), y + kCardPadding));
        m_geometry.large.setTextExtent(x + kCardPadding, x + m_wide - kCardPadding);
        y = m_geometry.card.bottom() + m_verticalGap;
        for (const auto &row : m_beneath)
            y = std::round(placeRow(row, x, y) + m_verticalGap);
    }

    const FlowRequest &m_request;
    FlowGeometry m_geometry;
    QRectF m_diagram;
    std::array<std::vector<FlowStage>, kFlowColumns> m_columns;
    std::array<double, kFlowColumns> m_over{}, m_under{};
    std::size_t m_count = 0; // of the columns that hold a stage
    FlowColumns m_extent{};
    std::vector<Row> m_above, m_beneath;
    double m_strips = 0; // the height of all rows beside the card, gaps included
    std::size_t m_large = 0;
    bool m_compact = false;
    double m_verticalGap = kVerticalGap;
    double m_narrow = 0, m_gap = 0, m_wide = 0;
};

} // namespace

double flowColumnWidth(double columns, double titleHeight) {
    return columns > 4 ? std::max(56.0, 2.7 * titleHeight) : 64;
}

double flowColumnGap(double columns) {
    return columns > 4 ? 22 : 28;
}

FlowGeometry FlowGeometry::of(const FlowRequest &request) {
    return Layout(request).run();
}

HeatmapGeometry FlowNode::cells() const {
    HeatmapGeometry geometry;
    geometry.area = frame;
    geometry.cells = matrix;
    geometry.rows = rows;
    geometry.columns = columns;
    geometry.cell = QSizeF(matrix.width() / static_cast<double>(std::max<core::Index>(1, columns)),
                           matrix.height() / static_cast<double>(std::max<core::Index>(1, rows)));
    return geometry;
}

std::optional<Cell> FlowGeometry::cellAt(QPointF point) const {
    if (card.contains(point))
        return large.cellAt(point);
    for (const FlowNode &one : nodes)
        if (one.matrix.contains(point))
            return one.cells().cellAt(point);
    return std::nullopt;
}

void FlowGeometry::moveDiagram(QPointF offset) {
    for (FlowNode &one : nodes)
        for (QRectF *rect : {&one.frame, &one.title, &one.subtitle, &one.matrix})
            rect->translate(offset);
    card.translate(offset);
    large.moveBy(offset);
    for (FlowArrow &arrow : arrows) {
        arrow.path.translate(offset);
        arrow.tip += offset;
    }
}

const FlowNode *FlowGeometry::node(core::StageAt at) const & {
    const auto found = std::ranges::find(nodes, at, &FlowNode::at);
    return found == nodes.end() ? nullptr : &*found;
}

std::optional<core::StageAt> FlowGeometry::stageAt(QPointF point) const {
    if (card.contains(point))
        return current;
    for (const FlowNode &node : nodes)
        if (node.frame.contains(point))
            return node.at;
    return std::nullopt;
}

} // namespace headlight::ui
