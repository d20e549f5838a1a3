#include "ui/views/softmax_view.h"

#include "ui/compare/nearest_selectable.h"
#include "ui/document/edits/mechanism_edits.h"
#include "ui/document/edits/softmax_edits.h"
#include "ui/figures/parts/model_parts.h"
#include "ui/text/capture_text.h"
#include "ui/text/core_message.h"
#include "ui/views/softmax_bar.h"

#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr double kMaxBarShare = 0.42; // share of the view's height
constexpr double kLogitStep = 0.1;    // change by an arrow key
constexpr double kGrip = 8;           // px around a bar's end that count as the end
constexpr double kSoftmaxDrag = 3;    // px before a press becomes a drag

/// Rounds a dragged number to a multiple of the largest power of ten that is at most one pixel.
double aimed(double logit, double pixel) {
    const double unit = std::pow(10, std::floor(std::log10(std::max(pixel, 1e-9))));
    return std::round(logit / unit) * unit;
}

} // namespace

SoftmaxView::SoftmaxView(Document &document, QWidget *parent)
    : FigureView(core::View::Softmax, document, parent), m_bar(new SoftmaxBar(*this)) {
    connect(&document, &Document::changed, this, &SoftmaxView::documentChanged);
    connect(&m_samples, &SoftmaxSamples::made, this, [this] { remake(); });
    showBar();
}

SoftmaxView::~SoftmaxView() = default;

QList<QAction *> SoftmaxView::softmaxActions() const {
    return m_bar->actions();
}

void SoftmaxView::documentChanged(const ChangeEvent &event) {
    if (changesOnlyLesson(event))
        return;
    if (is<SessionChanged>(event)) {
        m_chosenOwn = 0;
        m_drag.reset();
        m_range.reset();
    }
    if (is<StateChanged>(event))
        remake(); // custom logits need no new trace
    if (is<SessionChanged>(event) || is<StateChanged>(event) || is<TraceChanged>(event) ||
        is<SelectionChanged>(event) || is<ComparisonChanged>(event))
        m_bar->showState();
    if (is<SessionChanged>(event) || is<StateChanged>(event))
        showBar();
    if (is<TraceChanged>(event) && m_drag && m_drag->moved)
        sayDragged();
}

std::unique_ptr<Figure> SoftmaxView::makeFigure(const FigureInput &input) const {
    FigureInput from = input;
    from.givenSoftmax.range = m_range;
    if (m_chosenOwn)
        from.givenSoftmax.chosen =
            std::min(*m_chosenOwn, std::max<std::size_t>(1, input.softmax.logits.size()) - 1);
    if (input.softmax.part == core::SoftmaxPart::Spread) {
        core::SoftmaxSpreadPointer spread =
            m_samples.spreadOf(input.softmax.headSize, input.softmax.seed);
        const bool isForFile = !input.kept;
        if (spread || !isForFile) // for a file, makeFigure() draws the missing samples itself
            from.givenSoftmax.spread = std::move(spread);
    }
    return info().makeFigure(from);
}

void SoftmaxView::paintFigure(QPainter &painter) {
    painter.fillRect(sight(), figureStyle().background);
    softmax()->paint(painter, figureArea(), Device::Raster);
}

QSizeF SoftmaxView::figureSize() const {
    return {static_cast<double>(width()), std::max(1.0, double(height()) - m_bar->height())};
}

void SoftmaxView::resizeEvent(QResizeEvent *event) {
    showBar();
    FigureView::resizeEvent(event);
}

void SoftmaxView::showBar() {
    const int high = m_bar->heightFor(width(), static_cast<int>(kMaxBarShare * height()));
    m_bar->setGeometry(0, height() - high, width(), high);
}

std::optional<core::SoftmaxRowFromTrace> SoftmaxView::softmaxRowFromTrace() const {
    if (!document().trace() || document().state().softmax.isOwn())
        return std::nullopt;
    const ShownRun run = shownRun(document().trace(), document().selectionInTrace(),
                                  document().comparison().compared());
    auto found = core::softmaxRowFromTrace(*run.trace, run.selection);
    auto *row = std::get_if<core::SoftmaxRowFromTrace>(&found);
    return row ? std::optional(std::move(*row)) : std::nullopt;
}

