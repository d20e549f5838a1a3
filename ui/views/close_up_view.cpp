#include "ui/views/close_up_view.h"

#include "ui/figures/heatmap/cell_place.h"
#include "ui/figures/heatmap/trace_heatmap.h"
#include "ui/figures/parts/model_parts.h"
#include "ui/figures/text/symbol_spans.h"
#include "ui/text/glossary/glossary.h"
#include "ui/text/number_text.h"
#include "ui/text/parameter_text.h"
#include "ui/views/cell_text.h"
#include "ui/views/number_origin.h"
#include "ui/views/opener.h"
#include "ui/widgets/plain_text.h"

#include <QApplication>
#include <QMenu>
#include <QMouseEvent>
#include <QScrollBar>
#include <QTimer>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr double kChipType = 11;    // px before scaling, as in theme.cpp; smaller than a title
constexpr int kScrollBarWidth = 10; // px, within the card of the arithmetic
constexpr int kTermsStep = 40;      // px by which a key scrolls the terms of the arithmetic

/// Converts a drawn cell to a cell of the stage's matrix, which may be drawn transposed.
Cell ownCell(const CloseUpPart &part, Cell drawn) {
    return part.isTransposed ? Cell{drawn.column, drawn.row} : drawn;
}

/// True if the lesson's step opens the arithmetic by itself.
bool stepOpens(const Document &document) {
    const core::LessonStep *step = document.lessonStep();
    return step && step->show.opened.value_or(false);
}

} // namespace

CloseUpView::CloseUpView(Document &document, QWidget *parent)
    : FigureView(core::View::CloseUp, document, parent),
      m_edit(new CellEdit(document, *this)),
      m_sheets(new SheetButtons(document, *this)),
      m_tableBar(new QScrollBar(Qt::Vertical, this)),
      m_motion(std::make_unique<StepMotion>(*this)),
      m_stripClick(new QTimer(this)) {
    m_stripClick->setSingleShot(true);
    connect(m_stripClick, &QTimer::timeout, this, [this] {
        if (m_clicked)
            goTo(*m_clicked);
        else
            emit inspectorRequested();
    });
    m_tableBar->setObjectName("scrollTerms");
    m_tableBar->setAccessibleName(tr("Scroll the terms of the arithmetic"));
    m_tableBar->setFocusPolicy(Qt::NoFocus); // Shift+arrow keys scroll instead
    m_tableBar->setCursor(Qt::ArrowCursor);
    m_tableBar->hide();
    connect(m_tableBar, &QScrollBar::valueChanged, this, [this](int value) {
        m_tableScroll = value / shrink();
        update();
    });
    connect(m_edit, &CellEdit::failed, this, &FigureView::failed);
    connect(this, &FigureView::zoomChanged, m_motion.get(), &StepMotion::finish);
    connect(&document.recomputedStages(), &RecomputedStages::changed, this,
            qOverload<>(&QWidget::update));
    connect(&document, &Document::changed, this, [this](const ChangeEvent &event) {
        m_motion->finish();
        forgetLayout();
        if (is<SelectionChanged>(event) || is<SessionChanged>(event))
            m_tableScroll.reset();
        followLesson(event);
        if (m_chips && this->document().trace() && !changesOnlyLesson(event))
            m_chips->show({shownSelection().stage, shownSelection().attention()});
    });
}

void CloseUpView::showStep() {
    m_wantsStep = false;
    if (!isVisible() || !StepMotion::isWanted() || document().traceIsStale() ||
        document().comparison().compared().shown != ComparisonSide::Now || !figure())
        return;
    m_moving = currentFigure();
    placeControls(); // before the animation takes a still picture of the view
    m_motion->play(CloseUpMotion(*closeUp(), places(), figureArea(), closeUp()->style()), shrink());
}

