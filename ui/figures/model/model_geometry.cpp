#include "ui/figures/model/model_geometry.h"

#include "ui/figures/base/spacing.h"

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr double kGroupGap = 20;              // px between groups
constexpr double kMaxTile = 220;              // px
constexpr double kBarGap = 6;                 // px between the tiles and their colour bar
constexpr double kTilesShare = 0.5;           // largest share of the width beside one large head
constexpr double kTilesShareOfSeveral = 0.36; // largest share of the width beside several heads
constexpr double kTilesShareUpright = 0.5;    // largest share of the height above large heads

/// A candidate layout: all groups in one row or in one column.
struct Arrangement {
    bool isRow = true;
    double side = 0;
};

double headerOf(const ModelGroupSize &group, double line) {
    return line * (group.hasName ? 2 : 1) + 2;
}

/// Returns the arrangement with the largest tiles.
Arrangement bestArrangement(const ModelRequest &request, const QSizeF &space) {
    int heads = 0, layers = 0, maxHeads = 1, maxLayers = 1;
    double headers = 0, highest = 0;
    for (const ModelGroupSize &group : request.groups) {
        heads += group.heads;
        layers += group.layers;
        maxHeads = std::max(maxHeads, group.heads);
        maxLayers = std::max(maxLayers, group.layers);
        headers += headerOf(group, request.lineHeight);
        highest = std::max(highest, headerOf(group, request.lineHeight));
    }
    const auto count = static_cast<double>(request.groups.size());
    const double gaps = kGroupGap * (count - 1);
    const double row = std::min((space.width() - gaps - count * request.labelWidth) / heads,
                                (space.height() - highest) / maxLayers);
    const double column = std::min((space.width() - request.labelWidth) / maxHeads,
                                   (space.height() - headers - gaps) / layers);
    const auto whole = [](double side) {
        side = std::clamp(side, 1.0, kMaxTile);
        return side >= 4 ? std::floor(side) : side;
    };
    return row >= column ? Arrangement{true, whole(row)} : Arrangement{false, whole(column)};
}

void placeCards(ModelGeometry &geometry, const QRectF &space, int count) {
    int columns = 1;
    double best = 0;
    const auto rowsOf = [count](int across) { return (count + across - 1) / across; };
    for (int across = 1; across <= count; ++across) {
        const double side = std::min(space.width() / across, space.height() / rowsOf(across));
        if (side > best) {
            best = side;
            columns = across;
        }
    }
    const int rows = rowsOf(columns);
    const double gap = kFigureMargin / 2;
    const QSizeF size((space.width() - gap * (columns - 1)) / columns,
                      (space.height() - gap * (rows - 1)) / rows);
    for (int card = 0; card < count; ++card)
        geometry.cards.emplace_back(
            space.topLeft() + QPointF((card % columns) * (size.width() + gap),
                                      static_cast<double>(card / columns) * (size.height() + gap)),
            size);
}

} // namespace

QRectF ModelGeometry::Group::tile(int layer, int head) const {
    return {tiles.left() + head * side, tiles.top() + layer * side, side, side};
}

ModelGeometry ModelGeometry::of(const ModelRequest &request) {
    ModelGeometry geometry;
    const double margin = kFigureMargin;
    const QRectF inside =
        request.area.adjusted(margin + request.room, margin / 2, -margin, -margin);
    geometry.area = inside;
    geometry.title = QRectF(inside.topLeft(), QSizeF(inside.width(), request.titleHeight));
    const QRectF rest = inside.adjusted(0, request.titleHeight + 4, 0, 0);
    if (request.groups.empty() || rest.width() < 1 || rest.height() < 1)
        return geometry;
    const bool isBeside = request.cards > 0 && rest.width() >= 1.1 * rest.height();
    QSizeF space = rest.size();
    if (isBeside)
        space.setWidth(
            std::floor(rest.width() * (request.cards > 1 ? kTilesShareOfSeveral : kTilesShare)));
    else if (request.cards > 0)
        space.setHeight(std::floor(rest.height() * kTilesShareUpright));
    const bool hasBar = !request.colourBar.isEmpty();
    const QSizeF ofTiles(space.width(),
                         space.height() - (hasBar ? kBarGap + request.colourBar.height() : 0));
    const Arrangement tiles = bestArrangement(request, ofTiles);
    geometry.gap = tiles.side >= 20 ? 2 : tiles.side >= 8 ? 1 : 0;
    QPointF at = rest.topLeft();
    double right = at.x(), bottom = at.y();
    for (const ModelGroupSize &size : request.groups) {
        Group group;
        group.side = tiles.side;
        const double line = request.lineHeight;
        const double width = request.labelWidth + size.heads * tiles.side;
        double y = at.y();
        if (size.hasName) {
            group.name = QRectF(at.x(), y, width, line);
            y += line;
        }
        group.corner = QRectF(at.x(), y, request.labelWidth, line);
        group.tiles = QRectF(std::round(at.x() + request.labelWidth), std::round(y + line + 2),
                             size.heads * tiles.side, size.layers * tiles.side);
        for (int head = 0; head < size.heads; ++head)
            group.heads.emplace_back(group.tiles.left() + head * tiles.side, y, tiles.side, line);
        for (int layer = 0; layer < size.layers; ++layer)
            group.layers.emplace_back(at.x(), group.tiles.top() + layer * tiles.side,
                                      request.labelWidth - 6, tiles.side);
        right = std::max(right, group.tiles.right());
        bottom = std::max(bottom, group.tiles.bottom());
        if (tiles.isRow)
            at.setX(group.tiles.right() + kGroupGap);
        else
            at.setY(group.tiles.bottom() + kGroupGap);
        geometry.groups.push_back(std::move(group));
    }
    if (hasBar) {
        const double width =
            std::min(std::max(right - rest.left(), request.colourBar.width()), space.width());
        geometry.colourBar =
            QRectF(rest.left(), bottom + kBarGap, width, request.colourBar.height());
        right = std::max(right, geometry.colourBar.right());
        bottom = geometry.colourBar.bottom();
    }
    if (request.cards > 0)
        placeCards(geometry,
                   isBeside ? QRectF(QPointF(right + margin, rest.top()), rest.bottomRight())
                            : QRectF(QPointF(rest.left(), bottom + margin), rest.bottomRight()),
                   request.cards);
    return geometry;
}

} // namespace headlight::ui