const SoftmaxContent::Bar *SoftmaxView::chosenBar() {
    (void)figure();
    if (!softmax() || !softmax()->content().chosen)
        return nullptr;
    return &softmax()->content().bars[*softmax()->content().chosen];
}

QString SoftmaxView::unchangeableReason(const SoftmaxContent::Bar &bar) const {
    if (document().comparison().shown() == ComparisonSide::A)
        return tr("A cannot be edited: show Current to change numbers");
    if (!softmax()->content().canChange)
        return readOnlyReason();
    return bar.isHidden ? tr("the mask hides this key; show it to set its score") : QString();
}

double SoftmaxView::chosenNumber() {
    const SoftmaxContent::Bar *bar = chosenBar();
    if (!bar)
        return 0;
    const core::SoftmaxLook &look = document().state().softmax;
    return static_cast<double>(look.isOwn() ? look.logits[bar->index] : bar->logit);
}

void SoftmaxView::setChosenNumber(double number, int gesture) {
    const SoftmaxContent::Bar *bar = chosenBar();
    if (!bar)
        return;
    const core::SoftmaxLook &look = document().state().softmax;
    const double factor = look.isOwn() ? static_cast<double>(look.times) : 1;
    apply(changed(*softmax()->content().chosen, number * factor, softmaxRowFromTrace()), gesture);
}

std::vector<float> SoftmaxView::shownLogits() {
    (void)figure();
    std::vector<float> logits;
    if (softmax())
        for (const SoftmaxContent::Bar &bar : softmax()->content().bars)
            if (!bar.isHidden && core::isOwnLogit(bar.logit))
                logits.push_back(bar.logit);
    return logits;
}

core::Result<Change>
SoftmaxView::changed(std::size_t at, double logit,
                     const std::optional<core::SoftmaxRowFromTrace> &traced) const {
    const DocumentState &state = document().state();
    const SoftmaxContent::Bar &bar = softmax()->content().bars[at];
    if (const QString why = unchangeableReason(bar); !why.isEmpty())
        return core::Error{messageOf(why), "", ""};
    if (state.softmax.isOwn())
        return edits::setOwnLogit(
            state, bar.index, static_cast<float>(logit / static_cast<double>(state.softmax.times)));
    const auto score =
        traced ? traced->scoreFor(bar.index, static_cast<float>(logit)) : std::optional<float>();
    if (!score)
        return core::Error{messageOf(tr("no score gives this logit, because it is beyond the cap")),
                           "", ""};
    const core::Selection &selection = document().selection();
    return edits::setScores(
        state, {{selection.sequence, selection.layer, selection.head, traced->query,
                 static_cast<core::Index>(bar.index), *score, selection.block, selection.stack}});
}

void SoftmaxView::apply(core::Result<Change> change, int gesture) {
    if (const core::Outcome outcome = document().apply(std::move(change), gesture); !outcome)
        emit failed(outcome.error());
}

/// Selects a bar. In the model's row, this selects its pair of tokens in every view.
void SoftmaxView::choose(std::size_t bar) {
    const SoftmaxContent &content = softmax()->content();
    if (content.isOwn) {
        m_chosenOwn = content.bars[bar].index;
        remake();
        m_bar->showState();
    } else if (const auto traced = softmaxRowFromTrace()) {
        core::Selection selection = document().selection();
        if (!core::infoOf(selection.stage).overKeys())
            selection = atStage(selection, {core::Stage::AttentionWeights, selection.attention()});
        selection.query = traced->query;
        selection.key = static_cast<core::Index>(content.bars[bar].index);
        document().select(onCurrentSide(document().comparison().compared(), selection));
    }
    (void)figure();
    if (const SoftmaxContent::Bar *chosen = chosenBar())
        emit hovered(barText(*chosen));
}

HitTestResult SoftmaxView::placeAt(QPointF) const {
    return {document().selection(), {}};
}

