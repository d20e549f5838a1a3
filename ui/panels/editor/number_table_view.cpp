#include "ui/panels/editor/number_table_view.h"

#include "core/parse_number.h"
#include "ui/document/edits/mechanism_edits.h"
#include "ui/panels/editor/drag_step.h"
#include "ui/panels/editor/number_table.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QMenu>
#include <QMessageBox>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QStyledItemDelegate>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

/// Returns the direction in which the key moves: Enter down, Tab right, Shift+Enter up. A null
/// point for other keys.
QPoint wayOf(const QKeyEvent &key) {
    switch (key.key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        return {0, key.modifiers().testFlag(Qt::ShiftModifier) ? -1 : 1};
    case Qt::Key_Tab:
        return {key.modifiers() == Qt::NoModifier ? 1 : 0, 0};
    case Qt::Key_Backtab:
        return {-1, 0};
    default:
        return {};
    }
}

/// Moves the current cell, but not beyond the edge.
void goBy(QAbstractItemView &view, QPoint way) {
    const QModelIndex current = view.currentIndex();
    if (const QModelIndex next =
            current.sibling(current.row() + way.y(), current.column() + way.x());
        next.isValid())
        view.setCurrentIndex(next);
}

/// Fills a cell with its colour and marks the selection with a frame, so that the colour stays
/// visible. Enter or Tab commits a number and moves on, as in a spreadsheet.
class NumberDelegate : public QStyledItemDelegate {
  public:
    explicit NumberDelegate(QAbstractItemView *view) : QStyledItemDelegate(view), m_view(*view) {}
    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override {
        painter->fillRect(option.rect, index.data(Qt::BackgroundRole).value<QBrush>());
        painter->setFont(index.data(Qt::FontRole).value<QFont>());
        painter->setPen(index.data(Qt::ForegroundRole).value<QBrush>().color());
        painter->drawText(option.rect, Qt::AlignCenter, index.data(Qt::DisplayRole).toString());
        if (option.state & QStyle::State_Selected) {
            painter->setPen(QPen(option.palette.color(QPalette::Highlight), 2));
            painter->drawRect(option.rect.adjusted(1, 1, -1, -1));
            painter->setPen(option.palette.color(QPalette::Base)); // visible on every cell colour
            painter->drawRect(option.rect.adjusted(2, 2, -3, -3));
        }
    }

  protected:
    bool eventFilter(QObject *editor, QEvent *event) override {
        const auto *key =
            event->type() == QEvent::KeyPress ? static_cast<QKeyEvent *>(event) : nullptr;
        const QPoint way = key ? wayOf(*key) : QPoint();
        if (way.isNull())
            return QStyledItemDelegate::eventFilter(editor, event);
        auto *field = static_cast<QWidget *>(editor);
        emit commitData(field);
        emit closeEditor(field, NoHint);
        goBy(m_view, way);
        return true;
    }

  private:
    QAbstractItemView &m_view;
};

/// Returns the beginning of the copied text, on one line.
QString firstOf(const QString &text) {
    constexpr qsizetype kMax = 24;
    const QString begin = text.left(4 * kMax).simplified();
    return begin.size() <= kMax ? begin : begin.left(kMax - 1) + QChar(0x2026);
}

/// Returns, for example, "2 × 2 numbers" or "2 numbers with decimal commas".
QString wordsOf(const core::TableReading &reading) {
    const QString count =
        reading.rows == 1 || reading.columns == 1
            ? QString::number(reading.rows * reading.columns)
            : NumberTableView::tr("%1 × %2").arg(reading.rows).arg(reading.columns);
    const bool isOne = reading.rows * reading.columns == 1;
    switch (reading.commas) {
    case core::Commas::Decimal:
        return isOne ? NumberTableView::tr("1 number with a decimal comma")
                     : NumberTableView::tr("%1 numbers with decimal commas").arg(count);
    case core::Commas::Separators:
        return isOne ? NumberTableView::tr("1 number")
                     : NumberTableView::tr("%1 numbers").arg(count);
    case core::Commas::Thousands:
        return isOne ? NumberTableView::tr("1 number, with commas between thousands")
                     : NumberTableView::tr("%1 numbers, with commas between thousands").arg(count);
    }
    return {};
}

} // namespace

