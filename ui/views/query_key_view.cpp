#include "ui/views/query_key_view.h"

#include "ui/compare/nearest_selectable.h"
#include "ui/figures/parts/model_parts.h"
#include "ui/text/glossary/glossary.h"

#include <QKeyEvent>

#include <algorithm>

namespace headlight::ui {

QueryKeyView::QueryKeyView(Document &document, QWidget *parent)
    : FigureView(core::View::QueryKey, document, parent) {}

QueryKeyGeometry QueryKeyView::geometry() const {
    return products()->geometry(figureArea());
}

void QueryKeyView::paintFigure(QPainter &painter) {
    painter.fillRect(sight(), figureStyle().background);
    products()->paint(painter, figureArea(), Device::Raster);
}

ShownHeatmap QueryKeyView::shownHeatmap() {
    if (!figure() || !hasProducts())
        return {};
    return {&products()->heatmap().content(), geometry().heatmap, core::Stage::Scores};
}

QRectF QueryKeyView::colourBarRect() const {
    return hasProducts() ? geometry().heatmap.colourBar : QRectF();
}

std::vector<QRectF> QueryKeyView::sought() const {
    if (!hasProducts())
        return {};
    return {geometry().heatmap.rowRect(products()->content().products.chosen)};
}

core::Selection QueryKeyView::atKey(core::Index key) const {
    const Compared compared = document().comparison().compared();
    const core::Selection now = onShownSide(compared, document().selection());
    core::Selection at = atStage(now, {core::Stage::Scores, now.attention()});
    at.query = now.query;
    at.dimension.reset();
    at.key = key;
    return onCurrentSide(compared, at);
}

HitTestResult QueryKeyView::placeAt(QPointF point) const {
    const auto product = hasProducts() ? products()->productAt(geometry(), point) : std::nullopt;
    return {product ? atKey(product->row) : document().selection(), {}};
}

QString QueryKeyView::wordsAt(QPointF point) const {
    const auto product =
        hasProducts() ? products()->productAt(geometry(), inFigure(point)) : std::nullopt;
    return product ? products()->words(*product) : QString();
}

QString QueryKeyView::termAt(QPointF point) const {
    const bool isTitle = hasProducts() && geometry().title.contains(point);
    return isTitle ? entryOf(core::Stage::Scores).id : QString();
}

void QueryKeyView::move(core::Index queries, core::Index keys) {
    if (document().traceIsStale())
        return; // the selection belongs to the state that is being computed
    const Compared compared = document().comparison().compared();
    const ShownRun run = shownRun(document().trace(), document().selectionInTrace(), compared);
    const core::Index count =
        run.trace->queries(run.selection.attention())[run.selection.sequence].length;
    const core::Selection now = onShownSide(compared, document().selection());
    const core::Index key = hasProducts() ? products()->content().products.chosen : 0;
    const core::Index keyCount =
        hasProducts() ? std::ssize(products()->content().products.scores) : 1;
    core::Selection at = atStage(now, {core::Stage::Scores, now.attention()});
    at.dimension.reset();
    at.query = std::clamp<core::Index>(now.query ? *now.query + queries : 0, 0, count - 1);
    at.key = std::clamp<core::Index>(key + keys, 0, keyCount - 1);
    if (keys == 0)
        at.key.reset(); // unset: the key with the largest score of the new row
    const auto moved = keys == 0 ? &core::Selection::query : &core::Selection::key;
    const auto canSelect = [&](core::Index each) {
        core::Selection there = at;
        there.*moved = each;
        return (onCurrentSide(compared, there).*moved).has_value();
    };
    at.*moved = nearestSelectable((at.*moved).value_or(0), keys == 0 ? queries : keys,
                                  keys == 0 ? count : keyCount, canSelect);
    if (!(at.*moved))
        return;
    document().select(onCurrentSide(compared, at));
    if (figure())
        emit hovered(products()->content().subtitle);
}

bool QueryKeyView::handleKey(QKeyEvent *event) {
    (void)figure(); // the last selection may not be painted yet
    if (!products() || event->modifiers() != Qt::NoModifier)
        return false;
    switch (event->key()) {
    case Qt::Key_Left:
        return move(-1, 0), true;
    case Qt::Key_Right:
        return move(1, 0), true;
    case Qt::Key_Up:
        return move(0, -1), true;
    case Qt::Key_Down:
        return move(0, 1), true;
    default:
        return false;
    }
}

} // namespace headlight::ui