QString SoftmaxView::wordsAt(QPointF point) const {
    return softmax() && document().trace() ? softmax()->words(geometry(), inFigure(point))
                                           : QString();
}

QString SoftmaxView::termAt(QPointF point) const {
    if (!softmax())
        return {};
    const SoftmaxGeometry places = geometry();
    return places.title.contains(point) ? QStringLiteral("softmax") : QString();
}

void SoftmaxView::mousePressEvent(QMouseEvent *event) {
    const bool takes = event->button() == Qt::LeftButton && !isSpaceDown() && figure() && !m_drag &&
                       softmax()->content().nothing.isEmpty();
    if (!takes)
        return FigureView::mousePressEvent(event);
    const QPointF at = inFigure(event->position());
    const SoftmaxGeometry places = geometry();
    const auto column = places.bars.columnAt(at);
    if (!column) {
        if (const auto cell = places.jacobian.cellAt(at))
            choose(static_cast<std::size_t>(cell->column));
        return;
    }
    choose(*column);
    if (!places.bars.logitColumnAt(at))
        return;
    const SoftmaxContent::Bar &bar = softmax()->content().bars[*column];
    Drag drag{*column, document().state(),     softmaxRowFromTrace(), 0, at.y(), false,
              0,       unchangeableReason(bar)};
    if (drag.unavailableReason.isEmpty() && document().traceIsStale() &&
        !softmax()->content().isOwn)
        drag.unavailableReason = tr("the numbers are still being computed");
    drag.grip = static_cast<double>(bar.logit) - places.bars.logitAt(at.y());
    // If the press is far from the bar's end, the end jumps to the mouse.
    const double pixel = std::abs(places.bars.logitAt(0) - places.bars.logitAt(1));
    if (std::abs(drag.grip) > kGrip * pixel)
        drag.grip = 0;
    drag.gesture = document().newGesture();
    m_drag = std::move(drag);
}

void SoftmaxView::mouseMoveEvent(QMouseEvent *event) {
    if (!m_drag) {
        FigureView::mouseMoveEvent(event);
        if (!isMovingFigure() && softmax() && softmax()->content().nothing.isEmpty() &&
            document().trace()) {
            const auto bar = geometry().bars.logitColumnAt(inFigure(event->position()));
            if (bar && unchangeableReason(softmax()->content().bars[*bar]).isEmpty())
                setCursor(Qt::SizeVerCursor);
            else
                unsetCursor();
        }
        return;
    }
    dragTo(inFigure(event->position()).y());
}

void SoftmaxView::dragTo(double y) {
    if (!m_drag->moved && std::abs(y - m_drag->from) < kSoftmaxDrag)
        return;
    if (!m_drag->unavailableReason.isEmpty())
        return emit hovered(m_drag->unavailableReason);
    const SoftmaxContent &content = softmax()->content();
    if (!std::exchange(m_drag->moved, true))
        m_range = std::pair(content.low, content.high); // keeps the axis fixed under the mouse
    const SoftmaxBarsGeometry bars = geometry().bars;
    const double pixel = std::abs(bars.logitAt(0) - bars.logitAt(1));
    const double logit = std::clamp(bars.logitAt(y) + m_drag->grip, bars.low, bars.high);
    apply(changed(m_drag->bar, aimed(logit, pixel), m_drag->traced), m_drag->gesture);
    sayDragged();
}

void SoftmaxView::sayDragged() {
    (void)figure();
    if (m_drag && m_drag->bar < softmax()->content().bars.size())
        emit hovered(barText(softmax()->content().bars[m_drag->bar]));
}

void SoftmaxView::endDrag() {
    m_drag.reset();
    m_range.reset();
    remake();
}

/// Restores the state from before the drag, without an undo step.
void SoftmaxView::cancelDrag() {
    const Drag drag = *std::exchange(m_drag, std::nullopt);
    m_range.reset();
    if (drag.moved)
        apply(checked({drag.state, {}}), drag.gesture);
    remake();
}

void SoftmaxView::mouseReleaseEvent(QMouseEvent *event) {
    if (!m_drag || event->button() != Qt::LeftButton)
        return FigureView::mouseReleaseEvent(event);
    endDrag();
}