NumberTableView::NumberTableView(NumberTable &table, QWidget *parent)
    : QTableView(parent), m_table(table) {
    setObjectName("numberTable");
    setAccessibleName(tr("Numbers of the matrix"));
    setModel(&table);
    setItemDelegate(new NumberDelegate(this));
    setSelectionMode(ExtendedSelection);
    setEditTriggers(DoubleClicked | EditKeyPressed | AnyKeyPressed);
    setHorizontalScrollMode(ScrollPerPixel);
    setVerticalScrollMode(ScrollPerPixel);
    setWordWrap(false);
    setShowGrid(false);
    setCornerButtonEnabled(true);
    setTabKeyNavigation(false); // Tab leaves the table unless a number is being edited
    viewport()->setCursor(Qt::SplitHCursor);
    for (QHeaderView *header : {horizontalHeader(), verticalHeader()}) {
        header->setSectionResizeMode(QHeaderView::Fixed);
        header->setHighlightSections(true);
        header->setMinimumSectionSize(8);
    }
    horizontalHeader()->setTextElideMode(Qt::ElideRight);
    verticalHeader()->setTextElideMode(Qt::ElideRight);
    verticalHeader()->setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
    setStyle(FigureStyle::light());
    connect(&table, &QAbstractItemModel::modelReset, this, &NumberTableView::fitToTable);
    connect(&table, &QAbstractItemModel::headerDataChanged, this, &NumberTableView::fitToTable);
}

void NumberTableView::setStyle(const FigureStyle &style) {
    m_style = style;
    const QFontMetrics metrics(style.font(FigureStyle::Text::Label));
    verticalHeader()->setDefaultSectionSize(metrics.height() + qRound(style.scaled(8)));
    verticalHeader()->setMaximumWidth(qRound(style.scaled(96)));
    fitToTable();
    viewport()->update();
}

/// Makes the columns as wide as the numbers or the tokens above them.
void NumberTableView::fitToTable() {
    const QFontMetrics numbers(m_style.font(FigureStyle::Text::Label));
    const QFontMetrics names(m_style.font(FigureStyle::Text::Body));
    int width = numbers.horizontalAdvance(QStringLiteral("−99.9"));
    for (int column = 0; column < m_table.columnCount(); ++column)
        width = std::max(
            width, names.horizontalAdvance(
                       m_table.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString()));
    horizontalHeader()->setDefaultSectionSize(width + qRound(m_style.scaled(12)));
    // Limit the height to the rows, so that there is no gap above the widgets below.
    const auto rows =
        static_cast<qint64>(m_table.rowCount()) * verticalHeader()->defaultSectionSize();
    const int rest = horizontalHeader()->sizeHint().height() + 2 * frameWidth() +
                     horizontalScrollBar()->sizeHint().height() + 4;
    setMaximumHeight(static_cast<int>(std::min<qint64>(rows + rest, QWIDGETSIZE_MAX)));
    // Leaves space for at least one row, so that the cell being edited is visible.
    setMinimumHeight(std::min(maximumHeight(), rest + verticalHeader()->defaultSectionSize()));
}

void NumberTableView::showCell(int row, int column) {
    const QModelIndex index =
        m_table.index(std::clamp(row, 0, std::max(0, m_table.rowCount() - 1)),
                      std::clamp(column, 0, std::max(0, m_table.columnCount() - 1)));
    if (!index.isValid() || m_drag || state() == EditingState)
        return;
    setCurrentIndex(index);
    scrollTo(index);
}

bool NumberTableView::event(QEvent *event) {
    // During a drag, Esc cancels the drag instead of reaching the window.
    if (event->type() == QEvent::ShortcutOverride && m_drag &&
        static_cast<QKeyEvent *>(event)->key() == Qt::Key_Escape) {
        event->accept();
        return true;
    }
    return QTableView::event(event);
}

