// The cells of the enlarged matrix: the crosshair under the mouse, and ranges that are copied and
// saved.
#include "ui/document/files_read.h"
#include "ui/figures/heatmap/heatmap_painting.h"
#include "ui/figures/text/text.h"
#include "ui/text/core_message.h"
#include "ui/text/file_path.h"
#include "ui/views/heads_view.h"

#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMenu>
#include <QMimeData>
#include <QMouseEvent>
#include <QSettings>

#include <algorithm>

namespace headlight::ui {

namespace {

constexpr core::Index kMaxCopiedNumbers = 250'000; // formatting them blocks the window
constexpr double kPlateMargin = 3;                 // px around the text of a crosshair

QString sizeText(const CellSpan &span) {
    return QStringLiteral("%1 × %2").arg(span.rows()).arg(span.columns());
}

/// Paints a label on an opaque background, so that it can be read over other labels.
void paintPlate(QPainter &painter, const QRectF &place, const QString &text,
                const FigureStyle &style) {
    painter.setPen(QPen(style.accent, 1));
    painter.setBrush(style.surface);
    painter.drawRect(place);
    painter.setBrush(Qt::NoBrush);
    drawLine(painter, place.adjusted(kPlateMargin, 0, -kPlateMargin, 0), Qt::AlignHCenter, text,
             style.font(FigureStyle::Text::Label, true), style.text);
}

} // namespace

/// A small matrix has a label at each row and column, and needs no crosshair.
bool HeadsView::hasCrosshair(const HeatmapGeometry &large) const {
    return large.rowLabelStep > 1 || large.columnLabelStep > 1 || large.isWindow;
}

std::vector<QRectF> HeadsView::crosshairOf(const HeatmapGeometry &large, Cell cell) const {
    const HeatmapContent &content = heads()->enlarged().content();
    const QFont font = figureStyle().font(FigureStyle::Text::Label, true);
    const QRectF at = large.cellRect(cell.row, cell.column);
    const double high = large.lineHeight + 2;
    const double across = textWidth(content.columnLabels.value(cell.column), font);
    const double along = std::min(textWidth(content.rowLabels.value(cell.row), font),
                                  std::max(large.cells.left() - large.used.left(), 24.0));
    const double wide = across + 2 * kPlateMargin + 2;
    const double left = std::clamp(at.center().x() - wide / 2, large.used.left(),
                                   std::max(large.used.left(), large.area.right() - wide));
    return {QRectF(large.cells.left(), at.center().y() - 0.5, large.cells.width(), 1),
            QRectF(at.center().x() - 0.5, large.cells.top(), 1, large.cells.height()),
            QRectF(large.cells.left() - along - 2 * kPlateMargin - 4, at.center().y() - high / 2,
                   along + 2 * kPlateMargin + 2, high),
            QRectF(left, large.cells.top() - high - 3, wide, high)};
}

void HeadsView::paintOver(QPainter &painter) const {
    const HeatmapGeometry large = geometry().enlarged;
    if (large.cell.isEmpty())
        return;
    const FigureStyle &style = figureStyle();
    if (const std::optional<CellSpan> span = shownSpan()) {
        const QRectF outline = large.cellRect(span->first.row, span->first.column)
                                   .united(large.cellRect(span->last.row, span->last.column))
                                   .intersected(large.cells);
        if (!outline.isEmpty()) {
            paintOutline(painter, outline.adjusted(-1, -1, 1, 1), style.surface, 4);
            paintOutline(painter, outline, style.accent, 2, Qt::DashLine);
        }
    }
    if (!m_pointed || !large.showsRow(m_pointed->row) || !large.showsColumn(m_pointed->column) ||
        !hasCrosshair(large))
        return;
    const std::vector<QRectF> places = crosshairOf(large, *m_pointed);
    const HeatmapContent &content = heads()->enlarged().content();
    for (const std::size_t line : {0, 1})
        painter.fillRect(places[line], style.accent);
    paintPlate(painter, places[2], content.rowLabels.value(m_pointed->row), style);
    paintPlate(painter, places[3], content.columnLabels.value(m_pointed->column), style);
}

/// Moves the crosshair to the cell, and repaints only its old and its new area.
void HeadsView::point(std::optional<Cell> cell) {
    if (cell == m_pointed)
        return;
    const HeatmapGeometry large = geometry().enlarged;
    QRegion dirty;
    for (const std::optional<Cell> &each : {m_pointed, cell})
        if (each && large.showsRow(each->row) && large.showsColumn(each->column))
            for (const QRectF &place : crosshairOf(large, *each))
                dirty += onScreen(place).adjusted(-2, -2, 2, 2).toAlignedRect();
    m_pointed = cell;
    if (hasCrosshair(large))
        update(dirty);
}

std::optional<CellSpan> HeadsView::shownSpan() const {
    const core::SharedMatrix matrix =
        heads() ? heads()->enlarged().content().matrix() : core::SharedMatrix();
    if (!m_span || m_span->last.row >= matrix.rows || m_span->last.column >= matrix.columns)
        return std::nullopt;
    return m_span;
}

void HeadsView::setSpan(std::optional<CellSpan> span) {
    if (span == m_span)
        return;
    m_span = span;
    update();
    if (span)
        emit hovered(tr("%1 cells selected; Ctrl+C copies them").arg(sizeText(*span)));
}

void HeadsView::selectAllCells() {
    const core::SharedMatrix matrix =
        figure() ? heads()->enlarged().content().matrix() : core::SharedMatrix();
    if (!matrix.empty())
        setSpan(CellSpan{{0, 0}, {matrix.rows - 1, matrix.columns - 1}});
}

/// Extends the range from the selected cell with Ctrl, Shift and an arrow key. Returns true if the
/// key was handled.
bool HeadsView::extendSpan(const QKeyEvent &event) {
    if (event.modifiers() != (Qt::ControlModifier | Qt::ShiftModifier))
        return false;
    const Cell by = event.key() == Qt::Key_Left    ? Cell{0, -1}
                    : event.key() == Qt::Key_Right ? Cell{0, 1}
                    : event.key() == Qt::Key_Up    ? Cell{-1, 0}
                    : event.key() == Qt::Key_Down  ? Cell{1, 0}
                                                   : Cell{0, 0};
    const core::SharedMatrix matrix =
        figure() ? heads()->enlarged().content().matrix() : core::SharedMatrix();
    if (by == Cell{0, 0} || matrix.empty() || !shownRow() || !shownColumn())
        return false;
    const Cell anchor{*shownRow(), *shownColumn()};
    // Move the corner opposite to the selected cell.
    const CellSpan now = shownSpan().value_or(CellSpan{anchor, anchor});
    const bool isKept = now.first.row <= anchor.row && anchor.row <= now.last.row &&
                        now.first.column <= anchor.column && anchor.column <= now.last.column;
    const Cell end =
        !isKept ? anchor
                : Cell{now.first.row == anchor.row ? now.last.row : now.first.row,
                       now.first.column == anchor.column ? now.last.column : now.first.column};
    const Cell moved{std::clamp<core::Index>(end.row + by.row, 0, matrix.rows - 1),
                     std::clamp<core::Index>(end.column + by.column, 0, matrix.columns - 1)};
    setSpan(CellSpan::between(anchor, moved));
    const HeatmapGeometry large = geometry().enlarged;
    const auto firstShown = [](core::Index first, core::Index count, core::Index wanted) {
        return wanted < first ? wanted : std::max(first, wanted - count + 1);
    };
    if (large.isWindow && !(large.showsRow(moved.row) && large.showsColumn(moved.column)))
        showWindow(Cell{firstShown(large.origin.row, large.rows, moved.row),
                        firstShown(large.origin.column, large.columns, moved.column)});
    return true;
}

bool HeadsView::event(QEvent *event) {
    // Takes the arrow keys that extend the range before the window, in which they change the
    // sequence. In a batch, only if there is a range.
    if (event->type() == QEvent::ShortcutOverride) {
        const auto *key = static_cast<QKeyEvent *>(event);
        const bool isArrow = key->key() >= Qt::Key_Left && key->key() <= Qt::Key_Down;
        const core::BatchPointer &batch = document().state().input.batch;
        const bool isBatch = batch && batch->count() > 1;
        if (isArrow && key->modifiers() == (Qt::ControlModifier | Qt::ShiftModifier) &&
            (!isBatch || shownSpan())) {
            event->accept();
            return true;
        }
    }
    return FigureView::event(event);
}

bool HeadsView::handleKey(QKeyEvent *event) {
    if (extendSpan(*event))
        return true;
    if (event->matches(QKeySequence::Copy) && shownSpan()) {
        copySpan();
        return true;
    }
    if (event->matches(QKeySequence::SelectAll)) {
        selectAllCells();
        return true;
    }
    if (event->key() == Qt::Key_Escape && m_span) {
        setSpan(std::nullopt);
        return true;
    }
    return FigureView::handleKey(event);
}

void HeadsView::copySpan() {
    const std::optional<CellSpan> span = figure() ? shownSpan() : std::nullopt;
    if (!span)
        return;
    if (span->rows() * span->columns() > kMaxCopiedNumbers)
        return emit failed({messageOf(tr("the range is too large for the clipboard")), "",
                            messageOf(tr("save it as a file"))});
    const QString text =
        QString::fromStdString(csvOf(numbersOf(heads()->enlarged().content(), *span)));
    auto *mime = new QMimeData;
    mime->setText(text);
    mime->setData(QStringLiteral("text/csv"), text.toUtf8());
    QGuiApplication::clipboard()->setMimeData(mime);
    emit hovered(tr("Copied %1 numbers as CSV").arg(sizeText(*span)));
}

void HeadsView::saveSpanTo(const QString &path) {
    const std::optional<CellSpan> span = figure() ? shownSpan() : std::nullopt;
    if (!span)
        return;
    if (isSaving())
        return emit failed({messageOf(tr("other numbers are still being saved")), "",
                            messageOf(tr("try again as soon as they are saved"))});
    if (core::Outcome allowed = mayWrite(document(), path); !allowed)
        return emit failed(allowed.error());
    const bool isNpy =
        QFileInfo(path).suffix().compare(QLatin1String("npy"), Qt::CaseInsensitive) == 0;
    m_saving.start(
        [numbers = numbersOf(heads()->enlarged().content(), *span), to = bytesOf(path),
         isNpy](const std::stop_token &stop) { return writeSpan(numbers, to, isNpy, stop); },
        [this, path](const core::Outcome &saved) {
            if (!saved)
                return emit failed(saved.error());
            emit hovered(tr("Saved %1").arg(path));
            emit partComputed();
        });
    emit hovered(tr("Saving %1 numbers…").arg(sizeText(*span)));
}

void HeadsView::saveSpan() {
    QSettings settings;
    const QString folder = settings.value("matrices/folder").toString();
    const QStringList filters{tr("Comma-separated values (*.csv)"), tr("NumPy array (*.npy)"),
                              tr("All files (*)")};
    QFileDialog dialog(this, tr("Save the selected cells"), folder);
    dialog.setObjectName("saveCells");
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setNameFilters(filters);
    // The dialog adds the suffix before it asks whether to replace a file.
    const auto follow = [&dialog, numPy = filters[1]](const QString &filter) {
        dialog.setDefaultSuffix(filter == numPy ? "npy" : "csv");
    };
    follow(filters[0]);
    connect(&dialog, &QFileDialog::filterSelected, &dialog, follow);
    dialog.selectFile(
        QStringLiteral("%1-weights").arg(QFileInfo(document().source()).completeBaseName()));
    if (dialog.exec() != QDialog::Accepted || dialog.selectedFiles().isEmpty())
        return;
    const QString path = dialog.selectedFiles().constFirst();
    settings.setValue("matrices/folder", QFileInfo(path).absolutePath());
    saveSpanTo(path);
}

void HeadsView::addSpanActions(QMenu &menu) {
    QAction *all = menu.addAction(tr("Select &all cells"), this, &HeadsView::selectAllCells);
    all->setToolTip(tr("Select the whole large matrix (Ctrl+A; a part: drag with Shift, or "
                       "Ctrl+Shift and an arrow key)"));
    QAction *copy =
        menu.addAction(tr("&Copy the selected cells as CSV"), this, &HeadsView::copySpan);
    copy->setToolTip(tr("Copy the numbers with all digits and their tokens (Ctrl+C)"));
    QAction *save = menu.addAction(tr("&Save the selected cells…"), this, &HeadsView::saveSpan);
    save->setToolTip(tr("Save the numbers as CSV, or as a NumPy array"));
    const bool hasSpan = figure() && shownSpan().has_value();
    copy->setEnabled(hasSpan);
    save->setEnabled(hasSpan);
}

void HeadsView::addActionsTo(QMenu &menu, QPointF) {
    if (!menu.isEmpty())
        menu.addSeparator();
    addSpanActions(menu);
}

// Mouse

void HeadsView::mousePressEvent(QMouseEvent *event) {
    const bool isLeft = event->button() == Qt::LeftButton && figure();
    const QPointF at = inFigure(event->position());
    const bool toggles = isLeft && event->modifiers() == Qt::ControlModifier && canCombine() &&
                         options().combination.isOn() &&
                         !core::isThroughLayers(options().combination.combination);
    if (const auto tile = toggles ? geometry().tileAt(at) : std::nullopt)
        return toggleHead(heads()->headOfTile(*tile));
    if (isLeft && event->modifiers() == Qt::ShiftModifier && !isMaskEditing())
        m_spanFrom = geometry().cellAt(at);
    if (m_spanFrom)
        return setSpan(CellSpan{*m_spanFrom, *m_spanFrom});
    if (isLeft && !isSpaceDown())
        setSpan(std::nullopt);
    FigureView::mousePressEvent(event);
}

void HeadsView::mouseMoveEvent(QMouseEvent *event) {
    if (!figure())
        return FigureView::mouseMoveEvent(event);
    const HeatmapGeometry large = geometry().enlarged;
    const QPointF at = inFigure(event->position());
    if (!m_spanFrom) {
        FigureView::mouseMoveEvent(event);
        return point(isMovingFigure() ? std::nullopt : geometry().enlarged.cellAt(at));
    }
    if (large.cell.isEmpty()) // the matrix is absent while it is computed
        return;
    const QPointF inside(std::clamp(at.x(), large.cells.left() + 0.5, large.cells.right() - 0.5),
                         std::clamp(at.y(), large.cells.top() + 0.5, large.cells.bottom() - 0.5));
    if (const std::optional<Cell> cell = large.cellAt(inside))
        setSpan(CellSpan::between(*m_spanFrom, *cell));
}

void HeadsView::mouseReleaseEvent(QMouseEvent *event) {
    if (!m_spanFrom)
        return FigureView::mouseReleaseEvent(event);
    m_spanFrom.reset();
}

void HeadsView::leaveEvent(QEvent *event) {
    if (figure())
        point(std::nullopt);
    FigureView::leaveEvent(event);
}

} // namespace headlight::ui
