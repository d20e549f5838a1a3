// Computes the size at which a flow leaves out nothing.
#include "ui/figures/flow/flow_layout.h"

#include <algorithm>

namespace headlight::ui {

namespace {

constexpr double kMinCard = 240; // px, times the text scale; keeps the current stage readable
constexpr core::Index kFew = 12; // rows and columns; up to this many show every number and label
constexpr QSizeF kCardNumber{21, 12}; // px of a cell with a number
constexpr double kMaxGrowth = 3;      // maximum growth of the visible size, in width and height

bool hasName(const FlowNode &node, const FlowSize &of) {
    return node.title.width() >= of.titleWidth;
}

bool hasShape(const FlowNode &node, const FlowSize &of) {
    const double before = hasName(node, of) ? of.titleWidth : of.symbolWidth;
    return node.compact ? node.title.width() + 0.5 >= before + FlowText::kBetween + of.shapeWidth
                        : node.subtitle.width() >= of.shapeWidth;
}

bool hasLongShape(const FlowNode &node, const FlowSize &of) {
    return !node.compact && node.subtitle.width() >= of.longShapeWidth;
}

/// True if a small matrix shows every number and every label.
bool keepsFew(const HeatmapGeometry &large) {
    return large.rows > kFew || large.columns > kFew ||
           (large.rowLabelStep == 1 && large.columnLabelStep == 1 &&
            large.cell.width() >= kCardNumber.width() &&
            large.cell.height() >= kCardNumber.height());
}

bool keeps(const FlowNode &node, const FlowSize &of, FlowLayoutPriority kept) {
    const bool isSeen = std::min(node.matrix.width(), node.matrix.height()) >= kWellSeen;
    return isSeen &&
           (kept != FlowLayoutPriority::Everything || (hasName(node, of) && hasShape(node, of)));
}

/// True if the enlarged node shows everything that the usual one shows.
bool keepsAllOf(const FlowNode &usual, const FlowSize &usualSize, const FlowNode &enlarged,
                const FlowSize &size) {
    for (const auto has : {hasName, hasShape, hasLongShape})
        if (has(usual, usualSize) && !has(enlarged, size))
            return false;
    return showsNumbersOf(usual.cells().cell, enlarged.cells().cell);
}

/// True if this holds for all matrices.
bool keepsAllOf(const FlowGeometry &usual, const FlowRequest &usualRequest,
                const FlowGeometry &enlarged, const FlowRequest &request) {
    if (!showsAllOf(usual.large, usualRequest.large, enlarged.large, request.large))
        return false;
    for (std::size_t i = 0; i < request.stages.size(); ++i) {
        const FlowStage &stage = request.stages[i], &before = usualRequest.stages[i];
        const auto same = [](const FlowNode *was, const FlowSize &wasSize, const FlowNode *is,
                             const FlowSize &size) {
            return !was || (is && keepsAllOf(*was, wasSize, *is, size));
        };
        if (!same(usual.node(stage.at), sizeOf(before), enlarged.node(stage.at), sizeOf(stage)) ||
            (stage.learned && !same(usual.learnedOf(stage.at), *before.learned,
                                    enlarged.learnedOf(stage.at), *stage.learned)))
            return false;
    }
    return true;
}

} // namespace

bool keeps(const FlowGeometry &geometry, const FlowRequest &request, FlowLayoutPriority kept) {
    const QRectF &large = geometry.large.cells;
    if (geometry.card.width() < kMinCard * request.textScale ||
        std::min(large.width(), large.height()) < kWellSeen || !keepsFew(geometry.large))
        return false;
    return std::ranges::all_of(request.stages, [&](const FlowStage &stage) {
        const FlowNode *node = geometry.node(stage.at);
        const FlowNode *learned = geometry.learnedOf(stage.at);
        return (!node || keeps(*node, sizeOf(stage), kept)) &&
               (!stage.learned || (learned && keeps(*learned, *stage.learned, kept)));
    });
}

QSizeF readableArea(const FlowRequest &request, FlowRequest usual) {
    const auto grown = [](FlowRequest at, const auto &accepts) {
        const QSizeF sight = at.area.size();
        const double most = kMaxGrowth * at.textScale;
        return grownUntil(sight, most,
                          [&](const QSizeF &size) {
                              at.area.setSize(size);
                              const FlowGeometry geometry = FlowGeometry::of(at);
                              return keeps(geometry, at, FlowLayoutPriority::Matrices) &&
                                     accepts(geometry);
                          })
            .value_or(sight * at.textScale);
    };
    const auto isEnough = [](const FlowGeometry &) { return true; };
    if (request.textScale <= 1)
        return grown(request, isEnough);
    usual.area.setSize(grown(usual, isEnough));
    const FlowGeometry before = FlowGeometry::of(usual);
    return grown(request, [&](const FlowGeometry &geometry) {
        return keepsAllOf(before, usual, geometry, request);
    });
}

} // namespace headlight::ui
