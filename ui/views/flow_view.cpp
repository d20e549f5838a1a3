#include "ui/views/flow_view.h"

#include "core/training/run/targets.h"
#include "ui/document/training_controller.h"
#include "ui/figures/heatmap/trace_heatmap.h"
#include "ui/figures/text/symbol_spans.h"
#include "ui/text/glossary/glossary.h"
#include "ui/text/parameter_text.h"

#include "ui/views/opener.h"

#include <QMouseEvent>
#include <QPainterPath>

#include <algorithm>

namespace headlight::ui {

namespace {

/// Returns the glossary id of the model part that a stage belongs to.
QString termOfPart(core::StageId at) {
    switch (core::infoOf(at.stage).part) {
    case core::Part::Attention:
        return at.attention.block == core::Block::CrossAttention ? QStringLiteral("cross-attention")
                                                                 : QStringLiteral("attention");
    case core::Part::FeedForward:
        return QStringLiteral("feed-forward");
    default:
        return entryOf(at.stage).id;
    }
}

} // namespace

FlowView::FlowView(Document &document, QWidget *parent)
    : FigureView(core::View::Flow, document, parent),
      m_motion(std::make_unique<StepMotion>(*this)) {
    connect(this, &FigureView::zoomChanged, m_motion.get(), &StepMotion::finish);
    connect(&document, &Document::changed, this, [this](const ChangeEvent &event) {
        m_motion->finish();
        if (is<SessionChanged>(event))
            setShowGradients(false);
        else if (is<TraceChanged>(event))
            makeBackwardPass();
        followLesson(event);
        const auto *selected = std::get_if<SelectionChanged>(&event);
        if (selected && (selected->before.stage != this->document().selection().stage ||
                         selected->before.attention() != this->document().selection().attention() ||
                         selected->before.query != this->document().selection().query))
            m_scroll = 0; // another line of arithmetic
    });
}

void FlowView::setShowGradients(bool on) {
    if (m_wantsGradients == on)
        return;
    m_wantsGradients = on;
    emit optionsChanged();
    if (on)
        return makeBackwardPass();
    m_backwardJob.cancel();
    showGradients(nullptr);
}

void FlowView::makeBackwardPass() {
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

void FlowView::showStep() {
    m_wantsStep = false;
    if (!isVisible() || wantsGradients() || !StepMotion::isWanted() || document().traceIsStale() ||
        document().comparison().compared().shown != ComparisonSide::Now || !figure())
        return;
    m_moving = currentFigure();
    m_motion->play(FlowMotion(*document().trace(), *flow(), geometry(), figureStyle()), shrink());
}

/// Animates the next lesson step like a step of the computation, once its selection is computed.
void FlowView::followLesson(const ChangeEvent &event) {
    const core::Index step = document().state().lessonStep;
    const auto *state = std::get_if<StateChanged>(&event);
    if (state && state->step)
        m_wantsStep = step == m_lessonStep + 1;
    m_lessonStep = step;
    if (m_wantsStep && (state || is<TraceChanged>(event)))
        QMetaObject::invokeMethod(
            this,
            [this] {
                if (m_wantsStep && !document().traceIsStale())
                    showStep();
            },
            Qt::QueuedConnection);
}

FlowViewport FlowView::viewport() const {
    return {zoom(), wholeSize(), pan(), windowOrigin(), m_scroll, openerSpace(figureStyle())};
}

FlowGeometry FlowView::geometry() const {
    const QRectF seen = sight();
    const FlowViewport shown = viewport();
    if (!m_placed || m_placed->sight != seen || m_placed->viewport != shown)
        m_placed = Placed{seen, shown, flow()->geometry(seen, shown)};
    return m_placed->places;
}

std::unique_ptr<Figure> FlowView::makeFigure(const FigureInput &input) const {
    if (input.kept) // the figure is for the screen
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

bool FlowView::hasAllLabels() const {
    return FigureView::hasAllLabels() && (!flow() || flow()->hasAllWords(geometry()));
}

QSizeF FlowView::beyond() const {
    return flow() ? geometry().beyond : QSizeF();
}

QRectF FlowView::scrolledSight() const {
    return flow() ? geometry().sight : sight();
}

std::vector<QRectF> FlowView::sought() const {
    std::vector<QRectF> places = FigureView::sought();
    if (flow())
        places.insert(places.begin(), geometry().card);
    return places;
}

void FlowView::paintFigure(QPainter &painter) {
    flow()->paintIn(painter, sight(), Device::Raster, viewport());
    paintOpener(painter, openerRect(), isOpened(), figureStyle());
    paintStack(painter);
    if (m_motion->isPlaying() && m_moving != currentFigure()) // the style or the options changed
        QMetaObject::invokeMethod(m_motion.get(), &StepMotion::finish, Qt::QueuedConnection);
}

void FlowView::setOpened(bool opened) {
    core::Selection selection = document().selection();
    selection.opened = opened;
    document().select(selection);
}

QRectF FlowView::openerRect() const {
    if (!flow())
        return {};
    return openerBeside(geometry().formula, figureStyle());
}

/// Paints the edge of the sheets that a click would turn.
void FlowView::paintStack(QPainter &painter) const {
    if (!m_stack)
        return;
    const FlowGeometry places = geometry();
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(figureStyle().accent, 2));
    for (const FlowStack &stack : places.stacks)
        if (stack.at == *m_stack) {
            QPainterPath behind, front;
            behind.addRect(stack.behind.front());
            front.addRect(stack.front.adjusted(-1, -1, 1, 1));
            painter.save();
            painter.setClipPath(behind.subtracted(front));
            painter.setClipRect(places.sight, Qt::IntersectClip);
            painter.drawRect(stack.behind.front().adjusted(1, 1, -1, -1));
            painter.restore();
        }
}

std::optional<core::StageId> FlowView::stackAt(QPointF point) const {
    if (!flow())
        return std::nullopt;
    const FlowGeometry places = geometry();
    const FlowStack *stack = places.sight.contains(point) ? places.stackAt(point) : nullptr;
    return stack && !places.stageAt(point) ? std::optional(stack->at) : std::nullopt;
}

void FlowView::setStack(const std::optional<core::StageId> &stack) {
    if (m_stack == stack)
        return;
    m_stack = stack;
    if (stack)
        setCursor(Qt::PointingHandCursor);
    else
        unsetCursor();
    update();
}

void FlowView::leaveEvent(QEvent *event) {
    setStack(std::nullopt);
    FigureView::leaveEvent(event);
}

ShownHeatmap FlowView::shownHeatmap() {
    const auto *shown = static_cast<const FlowFigure *>(figure());
    if (!shown)
        return {};
    return {&shown->current().content(), geometry().large, shown->stage().stage};
}

std::optional<HeatmapGeometry> FlowView::largeGeometry() const {
    return flow() ? std::optional(geometry().large) : std::nullopt;
}

std::vector<HeatmapGeometry> FlowView::allGeometries() const {
    std::vector<HeatmapGeometry> all;
    if (!flow())
        return all;
    const FlowGeometry places = geometry();
    all.push_back(places.large);
    for (const FlowNode &node : places.nodes)
        all.push_back(node.cells());
    return all;
}

HitTestResult FlowView::placeAt(QPointF point) const {
    HitTestResult place{document().selection(), {}};
    if (!flow())
        return place;
    const FlowGeometry places = geometry();
    if (point.y() >= places.sight.bottom())
        return place; // the strip covers the diagram below it
    if (places.map.area.contains(point)) {
        if (const FlowMapBox *box = places.map.boxAt(point))
            place.selection = atStage(place.selection, box->goesTo);
        return place;
    }
    if (const FlowNode *learned = places.learnedAt(point)) {
        // The columns are the dimensions of the result, so the editor can follow to the matrix.
        place.selection = atStage(place.selection, learned->at);
        if (const ParameterHeatmap *shown = flow()->learnedOf(learned->at);
            shown && learned->matrix.contains(point))
            if (const auto cell = learned->cells().cellAt(point))
                place.selection.dimension = shown->sample.columnOf(cell->column);
        return place;
    }
    if (const auto at = places.stageAt(point))
        place.selection = atStage(place.selection, *at);
    place.cell = places.cellAt(point);
    return place;
}

QString FlowView::wordsOf(const HitTestResult &place) const {
    const QString words = FigureView::wordsOf(place);
    const core::Selection shown = shownSelection();
    const core::StageId at{place.selection.stage, place.selection.attention()};
    if (!words.isEmpty() || at == core::StageId{shown.stage, shown.attention()})
        return words;
    // For a small matrix, show its name, which may not fit in the picture.
    const ShownRun run =
        shownRun(document().trace(), place.selection, document().comparison().compared());
    const core::Trace &trace = *run.trace;
    const core::MatrixSize matrix = sizeOf(trace, run.selection);
    if (matrix.rows == 0)
        return {};
    return QStringLiteral("%1, %2").arg(titleOf(trace, namedStage(at.stage, at.attention.layer)),
                                        shapeText(matrix.rows, matrix.columns));
}

QString FlowView::learnedTextAt(const FlowGeometry &places, QPointF point) const {
    const FlowNode *node = places.learnedAt(point);
    const ParameterHeatmap *learned = node ? flow()->learnedOf(node->at) : nullptr;
    if (!learned || !places.sight.contains(point))
        return {};
    const auto cell = node->matrix.contains(point) ? node->cells().cellAt(point) : std::nullopt;
    return cell ? learned->wordsOf(*cell) : learned->words();
}

QString FlowView::wordsAt(QPointF point) const {
    if (flow()) {
        const FlowGeometry places = geometry();
        if (const auto stack = stackAt(inFigure(point)))
            return flow()->wordsOfTurn(document().selection(), *stack);
        if (const FlowMapBox *box = places.map.boxAt(inFigure(point)))
            return box->name;
        if (openerRect().contains(inFigure(point)))
            return isOpened() ? tr("Close the arithmetic (Esc)") : tr("Open the arithmetic (O)");
        if (const QString words = learnedTextAt(places, inFigure(point)); !words.isEmpty())
            return words;
    }
    return FigureView::wordsAt(point);
}

QString FlowView::termInStrip(const FlowGeometry &places, QPointF point) const {
    const ArithmeticStrip &strip = flow()->strip();
    const QRectF line = strip.formulaIn(places.formula, figureStyle());
    if (!line.contains(point))
        return {};
    const QString symbol = symbolAt(strip.formula, strip.formulaFont(places.formula, figureStyle()),
                                    point.x() - line.left());
    auto entry = entryOfSymbol(symbol);
    if (!entry && symbol.size() > 2) // a word of the note
        entry = entryOfTerm(symbol);
    return entry ? entry->id : QString();
}

QString FlowView::termAt(QPointF point) const {
    if (!flow())
        return {};
    const FlowGeometry places = geometry();
    if (places.formula.contains(point))
        return termInStrip(places, point);
    if (places.map.area.contains(point)) {
        const FlowMapBox *box = places.map.boxAt(point);
        return box ? termOfPart(box->goesTo) : QString();
    }
    const auto isTitleOf = [&](const FlowNode &node) {
        return node.title.contains(point) || node.subtitle.contains(point);
    };
    for (const FlowNode &node : places.learned)
        if (const ParameterHeatmap *learned = flow()->learnedOf(node.at);
            learned && isTitleOf(node))
            return entryOfSymbol(markedSymbolOf(learned->matrix.id.which))
                .value_or(entryOf(node.at.stage))
                .id;
    for (const FlowNode &node : places.nodes)
        if (isTitleOf(node))
            return entryOf(namedStage(node.at.stage, node.at.attention.layer)).id;
    const bool isTitle =
        places.large.title.contains(point) || places.large.subtitle.contains(point);
    return isTitle ? entryOf(shownSelection().stage).id : QString();
}

bool FlowView::isInStrip(QPointF point) const {
    return flow() && geometry().formula.contains(point) && !flow()->strip().arithmetic.isEmpty();
}

void FlowView::setScroll(double scroll) {
    if (!flow())
        return;
    m_scroll = std::clamp(scroll, 0.0, maxScroll());
    update();
}

double FlowView::maxScroll() const {
    if (!flow())
        return 0;
    const QRectF strip = geometry().formula;
    return std::max(0.0, flow()->strip().length(strip, figureStyle()) -
                             flow()->strip().numbersIn(strip, figureStyle()).width());
}

bool FlowView::scrollAt(QPointF point, QPointF by) {
    if (!isInStrip(point))
        return false;
    setScroll(m_scroll + (by.x() == 0 ? by.y() : by.x()));
    return true;
}

bool FlowView::handleKey(QKeyEvent *event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        setOpened(!isOpened());
        return true;
    }
    if (event->key() == Qt::Key_Escape && isOpened()) {
        setOpened(false);
        return true;
    }
    const bool sideways = event->key() == Qt::Key_Left || event->key() == Qt::Key_Right;
    if (!sideways || event->modifiers() != Qt::ShiftModifier || maxScroll() <= 0)
        return false;
    setScroll(m_scroll + (event->key() == Qt::Key_Left ? -60 : 60));
    return true;
}

bool FlowView::event(QEvent *event) {
    // If the arithmetic is open, Esc closes it instead of reaching the window.
    if (event->type() == QEvent::ShortcutOverride && isOpened() &&
        static_cast<QKeyEvent *>(event)->key() == Qt::Key_Escape) {
        event->accept();
        return true;
    }
    return FigureView::event(event);
}

void FlowView::mouseDoubleClickEvent(QMouseEvent *event) {
    const QPointF point = inFigure(event->position());
    const bool opens = event->button() == Qt::LeftButton && !isMaskEditing() && zoom() == 1 &&
                       flow() && (placeAt(point).cell || isInStrip(point));
    if (opens)
        setOpened(true);
    else
        FigureView::mouseDoubleClickEvent(event);
}

void FlowView::mousePressEvent(QMouseEvent *event) {
    if (event->button() == Qt::LeftButton && openerRect().contains(inFigure(event->position())))
        setOpened(!isOpened());
    else if (event->button() == Qt::LeftButton && isInStrip(inFigure(event->position())))
        m_stripDrag = inFigure(event->position()).x();
    else if (const auto stack = stackAt(inFigure(event->position()));
             stack && event->button() == Qt::LeftButton && !isSpaceDown())
        document().select(flow()->turned(document().selection(), *stack));
    else
        FigureView::mousePressEvent(event);
}

void FlowView::mouseMoveEvent(QMouseEvent *event) {
    if (!m_stripDrag) {
        setStack(isMovingFigure() ? std::nullopt : stackAt(inFigure(event->position())));
        return FigureView::mouseMoveEvent(event);
    }
    const double x = inFigure(event->position()).x();
    setScroll(m_scroll + *m_stripDrag - x);
    m_stripDrag = x;
}

void FlowView::mouseReleaseEvent(QMouseEvent *event) {
    m_stripDrag.reset();
    FigureView::mouseReleaseEvent(event);
}

} // namespace headlight::ui