void NumberTableView::mousePressEvent(QMouseEvent *event) {
    QTableView::mousePressEvent(event);
    const bool plain = event->button() == Qt::LeftButton && event->modifiers() == Qt::NoModifier;
    m_pressed.reset();
    if (plain && indexAt(event->pos()).isValid())
        m_pressed = event->position();
}

void NumberTableView::mouseMoveEvent(QMouseEvent *event) {
    if (m_drag)
        return dragTo(event->position().x(), event->modifiers());
    if (m_pressed) {
        const QPointF by = event->position() - *m_pressed;
        if (by.manhattanLength() < QApplication::startDragDistance())
            return;
        // A horizontal drag changes the number, and a vertical drag extends the selection.
        if (std::abs(by.x()) >= std::abs(by.y())) {
            startDrag(*m_pressed);
            m_pressed.reset();
            return dragTo(event->position().x(), event->modifiers());
        }
        m_pressed.reset();
    }
    QTableView::mouseMoveEvent(event);
}

void NumberTableView::startDrag(const QPointF &point) {
    const QModelIndex index = indexAt(point.toPoint());
    m_drag = Drag{index,
                  m_table.document().state(),
                  static_cast<double>(m_table.number(index)),
                  0,
                  point.x(),
                  dragStep(static_cast<double>(m_table.largest())),
                  m_table.document().newGesture()};
}

void NumberTableView::dragTo(double x, Qt::KeyboardModifiers modifiers) {
    if (!m_drag->index.isValid())
        return m_drag.reset();
    m_drag->moved += (x - m_drag->lastX) * m_drag->step * dragFactor(modifiers);
    m_drag->lastX = x;
    if (m_drag->moved == 0) {
        (void)m_table.apply(checked({m_drag->before, {}}), m_drag->gesture);
        return;
    }
    // Round to multiples of the finest step.
    const double grid = m_drag->step * dragFactor(Qt::ShiftModifier);
    const double value = std::round((m_drag->start + m_drag->moved) / grid) * grid;
    if (!m_table.setCells(
            {{m_drag->index.row(), m_drag->index.column(), static_cast<float>(value)}},
            m_drag->gesture))
        cancelDrag();
}

void NumberTableView::cancelDrag() {
    const Drag drag = *std::exchange(m_drag, std::nullopt);
    (void)m_table.apply(checked({drag.before, {}}), drag.gesture);
}

void NumberTableView::mouseReleaseEvent(QMouseEvent *event) {
    m_pressed.reset();
    if (m_drag) {
        m_drag.reset();
        setState(NoState);
        return;
    }
    QTableView::mouseReleaseEvent(event);
}

void NumberTableView::focusOutEvent(QFocusEvent *event) {
    m_drag.reset();
    QTableView::focusOutEvent(event);
}

void NumberTableView::keyPressEvent(QKeyEvent *event) {
    if (m_drag) {
        if (event->key() == Qt::Key_Escape)
            cancelDrag();
        return;
    }
    if (state() == EditingState)
        return QTableView::keyPressEvent(event);
    if (event->matches(QKeySequence::Copy))
        return copySelection();
    if (event->matches(QKeySequence::Paste))
        return pasteAtSelection();
    if (event->key() == Qt::Key_Delete || event->key() == Qt::Key_Backspace)
        return setSelectionToZero();
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        // There is no current cell after the table has changed its size.
        if (currentIndex().isValid())
            goBy(*this, wayOf(*event));
        return;
    }
    QTableView::keyPressEvent(event);
}

void NumberTableView::copySelection() {
    const QModelIndexList selected = selectionModel()->selectedIndexes();
    if (selected.isEmpty())
        return;
    // The bounding rectangle of the selection; unselected cells in it stay empty.
    const auto range = [&](auto of) {
        const auto [least, most] = std::minmax_element(
            selected.begin(), selected.end(),
            [&](const QModelIndex &a, const QModelIndex &b) { return of(a) < of(b); });
        return std::pair(of(*least), of(*most));
    };
    const auto [top, bottom] = range([](const QModelIndex &index) { return index.row(); });
    const auto [left, right] = range([](const QModelIndex &index) { return index.column(); });
    QStringList lines;
    for (int row = top; row <= bottom; ++row) {
        QStringList fields;
        for (int column = left; column <= right; ++column) {
            const QModelIndex index = m_table.index(row, column);
            // Spreadsheets only accept the ASCII minus.
            fields << (selectionModel()->isSelected(index)
                           ? index.data(Qt::EditRole).toString().replace(QChar(0x2212), '-')
                           : QString());
        }
        lines << fields.join('\t');
    }
    QApplication::clipboard()->setText(lines.join('\n') + '\n');
    emit statusMessage(selected.size() == 1
                           ? tr("Copied 1 number")
                           : tr("Copied %n numbers", nullptr, static_cast<int>(selected.size())));
}