/// Animates the next lesson step like a step of the computation, once its selection is computed.
void CloseUpView::followLesson(const ChangeEvent &event) {
    const core::Index step = document().state().lessonStep;
    const auto *state = std::get_if<StateChanged>(&event);
    if (state && state->step)
        m_wantsStep = step == m_lessonStep + 1;
    if ((state && state->step) || is<SessionChanged>(event))
        m_opensAll = !stepOpens(document());
    else if (is<SelectionChanged>(event) && !isOpened() && !document().askedQuestion())
        m_opensAll = true; // the user has closed the step's arithmetic
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

void CloseUpView::setMechanism(MechanismActions &mechanism) {
    m_chips = new MatrixChips(mechanism, *this);
}

QRectF CloseUpView::colourBarRect() const {
    return closeUp() && !closeUp()->parts().result.content.matrix().empty()
               ? places().picture.result.cells.colourBar
               : QRectF();
}

void CloseUpView::placeControls() {
    FigureView::placeControls();
    placeSheetButtons();
    placeTableBar();
    if (!m_chips)
        return;
    std::vector<QRectF> chips;
    std::vector<MatrixChips::OperandHead> heads;
    if (closeUp() && !closeUp()->parts().result.content.matrix().empty() && shrink() == 1) {
        const bool areOthers = m_chips->show(closeUp()->stage());
        // The theme sets the text size, unless the picture or a presentation has another one.
        const FigureStyle &style = closeUp()->style();
        const bool isOwn =
            style.isPresented() || std::abs(style.textScale - figureStyle().textScale) > 0.001;
        if (m_chips->setTextSize(isOwn ? style.typeSize(kChipType) : 0) || areOthers)
            update(); // the size of the chips changes the layout
        const CloseUpGeometry picture = places().picture;
        chips = picture.chips;
        closeUp()->forEachOperand(picture, [&heads](const CloseUpPart &part, const auto &placed) {
            if (!placed.headChip.isEmpty())
                heads.push_back(
                    {plainText(part.symbol) + QLatin1Char(' ') + part.name, placed.headChip});
        });
    }
    m_chips->place(chips, heads);
}

void CloseUpView::placeSheetButtons() {
    std::vector<QRect> sheets;
    QRect card;
    if (closeUp() && !closeUp()->parts().result.content.matrix().empty()) {
        const CloseUpGeometry picture = places().picture;
        card = onScreen(picture.card).toRect();
        for (const QRectF &sheet : picture.sheets)
            sheets.push_back(onScreen(sheet).toRect());
    }
    m_sheets->place(closeUp() ? closeUp()->sheets() : std::vector<CloseUpSheet>(), sheets, card);
}

std::optional<ArithmeticLayout> CloseUpView::scrolledTable() const {
    if (!closeUp() || !closeUp()->isOpened())
        return std::nullopt;
    const CloseUpFigure::Places where = places();
    ArithmeticLayout layout = closeUp()->table().layout(where.inTable(), where.tableScroll);
    return layout.beyond > 0 ? std::optional(std::move(layout)) : std::nullopt;
}

bool CloseUpView::scrollTable(double by) {
    const std::optional<ArithmeticLayout> layout = scrolledTable();
    if (!layout)
        return false;
    m_tableScroll = std::clamp(layout->scrolled + by, 0.0, layout->beyond);
    update();
    return true;
}

bool CloseUpView::scrollAt(QPointF point, QPointF by) {
    return by.y() != 0 && closeUp() && places().table.contains(point) && scrollTable(by.y());
}

void CloseUpView::placeTableBar() {
    const std::optional<ArithmeticLayout> layout = scrolledTable();
    m_tableBar->setVisible(layout.has_value());
    if (!layout)
        return;
    const QSignalBlocker blocker(m_tableBar);
    const QRect window = onScreen(layout->window).toRect();
    m_tableBar->setRange(0, std::max(1, qCeil(layout->beyond * shrink())));
    m_tableBar->setPageStep(window.height());
    m_tableBar->setSingleStep(kTermsStep);
    m_tableBar->setValue(qRound(layout->scrolled * shrink()));
    const int right = qFloor(onScreen(places().table).right());
    m_tableBar->setGeometry(right - kScrollBarWidth - 1, window.top(), kScrollBarWidth,
                            window.height());
}

CloseUpViewport CloseUpView::viewport() const {
    const bool isOfA = document().comparison().compared().shown == ComparisonSide::A;
    CloseUpViewport shown;
    shown.zoom = zoom();
    shown.besideStrip = openerSpace(figureStyle());
    if (m_opensAll)
        shown.tableScroll = ArithmeticScroll{m_tableScroll};
    if (m_chips) {
        shown.chips = m_chips->sizes();
        shown.hasHeadChip = m_chips->beginsWithHead();
        shown.headChips = m_chips->headSizes();
    }
    if (!isOfA)
        shown.recomputed = document().recomputedStages().stages();
    return shown;
}

CloseUpFigure::Places CloseUpView::places() const {
    const QRectF area = figureArea();
    const CloseUpViewport shown = viewport();
    const CloseUpFigure *figure = closeUp();
    if (!m_placed || m_placed->figure != figure || m_placed->area != area ||
        m_placed->viewport != shown)
        m_placed = Placed{figure, area, shown, figure->places(area, shown)};
    return m_placed->places;
}

const CloseUpFigure *CloseUpView::closeUp() const {
    const auto *figure = static_cast<const CloseUpFigure *>(currentFigure());
    if (!figure)
        return nullptr;
    // Ignore the size of the controls beside the title, because it depends on the text size that is
    // chosen here.
    if (!m_fitted || m_fitted->figure != figure || m_fitted->area != figureArea().size()) {
        m_placed.reset();
        m_fitted = Fitted{figure, figureArea().size(), nullptr};
        if (const double scale = figure->fittingScale(figureArea(), viewport());
            scale != figure->style().textScale)
            m_fitted->scaled = std::make_unique<const CloseUpFigure>(figure->withTextScale(scale));
    }
    return m_fitted->scaled ? m_fitted->scaled.get() : figure;
}

void CloseUpView::forgetLayout() const {
    m_placed.reset();
    m_fitted.reset();
}

std::unique_ptr<Figure> CloseUpView::makeFigure(const FigureInput &input) const {
    forgetLayout(); // the new figure may have the old one's address
    return FigureView::makeFigure(input);
}

ShownHeatmap CloseUpView::shownHeatmap() {
    m_placed.reset();
    const auto *shown = static_cast<const CloseUpFigure *>(figure());
    if (!shown || shown->parts().result.content.matrix().empty())
        return {};
    return {&shown->parts().result.content, places().picture.result.cells, shown->stage().stage};
}

std::optional<HeatmapGeometry> CloseUpView::largeGeometry() const {
    if (!closeUp() || closeUp()->parts().result.content.matrix().empty())
        return std::nullopt;
    HeatmapGeometry made = places().picture.result.cells;
    made.isWindow = false; // the layout itself keeps the selection visible
    return made;
}

std::vector<HeatmapGeometry> CloseUpView::allGeometries() const {
    std::vector<HeatmapGeometry> all;
    if (!closeUp())
        return all;
    const CloseUpGeometry picture = places().picture;
    all.push_back(picture.result.cells);
    for (const auto *side : {&picture.left, &picture.above})
        for (const CloseUpGeometry::Placed &one : *side)
            all.push_back(one.cells);
    return all;
}

std::vector<HeatmapGeometry> CloseUpView::labelledGeometries() const {
    return allGeometries();
}

core::Selection CloseUpView::selectionAt(const CloseUpFigure::Hit &hit) const {
    const Compared compared = document().comparison().compared();
    const core::Selection current = onShownSide(compared, shownSelection());
    const CloseUpPart &part = *hit.part;
    if (&part == &closeUp()->parts().result)
        return onCurrentSide(compared, atCell(current, hit.cell.row, hit.cell.column));
    const bool setsRow = part.shares == CloseUpPart::Shares::Rows ||
                         part.shares == CloseUpPart::Shares::Cells || part.isBlock;
    const bool setsColumn = (part.shares == CloseUpPart::Shares::Columns ||
                             part.shares == CloseUpPart::Shares::Cells) &&
                            !part.isSampled;
    const core::Index row = setsRow ? hit.cell.row : rowOf(current).value_or(0);
    const core::Index column =
        setsColumn ? hit.cell.column + part.firstColumn : columnOf(current).value_or(0);
    return onCurrentSide(compared, atCell(current, row, column));
}

HitTestResult CloseUpView::placeAt(QPointF point) const {
    HitTestResult place{document().selection(), {}};
    if (!closeUp())
        return place;
    const CloseUpFigure::Places where = places();
    place.selection = shownSelection();
    if (const auto hit = closeUp()->cellAt(where, point)) {
        if (hit->part == &closeUp()->parts().result)
            place.cell = hit->cell;
        else
            place.selection = selectionAt(*hit);
    } else if (const CloseUpPart *part = closeUp()->titleAt(where, point); part && part->at) {
        place.selection = atStage(place.selection, *part->at);
        place.selection.head = part->head.value_or(place.selection.head);
    } else if (const auto row = where.picture.result.cells.besideRowAt(point)) {
        place.sinkRow = row;
    } else {
        place.selection = document().selection();
    }
    return place;
}

QString CloseUpView::operandText(const CloseUpFigure::Hit &hit) const {
    const CloseUpPart &part = *hit.part;
    if (part.learned && part.isSampled)
        return part.learned->wordsOf(hit.cell);
    const Cell cell = ownCell(part, hit.cell);
    if (part.at) {
        core::Selection selection = atStage(shownSelection(), *part.at);
        selection.head = part.head.value_or(selection.head);
        return cellText(*document().trace(), selection, document().comparison().compared(),
                        cell.row, cell.column);
    }
    return tr("%1, row %2, column %3: %4")
        .arg(plainText(part.symbol))
        .arg(cell.row)
        .arg(cell.column)
        .arg(fullText(part.content.matrix()(hit.cell.row, hit.cell.column)));
}

QString CloseUpView::wordsAt(QPointF point) const {
    const QPointF at = inFigure(point);
    if (closeUp() && document().trace()) {
        if (openerRect().contains(at))
            return opensMore()  ? tr("Show all terms (O)")
                   : isOpened() ? tr("Close the arithmetic (Esc)")
                                : tr("Open the arithmetic (O)");
        if (const auto origin = originAt(at))
            return origin->parameter
                       ? tr("%1 (click to edit it)").arg(originText(*origin, document()))
                       : tr("%1 (click to go there)").arg(originText(*origin, document()));
        if (const auto hit = closeUp()->cellAt(places(), at);
            hit && hit->part != &closeUp()->parts().result)
            return operandText(*hit);
    }
    return FigureView::wordsAt(point);
}

QString CloseUpView::termAt(QPointF point) const {
    if (!closeUp())
        return {};
    const CloseUpFigure::Places where = places();
    if (where.strip.contains(point)) {
        const ArithmeticStrip &strip = closeUp()->strip();
        const FigureStyle &style = closeUp()->style();
        const QRectF line = strip.formulaIn(where.strip, style);
        if (!line.contains(point))
            return {};
        const QString symbol =
            symbolAt(strip.formula, strip.formulaFont(where.strip, style), point.x() - line.left());
        auto entry = entryOfSymbol(symbol);
        if (!entry && symbol.size() > 2) // a word in the formula's note
            entry = entryOfTerm(symbol);
        return entry ? entry->id : QString();
    }
    const CloseUpPart *part = closeUp()->titleAt(where, point);
    if (!part)
        return {};
    if (part->at)
        return entryOf(namedStage(part->at->stage, part->at->attention.layer)).id;
    return part->learned ? entryOfSymbol(markedSymbolOf(part->learned->matrix.id.which))
                               .value_or(entryOf(shownSelection().stage))
                               .id
                         : QString();
}

void CloseUpView::paintFigure(QPainter &painter) {
    closeUp()->paintIn(painter, figureArea(), Device::Raster, viewport());
    paintOpener(painter, openerRect(), isOpened(), figureStyle());
    if (m_motion->isPlaying() && m_moving != currentFigure()) // the style or the options changed
        QMetaObject::invokeMethod(m_motion.get(), &StepMotion::finish, Qt::QueuedConnection);
}

void CloseUpView::setOpened(bool opened) {
    core::Selection selection = document().selection();
    selection.opened = opened;
    document().select(selection);
}

bool CloseUpView::opensMore() const {
    if (!closeUp() || !isOpened() || m_opensAll)
        return false;
    const ArithmeticLayout layout = closeUp()->table().layout(places().inTable());
    return std::ranges::count(layout.isShown, false) > 0;
}

void CloseUpView::toggleOpened() {
    if (!opensMore())
        return setOpened(!isOpened());
    m_opensAll = true;
    forgetLayout();
    update();
}

QRectF CloseUpView::openerRect() const {
    if (!closeUp())
        return {};
    return openerBeside(places().strip, figureStyle());
}

std::optional<CloseUpView::EditedPlace> CloseUpView::editedAt(QPointF point) const {
    if (!closeUp() || !document().trace() || isMaskEditing() || isSpaceDown() ||
        document().comparison().compared().shown != ComparisonSide::Now)
        return std::nullopt;
    const CloseUpFigure::Places where = places();
    const auto hit = closeUp()->cellAt(where, point);
    if (!hit || hit->part->content.matrix().empty() || hit->part->isSampled ||
        (hit->part->whole && !hit->part->learned))
        return std::nullopt;
    const CloseUpPart &part = *hit->part;
    core::Selection selection = shownSelection();
    if (!part.learned) {
        if (!part.at)
            return std::nullopt;
        selection = atStage(selection, *part.at);
        selection.head = part.head.value_or(selection.head);
    }
    const bool isTurned = part.isTransposed || (part.learned && part.learned->matrix.transposed);
    const core::Index rows = isTurned ? part.columns() : part.rows();
    const core::Index columns = isTurned ? part.rows() : part.columns();
    const Cell cell = isTurned ? Cell{hit->cell.column, hit->cell.row} : hit->cell;
    const auto edited = editedCellAt(document(), selection, rows, columns, cell,
                                     part.content.matrix()(hit->cell.row, hit->cell.column));
    if (!edited)
        return std::nullopt;
    return EditedPlace{*edited, hit->rect};
}

bool CloseUpView::isInStrip(QPointF point) const {
    return closeUp() && places().strip.contains(point) && !closeUp()->strip().arithmetic.isEmpty();
}

std::optional<core::NumberOrigin> CloseUpView::originAt(QPointF point) const {
    if (!isInStrip(point) || !document().trace() || !places().stripHasNumbers)
        return std::nullopt;
    const QRectF strip = places().strip;
    const ArithmeticStrip &shown = closeUp()->strip();
    const FigureStyle &style = closeUp()->style();
    return shown.numbersIn(strip, style).contains(point) ? shown.originAt(point.x(), strip, style)
                                                         : std::nullopt;
}

void CloseUpView::goTo(const core::NumberOrigin &origin) {
    if (origin.parameter)
        return emit parameterRequested(*origin.parameter, origin.row, origin.column);
    const Compared compared = document().comparison().compared();
    core::Selection at = originSelection(origin, onShownSide(compared, document().selection()));
    if (compared.shown == ComparisonSide::A)
        at.sequence = document().selection().sequence; // `origin` has A's sequence
    document().select(onCurrentSide(compared, at));
}

void CloseUpView::showOrigins() {
    if (!closeUp() || !document().trace())
        return;
    const QRectF strip = places().strip;
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (const core::NumberOrigin &origin :
         originsIn(closeUp()->strip().shownNumbers(strip, closeUp()->style())))
        menu->addAction(withAmpersands(originText(origin, document())), this,
                        [this, origin] { goTo(origin); });
    if (menu->isEmpty())
        menu->addAction(tr("These numbers do not come from another matrix"))->setEnabled(false);
    menu->popup(mapToGlobal(onScreen(strip).bottomLeft().toPoint()));
}

bool CloseUpView::handleKey(QKeyEvent *event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        if (event->modifiers().testFlag(Qt::ControlModifier))
            showOrigins();
        else
            toggleOpened();
        return true;
    }
    if (event->modifiers() == Qt::ShiftModifier &&
        (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down))
        return scrollTable(event->key() == Qt::Key_Up ? -kTermsStep : kTermsStep);
    if (event->key() == Qt::Key_Escape && m_edit->cancel())
        return true;
    if (event->key() == Qt::Key_Escape && isOpened()) {
        setOpened(false);
        return true;
    }
    return false;
}

