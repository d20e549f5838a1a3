#include "ui/views/geometry_view.h"

#include "core/explain/sources.h"
#include "ui/views/geometry_bar.h"

#include <QResizeEvent>
#include <QVariantAnimation>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr int kPlayTime = 2000; // ms for the whole animation
constexpr double kMinZoom = 1.0 / 16;

/// Returns the directions of the planes and, if `shares`, the drawn share of the queries' lengths.
PinnedPlanes heldPlanes(const GeometryFigure &figure, bool shares) {
    PinnedPlanes held;
    for (std::size_t i = 0; i < figure.count(); ++i)
        if (const SpacePlane &plane = figure.plane(i); plane.content.nothing.isEmpty())
            held[static_cast<std::size_t>(plane.space)] = std::make_shared<const PinnedPlane>(
                PinnedPlane{plane.projection, shares ? std::optional(plane.share) : std::nullopt});
    return held;
}

} // namespace

GeometryView::GeometryView(Document &document, QWidget *parent)
    : FigureView(core::View::Geometry, document, parent),
      m_bar(new GeometryBar(*this)),
      m_play(new QVariantAnimation(this)) {
    m_play->setEndValue(1.0);
    connect(m_play, &QVariantAnimation::valueChanged, this, [this](const QVariant &value) {
        if (isPlaying())
            setGravity(value.toDouble());
    });
    connect(m_play, &QVariantAnimation::stateChanged, this,
            [this] { emit playingChanged(isPlaying()); });
    connect(&document, &Document::changed, this, &GeometryView::traceChanged);
    // The old viewport does not fit other planes or directions.
    connect(this, &FigureView::optionsChanged, this, [this, shown = options().plane]() mutable {
        const PlaneOptions before = std::exchange(shown, options().plane);
        if (before.spaces != shown.spaces || before.axes != shown.axes ||
            before.together != shown.together)
            fit();
    });
    emit optionsChanged();
}

GeometryView::MadeFrom GeometryView::madeFrom() const {
    const core::Selection selection = document().selectionInTrace();
    MadeFrom from{document().trace(), {}, options().plane};
    from.place.sequence = selection.sequence;
    from.place.layer = selection.layer;
    from.place.head = selection.head;
    from.place.block = selection.block;
    from.place.stack = selection.stack;
    if (from.options.axes == PlaneAxes::DotProduct)
        from.place.query = selection.query;
    from.options.gravity = 0;
    return from;
}

std::unique_ptr<Figure> GeometryView::makeFigure(const FigureInput &input) const {
    FigureInput from = input;
    const bool isNow = from.options.compared.shown == ComparisonSide::Now;
    const MadeFrom directions = madeFrom();
    if (m_drag && m_drag->moved)
        from.held = m_held;
    else if (isNow && directions == m_madeFrom)
        from.held = m_made;
    std::unique_ptr<Figure> figure = info().makeFigure(from);
    if (isNow && !(m_drag && m_drag->moved)) {
        m_madeFrom = directions;
        m_made = heldPlanes(static_cast<const GeometryFigure &>(*figure), false);
    }
    return figure;
}

GeometryLayout GeometryView::geometry() const {
    return planes()->geometry(figureArea(), m_sights);
}

void GeometryView::paintFigure(QPainter &painter) {
    painter.fillRect(sight(), figureStyle().background);
    planes()->paintIn(painter, figureArea(), m_sights);
}

QSizeF GeometryView::figureSize() const {
    return {static_cast<double>(width()),
            std::max(1.0, static_cast<double>(height() - m_bar->height()))};
}

void GeometryView::resizeEvent(QResizeEvent *event) {
    m_bar->setGeometry(0, height() - m_bar->heightFor(width()), width(), m_bar->heightFor(width()));
    FigureView::resizeEvent(event);
}

core::Selection GeometryView::selectionOf(const HitTestResult &place) const {
    if (!place.cell)
        return place.selection;
    const Compared compared = document().comparison().compared();
    core::Selection selection = onShownSide(compared, document().selection());
    selection.query = place.cell->row;
    selection.key = place.cell->column;
    return onCurrentSide(compared, selection);
}

QString GeometryView::wordsOf(const HitTestResult &place) const {
    const QStringList words =
        document().trace()
            ? planeText(*document().trace(), place.cell ? selectionOf(place) : place.selection,
                        options().plane)
            : QStringList();
    return words.join(QStringLiteral("; "));
}

std::optional<GeometryView::Hit> GeometryView::hitAt(QPointF point) const {
    if (!planes())
        return std::nullopt;
    const GeometryLayout places = geometry();
    const std::optional<std::size_t> plane = places.planeAt(point);
    if (!plane || planes()->plane(*plane).places.empty())
        return std::nullopt;
    const auto vector = places.planes[*plane].itemAt(point, planes()->figure(*plane).items());
    return vector ? std::optional(Hit{*plane, *vector}) : std::nullopt;
}

HitTestResult GeometryView::placeAt(QPointF point) const {
    const std::optional<Hit> hit = hitAt(point);
    if (!hit)
        return {document().selection(), std::nullopt};
    const Compared compared = document().comparison().compared();
    core::Selection selection = onShownSide(compared, document().selectionInTrace());
    const VectorSource &place = planes()->plane(hit->plane).places[hit->vector];
    selection.stage = place.stage;
    if (compared.shown == ComparisonSide::Now)
        selection.sequence = place.sequence;
    // Find the stage that is the attention module's input, because the plane's words show that
    // input.
    const auto input = place.stage == core::Stage::Positioned
                           ? core::attentionInput(*document().trace(), selection.attention())
                           : std::nullopt;
    if (input && input->stage == core::Stage::LayerInput && selection.layer > 0)
        selection.stage = core::Stage::LayerInput;
    (core::infoOf(place.stage).ofKeys() ? selection.key : selection.query) = place.token;
    return {onCurrentSide(compared, selection), std::nullopt};
}