void NumberTableView::pasteAtSelection() {
    const QModelIndexList selected = selectionModel()->selectedIndexes();
    const QString text = QApplication::clipboard()->text();
    if (selected.size() > 1 && core::parseNumber(text.toStdString())) {
        m_table.setCells(selected, text); // one number for all selected cells
        return;
    }
    QModelIndex first = currentIndex();
    for (const QModelIndex &index : selected)
        if (index.row() <= first.row() && index.column() <= first.column())
            first = index;
    const std::vector<core::TableReading> readings = core::doubtfulReadings(text.toStdString());
    if (readings.empty()) {
        m_table.paste(first, text);
        return;
    }
    const QPersistentModelIndex there = first;
    if (const std::optional<core::Commas> commas = askForCommas(text, readings))
        m_table.paste(there, text, commas);
}

/// Returns no value if the user cancels the paste.
std::optional<core::Commas>
NumberTableView::askForCommas(const QString &text,
                              const std::vector<core::TableReading> &readings) {
    QMessageBox box(QMessageBox::Question, tr("Paste"),
                    tr("How should the commas in “%1” be read?").arg(firstOf(text)),
                    QMessageBox::Cancel, this);
    box.setObjectName("pasteCommas");
    box.setTextFormat(Qt::PlainText);
    std::vector<std::pair<const QAbstractButton *, core::Commas>> buttons;
    for (const core::TableReading &reading : readings)
        buttons.emplace_back(box.addButton(wordsOf(reading), QMessageBox::AcceptRole),
                             reading.commas);
    box.setDefaultButton(QMessageBox::Cancel);
    box.exec();
    for (const auto &[button, commas] : buttons)
        if (box.clickedButton() == button)
            return commas;
    return std::nullopt;
}

void NumberTableView::setSelectionToZero() {
    if (const QModelIndexList selected = selectionModel()->selectedIndexes(); !selected.isEmpty())
        m_table.setCells(selected, QStringLiteral("0"));
}

bool NumberTableView::fillSelection(const QString &text) {
    QModelIndexList selected = selectionModel()->selectedIndexes();
    if (selected.isEmpty() && currentIndex().isValid())
        selected << currentIndex();
    return m_table.setCells(selected, text);
}

void NumberTableView::computeAgain() {
    const auto *scores = std::get_if<ScoresId>(&m_table.target());
    if (!scores)
        return;
    std::vector<core::ScoreIntervention> places;
    for (const QModelIndex &index : selectionModel()->selectedIndexes())
        places.push_back({scores->sequence, scores->layer, scores->head, index.row(),
                          index.column(), 0, scores->block, scores->stack});
    m_table.apply(edits::removeScores(m_table.document().state(), places));
}

void NumberTableView::contextMenuEvent(QContextMenuEvent *event) {
    QMenu menu(this);
    menu.addAction(tr("Copy"), QKeySequence::Copy, this, &NumberTableView::copySelection);
    menu.addAction(tr("Paste"), QKeySequence::Paste, this, &NumberTableView::pasteAtSelection);
    menu.addAction(tr("Set to 0"), QKeySequence(Qt::Key_Delete), this,
                   &NumberTableView::setSelectionToZero);
    menu.addAction(tr("Select all"), QKeySequence::SelectAll, this, &QTableView::selectAll);
    if (std::holds_alternative<ScoresId>(m_table.target()))
        menu.addAction(tr("Clear overrides"), this, &NumberTableView::computeAgain);
    menu.exec(event->globalPos());
}

} // namespace headlight::ui
