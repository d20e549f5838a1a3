#include "ui/views/figure_view.h"

#include "ui/accessibility/heatmap_table.h"
#include "ui/figures/trace_heatmap.h"
#include "ui/views/cell_words.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace headlight::ui {

FigureView::FigureView(Document &document, QWidget *parent)
    : QWidget(parent), m_document(document), m_style(FigureStyle::light()) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    installHeatmapTables();
    connect(&document, &Document::changed, this, &FigureView::documentChanged);
}

void FigureView::setStyle(const FigureStyle &style) {
    m_style = style;
    m_outdated = true;
    update();
}

const Figure *FigureView::figure() {
    if (m_outdated && m_document.trace()) {
        m_figure = makeFigure();
        m_outdated = false;
        if (m_figure)
            setAccessibleDescription(m_figure->description());
    }
    return m_figure.get();
}

void FigureView::documentChanged(const ChangeEvent &event) {
    // While a new trace is computed the old one stays: StateChanged changes nothing here but the
    // stale mark.
    if (is<SessionChanged>(event))
        m_figure.reset();
    if (is<SessionChanged>(event) || is<TraceChanged>(event) || is<SelectionChanged>(event))
        m_outdated = true;
    announceChange(*this, event);
    update();
}

QString FigureView::wordsOf(Cell cell) {
    const ShownHeatmap shown = shownHeatmap();
    if (!shown.content || !m_document.trace())
        return {};
    core::Selection selection = m_document.selection();
    selection.stage = shown.stage;
    return cellWords(*m_document.trace(), selection, cell.row, cell.column);
}

void FigureView::selectCell(Cell cell) {
    core::Selection selection = m_document.selection();
    selection.stage = shownHeatmap().stage;
    selection.query = cell.row;
    if (core::infoOf(selection.stage).overKeys)
        selection.key = cell.column;
    else
        selection.dimension = cell.column;
    m_document.select(selection);
}

std::unique_ptr<Figure> FigureView::figureIn(const FigureStyle &style) {
    if (!m_document.trace())
        return nullptr;
    const FigureStyle own = std::exchange(m_style, style);
    std::unique_ptr<Figure> made = makeFigure();
    m_style = own;
    return made;
}

void FigureView::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    const Figure *shown = figure();
    if (!shown) {
        painter.fillRect(rect(), m_style.background);
        painter.setPen(m_style.mutedText);
        painter.setFont(m_style.font(FigureStyle::Text::Body));
        painter.drawText(rect(), Qt::AlignCenter, tr("Computing…"));
        return;
    }
    shown->paint(painter, figureArea(), Device::Raster);
    if (hasFocus()) {
        painter.setPen(QPen(mixed(m_style.accent, m_style.background, 0.6), 1));
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

QString FigureView::wordsAt(QPointF point) const {
    const core::TracePointer &trace = m_document.trace();
    const std::optional<Cell> cell = m_figure && trace ? cellAt(point) : std::nullopt;
    if (!cell)
        return {};
    return cellWords(*trace, m_document.selection(), cell->row, cell->column);
}

bool FigureView::event(QEvent *event) {
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const QString words = wordsAt(help->pos());
        if (words.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), words, this);
        return true;
    }
    return QWidget::event(event);
}

void FigureView::mousePressEvent(QMouseEvent *event) {
    if (event->button() != Qt::LeftButton || !figure())
        return;
    core::Selection selection = selectionAt(event->position());
    if (const std::optional<Cell> cell = cellAt(event->position())) {
        selection.query = cell->row;
        if (core::infoOf(selection.stage).overKeys)
            selection.key = cell->column;
        else
            selection.dimension = cell->column;
    }
    m_document.select(selection);
}

void FigureView::mouseMoveEvent(QMouseEvent *event) {
    emit hovered(wordsAt(event->position()));
}

void FigureView::leaveEvent(QEvent *) {
    emit hovered({});
}

void FigureView::moveSelection(core::Index rows, core::Index columns) {
    const core::TracePointer &trace = m_document.trace();
    core::Selection selection = m_document.selection();
    const core::Tensor tensor =
        trace ? tensorOf(*trace, selection.stage, selection.layer) : core::Tensor();
    if (tensor.isNull())
        return;
    const core::MatrixView matrix = tensor.matrix(selection.sequence, selection.head);
    std::optional<core::Index> &column =
        core::infoOf(selection.stage).overKeys ? selection.key : selection.dimension;
    // The first key press puts the selection at the first cell.
    const bool first = !selection.query || !column;
    selection.query = std::clamp<core::Index>(selection.query.value_or(0) + (first ? 0 : rows), 0,
                                              matrix.rows - 1);
    column =
        std::clamp<core::Index>(column.value_or(0) + (first ? 0 : columns), 0, matrix.columns - 1);
    m_document.select(selection);
    emit hovered(cellWords(*trace, m_document.selection(), *selection.query, *column));
}

void FigureView::keyPressEvent(QKeyEvent *event) {
    switch (event->key()) {
    case Qt::Key_Left:
        return moveSelection(0, -1);
    case Qt::Key_Right:
        return moveSelection(0, 1);
    case Qt::Key_Up:
        return moveSelection(-1, 0);
    case Qt::Key_Down:
        return moveSelection(1, 0);
    case Qt::Key_Escape: {
        core::Selection selection = m_document.selection();
        selection.query.reset();
        selection.key.reset();
        selection.dimension.reset();
        return m_document.select(selection);
    }
    default:
        QWidget::keyPressEvent(event);
    }
}

} // namespace headlight::ui