void SoftmaxView::mouseDoubleClickEvent(QMouseEvent *event) {
    (void)figure();
    if (softmax() && softmax()->content().nothing.isEmpty() &&
        geometry().bars.columnAt(inFigure(event->position())))
        return mousePressEvent(event); // a double click on a bar must not reset the zoom
    FigureView::mouseDoubleClickEvent(event);
}

bool SoftmaxView::event(QEvent *event) {
    if (event->type() == QEvent::LayoutRequest) // the bar's text size has changed
        showBar();
    if (event->type() == QEvent::Show)
        m_bar->showState();
    if (event->type() == QEvent::ShortcutOverride && m_drag)
        if (static_cast<QKeyEvent *>(event)->key() == Qt::Key_Escape) {
            event->accept();
            return true;
        }
    return FigureView::event(event);
}

void SoftmaxView::chooseBy(std::ptrdiff_t by) {
    const SoftmaxContent &content = softmax()->content();
    const auto count = std::ssize(content.bars);
    if (count == 0)
        return;
    const std::ptrdiff_t before =
        content.chosen ? static_cast<std::ptrdiff_t>(*content.chosen) : (by > 0 ? -1 : count);
    choose(static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(before + by, 0, count - 1)));
}

void SoftmaxView::nudge(double by) {
    if (!chosenBar())
        return chooseBy(1);
    const double number = std::round((chosenNumber() + by) / kLogitStep) * kLogitStep;
    setChosenNumber(number, m_keyGesture);
    if (const SoftmaxContent::Bar *bar = chosenBar())
        emit hovered(barText(*bar));
}

void SoftmaxView::moveRow(core::Index by) {
    const std::optional<core::SoftmaxRowFromTrace> traced = softmaxRowFromTrace();
    if (!traced)
        return;
    const Compared compared = document().comparison().compared();
    core::Selection selection = onShownSide(compared, document().selection());
    if (!core::infoOf(selection.stage).overKeys())
        selection = atStage(selection, {core::Stage::AttentionWeights, selection.attention()});
    const ShownRun run = shownRun(document().trace(), document().selectionInTrace(), compared);
    const core::Index count =
        run.trace->queries(selection.attention())[run.selection.sequence].length;
    const auto atQuery = [&](core::Index query) {
        selection.query = query;
        return onCurrentSide(compared, selection);
    };
    const auto query =
        nearestSelectable(std::clamp<core::Index>(traced->query + by, 0, count - 1), by, count,
                          [&](core::Index each) { return atQuery(each).query.has_value(); });
    if (query)
        document().select(atQuery(*query));
}

bool SoftmaxView::handleKey(QKeyEvent *event) {
    if (event->key() == Qt::Key_Escape && m_drag)
        return cancelDrag(), true;
    (void)figure();
    if (!softmax() || softmax()->content().part != core::SoftmaxPart::Row ||
        !softmax()->content().nothing.isEmpty())
        return false;
    const bool isRow = !softmax()->content().isOwn;
    if (event->modifiers() == Qt::ControlModifier && isRow) {
        if (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right)
            return moveRow(event->key() == Qt::Key_Left ? -1 : 1), true;
        return false;
    }
    if (event->modifiers() != Qt::NoModifier && event->modifiers() != Qt::KeypadModifier)
        return false;
    if (!event->isAutoRepeat())
        m_keyGesture = document().newGesture();
    constexpr std::ptrdiff_t kAll = 1 << 20;
    switch (event->key()) {
    case Qt::Key_Left:
        return chooseBy(-1), true;
    case Qt::Key_Right:
        return chooseBy(1), true;
    case Qt::Key_Home:
        return chooseBy(-kAll), true;
    case Qt::Key_End:
        return chooseBy(kAll), true;
    case Qt::Key_Up:
        return nudge(kLogitStep), true;
    case Qt::Key_Down:
        return nudge(-kLogitStep), true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        return m_bar->typeNumber(), true;
    default:
        return false;
    }
}

} // namespace headlight::ui
