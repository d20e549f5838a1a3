#include "ui/views/whole_view.h"

#include "core/training/run/targets.h"
#include "ui/document/training_controller.h"
#include "ui/figures/heatmap/trace_heatmap.h"
#include "ui/figures/text/symbol_spans.h"
#include "ui/text/glossary/glossary.h"
#include "ui/text/parameter_text.h"

#include <QMouseEvent>

namespace headlight::ui {

WholeView::WholeView(Document &document, QWidget *parent)
    : FigureView(core::View::Whole, document, parent) {
    connect(&document, &Document::changed, this, [this](const ChangeEvent &event) {
        if (is<SessionChanged>(event))
            setShowGradients(false);
        else if (is<TraceChanged>(event))
            makeBackwardPass();
    });
}

void WholeView::setShowGradients(bool on) {
    if (m_wantsGradients == on)
        return;
    m_wantsGradients = on;
    emit optionsChanged();
    if (on)
        return makeBackwardPass();
    m_backwardJob.cancel();
    showGradients(nullptr);
}

void WholeView::makeBackwardPass() {
    if (!m_wantsGradients || !document().trace() || document().traceIsStale())
        return;
    m_backwardJob.start(
        [trace = document().trace(),
         task = TrainingController::of(document()).task()](const std::stop_token &stop) {
            return core::runBackward(trace, core::taskTargetsOf(*trace, task.get()), stop);
        },
        [this](const core::Result<core::BackwardPassPointer> &made) {
            if (made)
                return showGradients(*made);
            setShowGradients(false);
            emit failed(made.error());
        });
}

std::unique_ptr<Figure> WholeView::makeFigure(const FigureInput &input) const {
    if (input.kept) // the cached layout is of the figure on the screen
        m_placed.reset();
    // During training, each backward pass is ready a little after its trace. Show the previous one
    // until then.
    const core::BackwardPassPointer &back = input.options.backwardPass;
    if (m_wantsGradients && back && back->trace != input.trace &&
        back->trace->input() == input.trace->input()) {
        FigureInput before = input;
        before.trace = back->trace;
        return FigureView::makeFigure(before);
    }
    return FigureView::makeFigure(input);
}

const WholeFigure::Places &WholeView::places() const {
    const QRectF area = figureArea();
    if (!m_placed || m_placed->area != area)
        m_placed = Placed{area, whole()->places(area)};
    return m_placed->places;
}

void WholeView::paintFigure(QPainter &painter) {
    whole()->paint(painter, figureArea(), Device::Raster);
}

ShownHeatmap WholeView::shownHeatmap() {
    const auto *shown = static_cast<const WholeFigure *>(figure());
    const HeatmapContent *content = shown ? shown->contentAt(shown->stage()) : nullptr;
    if (!content)
        return {};
    return {content, places().map.node(shown->stage())->cells(), shown->stage().stage};
}

std::optional<HeatmapGeometry> WholeView::largeGeometry() const {
    if (!whole() || !whole()->contentAt(whole()->stage()))
        return std::nullopt;
    return places().map.node(whole()->stage())->cells();
}

std::vector<HeatmapGeometry> WholeView::allGeometries() const {
    std::vector<HeatmapGeometry> all;
    if (!whole())
        return all;
    for (const WholeNode &node : places().map.nodes)
        all.push_back(node.cells());
    return all;
}

std::vector<QRectF> WholeView::sought() const {
    std::vector<QRectF> places = FigureView::sought();
    if (whole())
        if (const WholeNode *node = this->places().map.node(whole()->stage()))
            places.insert(places.begin(), node->frame());
    return places;
}

HitTestResult WholeView::placeAt(QPointF point) const {
    HitTestResult place{document().selection(), {}};
    if (!whole())
        return place;
    const WholeGeometry &map = places().map;
    const auto at = map.stageAt(point);
    if (!at)
        return place;
    place.selection = atStage(place.selection, *at);
    if (const WholeNode *node = map.node(*at); node->matrix.contains(point)) {
        place.cell = node->cells().cellAt(point);
    } else if (const auto row = node->cells().besideRowAt(point)) {
        place.sinkRow = row;
    } else if (const WholeNode *weights = map.learnedOf(*at);
               weights && weights->matrix.contains(point)) {
        // The columns are the dimensions of the result.
        if (const auto cell = weights->cells().cellAt(point))
            place.selection.dimension = whole()->learnedOf(*at)->sample.columnOf(cell->column);
    }
    return place;
}

QString WholeView::wordsOf(const HitTestResult &place) const {
    const QString words = FigureView::wordsOf(place);
    const core::Selection shown = shownSelection();
    const core::StageId at{place.selection.stage, place.selection.attention()};
    if (!words.isEmpty() || at == core::StageId{shown.stage, shown.attention()})
        return words;
    // Name the stage, because its name may not fit in the picture.
    const ShownRun run =
        shownRun(document().trace(), place.selection, document().comparison().compared());
    const core::MatrixSize matrix = sizeOf(*run.trace, run.selection);
    if (matrix.rows == 0)
        return {};
    return QStringLiteral("%1, %2").arg(
        titleOf(run.trace->model(), namedStage(at.stage, at.attention.layer)),
        shapeText(matrix.rows, matrix.columns));
}

QString WholeView::wordsAt(QPointF point) const {
    if (whole()) {
        const QPointF at = inFigure(point);
        const WholeGeometry &map = places().map;
        for (const WholeNode &weights : map.learned)
            if (const ParameterHeatmap *shown = whole()->learnedOf(weights.at);
                shown && weights.frame().contains(at)) {
                const auto cell =
                    weights.matrix.contains(at) ? weights.cells().cellAt(at) : std::nullopt;
                return cell ? shown->wordsOf(*cell) : shown->words();
            }
    }
    return FigureView::wordsAt(point);
}

QString WholeView::termAt(QPointF point) const {
    if (!whole())
        return {};
    const WholeGeometry &map = places().map;
    for (const WholeNode &weights : map.learned)
        if (const ParameterHeatmap *shown = whole()->learnedOf(weights.at);
            shown && weights.title.contains(point))
            return entryOfSymbol(markedSymbolOf(shown->matrix.id.which))
                .value_or(entryOf(weights.at.stage))
                .id;
    for (const WholeNode &node : map.nodes)
        if (node.title.contains(point))
            return entryOf(namedStage(node.at.stage, node.at.attention.layer)).id;
    return {};
}

bool WholeView::handleKey(QKeyEvent *event) {
    if (event->key() != Qt::Key_Return && event->key() != Qt::Key_Enter)
        return false;
    if (!m_wantsGradients)
        emit closeUpRequested();
    return true;
}

void WholeView::mousePressEvent(QMouseEvent *event) {
    const bool mayOpen = event->button() == Qt::LeftButton && whole() && !isMaskEditing() &&
                         !isSpaceDown() && !m_wantsGradients;
    m_pressed = mayOpen ? places().map.stageAt(inFigure(event->position())) : std::nullopt;
    FigureView::mousePressEvent(event);
}

void WholeView::mouseMoveEvent(QMouseEvent *event) {
    if (isMovingFigure())
        m_pressed.reset();
    FigureView::mouseMoveEvent(event);
}

void WholeView::mouseReleaseEvent(QMouseEvent *event) {
    FigureView::mouseReleaseEvent(event);
    const auto pressed = std::exchange(m_pressed, std::nullopt);
    if (pressed && whole() && places().map.stageAt(inFigure(event->position())) == pressed)
        emit closeUpRequested();
}

} // namespace headlight::ui
