// Editing in the picture: painting the mask with mouse or keys, and the context menu.
#include "ui/document/edits/mechanism_edits.h"
#include "ui/figures/heatmap/cell_place.h"
#include "ui/text/capture_text.h"
#include "ui/text/mechanism_text.h"
#include "ui/views/figure_view.h"
#include "ui/views/option_choices.h"

#include <QActionGroup>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>

namespace headlight::ui {

void FigureView::setMaskEditing(bool on) {
    m_editsMask = on && m_info.hasMask && !m_document.isCapture();
    m_brush.reset();
    unsetCursor();
}

/// Returns the maskable cell at the point; empty if there is none.
std::optional<HitTestResult> FigureView::maskPlaceAt(QPointF point) const {
    const HitTestResult place = placeAt(inFigure(point));
    if (!place.cell || place.isCombined || !core::infoOf(place.selection.stage).overKeys())
        return std::nullopt;
    // While a shorter text is computed, the old picture has cells that no longer exist.
    const DocumentState &state = m_document.state();
    const core::AttentionId attention = place.selection.attention();
    if (!state.model.hasAttention(attention) ||
        place.selection.sequence >= state.input.batch->count() ||
        place.cell->row >= state.input.queries(attention).length() ||
        place.cell->column >= state.input.keys(attention).length())
        return std::nullopt;
    return place;
}

bool FigureView::startPainting(const QMouseEvent &event) {
    if (!m_editsMask || event.button() != Qt::LeftButton || !figure())
        return false;
    const std::optional<HitTestResult> place = maskPlaceAt(event.position());
    if (!place)
        return false;
    m_brush.emplace(m_document, place->selection, *place->cell);
    tell(m_brush->lineTo(*place->cell));
    return true;
}

void FigureView::paintTo(const QMouseEvent &event) {
    const std::optional<HitTestResult> place = maskPlaceAt(event.position());
    if (!place || !m_brush->paints(place->selection))
        return;
    tell(event.modifiers() & Qt::ShiftModifier ? m_brush->rectangleTo(*place->cell)
                                               : m_brush->lineTo(*place->cell));
    emit hovered(m_brush->shows() ? tr("showing cells; Shift: a rectangle, Esc: cancel")
                                  : tr("hiding cells; Shift: a rectangle, Esc: cancel"));
}

bool FigureView::handleMaskKey(const QKeyEvent &event) {
    if (!m_editsMask)
        return false;
    if (event.key() == Qt::Key_Escape) {
        if (m_brush) {
            m_brush->cancel();
            m_brush.reset();
        } else {
            emit maskEditingLeft();
        }
        return true;
    }
    const bool toggles = event.key() == Qt::Key_Return || event.key() == Qt::Key_Enter ||
                         event.key() == Qt::Key_Space;
    const core::Selection selection = shownSelection();
    if (!toggles || !editsShownCells() || !core::infoOf(selection.stage).overKeys())
        return false;
    if (const std::optional<Cell> cell = cellOf(selection)) {
        tell(MaskBrush(m_document, selection, *cell).lineTo(*cell));
        emit hovered(wordsOf(*cell));
    }
    return true;
}

void FigureView::tell(const core::Outcome &outcome) {
    if (!outcome)
        emit failed(outcome.error());
}

void FigureView::tell(const core::Result<Change> &change) {
    tell(m_document.apply(change));
}

void FigureView::addCellActions(QMenu &menu, const HitTestResult &place) {
    const core::Selection at = selectionOf(place);
    const edits::MaskId cell{place.cell->row, place.cell->column};
    const std::pair<QString, edits::CellMaskEdit> wishes[] = {
        {tr("Hide this key from the query"), edits::CellMaskEdit::Hide},
        {tr("Show this key to the query"), edits::CellMaskEdit::Show},
        {tr("Follow the mask"), edits::CellMaskEdit::Follow}};
    auto *group = new QActionGroup(&menu);
    for (const auto &[text, wish] : wishes) {
        QAction *action = menu.addAction(text, this, [this, at, cell, wish = wish] {
            tell(
                edits::setMaskCells(m_document.state(), at.sequence, {cell}, wish, at.attention()));
        });
        action->setCheckable(true);
        action->setChecked(edits::wishOf(m_document.state().input.masksOf(at.attention()),
                                         at.sequence, cell) == wish);
        group->addAction(action);
    }
    menu.addSeparator();
    menu.addAction(tr("Override this score"), this, [this, at] {
        core::Selection score = at;
        score.stage = core::Stage::Scores;
        m_document.select(score);
        emit scoreEditRequested();
    });
    const auto setByHand = m_document.state().input.interventions.scoreAt(
        at.sequence, at.attention(), at.head, cell.query, cell.key);
    if (setByHand)
        menu.addAction(tr("Clear the override of this score"), this, [this, at, cell, setByHand] {
            tell(edits::removeScores(m_document.state(),
                                     {{at.sequence, at.layer, at.head, cell.query, cell.key,
                                       *setByHand, at.block, at.stack}}));
        });
}

std::unique_ptr<QMenu> FigureView::editMenu(QPointF point) {
    auto menu = std::make_unique<QMenu>();
    if (!m_info.hasMask || !figure())
        return menu;
    if (m_document.isCapture()) {
        menu->addAction(readOnlyReason())->setEnabled(false);
        return menu;
    }
    const HitTestResult place = placeAt(inFigure(point));
    const core::Selection at = place.selection;
    if (maskPlaceAt(point)) {
        addCellActions(*menu, place);
        menu->addSeparator();
    }
    if (place.isCombined || !core::infoOf(at.stage).perHead)
        return menu;
    auto *group = new QActionGroup(menu.get());
    for (const core::HeadState state : {core::HeadState::On, core::HeadState::Zero,
                                        core::HeadState::Mean, core::HeadState::Uniform}) {
        QAction *action = menu->addAction(
            tr("Head %1: %2").arg(QString::number(at.head), headStateText(state)), this,
            [this, at, state] {
                tell(edits::setHead(m_document.state(), at.attention(), at.head, state));
            });
        action->setCheckable(true);
        action->setChecked(
            m_document.state().input.interventions.stateOf(at.attention(), at.head) == state);
        group->addAction(action);
    }
    return menu;
}

void FigureView::contextMenuEvent(QContextMenuEvent *event) {
    QPointF point = event->pos();
    if (event->reason() == QContextMenuEvent::Keyboard) { // use the selected cell
        const auto large = largeGeometry();
        const std::optional<core::Index> row = shownRow(), column = shownColumn();
        if (large && row && column && large->showsRow(*row) && large->showsColumn(*column))
            point = onScreen(large->cellRect(*row, *column)).center();
    }
    const std::unique_ptr<QMenu> menu = editMenu(point);
    addActionsTo(*menu, point);
    if (info().has(Choice::Learned) && !menu->isEmpty())
        menu->addSeparator();
    if (info().has(Choice::Arithmetic)) {
        core::Selection selection = m_document.selection();
        selection.opened = !selection.opened;
        menu->addAction(selection.opened ? tr("Open the arithmetic") : tr("Close the arithmetic"),
                        this, [this, selection] { m_document.select(selection); });
    }
    for (const char *key : {"learned", "lines"})
        addSwitch(*menu, optionChoice(key), *this);
    if (menu->isEmpty())
        return QWidget::contextMenuEvent(event);
    menu->exec(mapToGlobal(point.toPoint()));
}

} // namespace headlight::ui