QString GeometryView::wordsAt(QPointF point) const {
    const std::optional<Hit> hit = hitAt(inFigure(point));
    if (!hit)
        return {};
    const QString words = planes()->words(hit->plane, hit->vector);
    const QString unavailableReason = edits::unmovableReason(idOf(*hit));
    return unavailableReason.isEmpty() ? words
                                       : QStringLiteral("%1 (%2)").arg(words, unavailableReason);
}

/// Returns the term of the space at a plane's title and note, and of the projection at its subtitle
/// and axes.
QString GeometryView::termAt(QPointF point) const {
    if (!planes())
        return {};
    const GeometryLayout places = geometry();
    for (std::size_t i = 0; i < places.planes.size(); ++i) {
        const PlaneGeometry &place = places.planes[i];
        const SpacePlane &plane = planes()->plane(i);
        if (place.title.contains(point) || place.note.contains(point))
            return plane.space == core::VectorSpace::Residual   ? QStringLiteral("residual")
                   : plane.space == core::VectorSpace::QueryKey ? QStringLiteral("query")
                                                                : QStringLiteral("value");
        if (!place.subtitle.contains(point) && !place.xName.contains(point) &&
            !place.yName.contains(point))
            continue;
        switch (plane.projection.kind) {
        case core::Projection::Kind::Exact:
            return QStringLiteral("dimension");
        case core::Projection::Kind::Principal:
            return QStringLiteral("PCA");
        case core::Projection::Kind::DotProduct:
            return QStringLiteral("dot product");
        }
    }
    return {};
}

double GeometryView::zoom() const {
    if (!planes())
        return 1;
    double largest = 0;
    const GeometryLayout whole = planes()->geometry(figureArea());
    for (std::size_t i = 0; i < whole.planes.size(); ++i)
        largest =
            std::max(largest, m_sights[i] ? m_sights[i]->unit / whole.planes[i].sight.unit : 1);
    return largest;
}

void GeometryView::zoomBy(double factor) {
    if (!planes() || m_drag)
        return;
    for (const PlaneGeometry &plane : geometry().planes)
        zoomBy(factor, plane.plot.center() * shrink());
}

void GeometryView::zoomBy(double factor, QPointF point) {
    if (!planes() || m_drag)
        return;
    const GeometryLayout places = geometry();
    const QPointF at = inFigure(point);
    const std::optional<std::size_t> plane = places.planeAt(at);
    if (!plane)
        return;
    const PlaneGeometry &shown = places.planes[*plane];
    const double whole = planes()->geometry(figureArea()).planes[*plane].sight.unit;
    const double unit =
        std::clamp(shown.sight.unit * factor, whole * kMinZoom, whole * kMaxZoom * 4);
    // The point of the plane under the mouse stays fixed.
    const core::PlanePoint kept = shown.inPlane(at);
    const double ratio = shown.sight.unit / unit;
    m_sights[*plane] = PlaneViewport{{kept.x + (shown.sight.centre.x - kept.x) * ratio,
                                      kept.y + (shown.sight.centre.y - kept.y) * ratio},
                                     unit};
    update();
    emit zoomChanged();
}

void GeometryView::fit() {
    if (m_drag)
        return;
    m_sights = {};
    update();
    emit zoomChanged();
}

bool GeometryView::scrollAt(QPointF point, QPointF by) {
    if (!planes() || m_drag)
        return false;
    const GeometryLayout places = geometry();
    const std::optional<std::size_t> plane = places.planeAt(point);
    // The wheel scrolls zoomed planes only; a drag with the middle button scrolls any plane.
    if (!plane || (!m_sights[*plane] && !isMovingFigure()))
        return false;
    PlaneViewport sight = places.planes[*plane].sight;
    sight.centre.x += by.x() / sight.unit;
    sight.centre.y -= by.y() / sight.unit;
    m_sights[*plane] = sight;
    update();
    emit zoomChanged();
    return true;
}

QList<QAction *> GeometryView::planeActions() const {
    return m_bar->actions();
}

bool GeometryView::isPlaying() const {
    return m_play->state() == QAbstractAnimation::Running;
}

void GeometryView::play() {
    if (!isVisible())
        emit wanted();
    if (isPlaying() || m_drag || !isVisible())
        return;
    const double from = options().plane.gravity < 1 ? options().plane.gravity : 0;
    m_play->setStartValue(from);
    m_play->setDuration(std::max(1, static_cast<int>(kPlayTime * (1 - from))));
    m_play->start();
}

void GeometryView::pause() {
    m_play->stop();
}

void GeometryView::setGravity(double gravity) {
    PlaneOptions planes = options().plane;
    planes.gravity = std::clamp(gravity, 0.0, 1.0);
    setOption(&FigureOptions::plane, planes);
}

void GeometryView::hideEvent(QHideEvent *event) {
    pause();
    cancelDrag();
    FigureView::hideEvent(event);
}

void GeometryView::hold() {
    m_held = heldPlanes(*planes(), true);
}

void GeometryView::letGo() {
    m_held = {};
    remake();
}

void GeometryView::traceChanged(const ChangeEvent &event) {
    if (is<StepShown>(event))
        pause(); // otherwise the animation would continue in the new step
    if (is<SessionChanged>(event)) {
        m_drag.reset();
        pause();
        letGo();
        fit();
        m_madeFrom = {};
    } else if (is<TraceChanged>(event) && m_drag) {
        applyWanted();
    }
}

} // namespace headlight::ui