bool CloseUpView::event(QEvent *event) {
    // If the arithmetic is open, Esc closes it instead of reaching the window.
    if (event->type() == QEvent::ShortcutOverride && (isOpened() || m_edit->isDragging()) &&
        static_cast<QKeyEvent *>(event)->key() == Qt::Key_Escape) {
        event->accept();
        return true;
    }
    return FigureView::event(event);
}

void CloseUpView::mouseDoubleClickEvent(QMouseEvent *event) {
    m_stripClick->stop();
    m_pressed.reset();
    const QPointF point = inFigure(event->position());
    if (const auto edited = editedAt(point); edited && event->button() == Qt::LeftButton)
        return m_edit->type(edited->cell, onScreen(edited->rect));
    const bool opens = event->button() == Qt::LeftButton && !isMaskEditing() && zoom() == 1 &&
                       closeUp() && (placeAt(point).cell || isInStrip(point));
    if (opens)
        setOpened(true);
    else
        FigureView::mouseDoubleClickEvent(event);
}

void CloseUpView::mousePressEvent(QMouseEvent *event) {
    const QPointF point = inFigure(event->position());
    if (event->button() == Qt::LeftButton && openerRect().contains(point))
        toggleOpened();
    else if (event->button() == Qt::LeftButton && isInStrip(point))
        m_pressed = event->position().toPoint();
    else if (event->button() == Qt::LeftButton) {
        const auto edited = editedAt(point); // before the selection changes the layout
        FigureView::mousePressEvent(event);
        if (edited)
            m_edit->press(edited->cell, point);
    } else {
        FigureView::mousePressEvent(event);
    }
}

void CloseUpView::mouseMoveEvent(QMouseEvent *event) {
    if (m_edit->moveTo(inFigure(event->position()), event->modifiers()))
        return;
    FigureView::mouseMoveEvent(event);
    if (event->buttons() == Qt::NoButton && !isMaskEditing())
        setCursor(editedAt(inFigure(event->position()))   ? Qt::SplitHCursor
                  : originAt(inFigure(event->position())) ? Qt::PointingHandCursor
                                                          : Qt::ArrowCursor);
}

void CloseUpView::mouseReleaseEvent(QMouseEvent *event) {
    if (m_pressed == event->position().toPoint()) {
        m_clicked = originAt(inFigure(event->position()));
        m_stripClick->start(QApplication::doubleClickInterval());
    }
    m_pressed.reset();
    m_edit->release();
    FigureView::mouseReleaseEvent(event);
}

} // namespace headlight::ui
