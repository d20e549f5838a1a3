#include "ui/views/cell_edit.h"

#include "core/parse_number.h"
#include "ui/panels/editor/drag_step.h"
#include "ui/text/number_text.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

/// Consumes Enter, which would otherwise also open the arithmetic in the view below.
class NumberField : public QLineEdit {
  public:
    using QLineEdit::QLineEdit;

  protected:
    void keyPressEvent(QKeyEvent *event) override {
        const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
        QLineEdit::keyPressEvent(event);
        if (isEnter)
            event->accept();
    }
};

} // namespace

std::optional<EditedCell> editedCellAt(const Document &document, const core::Selection &selection,
                                       core::Index rows, core::Index columns, Cell cell,
                                       float shown) {
    if (document.isCapture() || document.traceIsStale())
        return std::nullopt;
    auto matrix = targetFor(document.state(), selection);
    MatrixNumbers numbers =
        matrix ? numbersOf(document.state(), document.trace(), *matrix) : MatrixNumbers();
    if (!numbers.exists() || numbers.view.empty())
        return std::nullopt;
    if (rows > numbers.view.rows && rows % numbers.view.rows == 0) {
        // A drawn matrix, such as W_O, may have the rows of all heads, but each head's rows are
        // a separate target.
        core::Selection ofHead = selection;
        ofHead.head = cell.row / numbers.view.rows;
        rows = numbers.view.rows;
        cell.row %= rows;
        *matrix = movedTo(document.state(), *matrix, ofHead);
        numbers = numbersOf(document.state(), document.trace(), *matrix);
    }
    // The stage's target may differ from the drawn matrix.
    if (numbers.view.rows != rows || numbers.view.columns != columns ||
        numbers.view(cell.row, cell.column) != shown)
        return std::nullopt;
    return EditedCell{*matrix, cell, shown};
}

CellEdit::CellEdit(Document &document, QWidget &view)
    : QObject(&view), m_document(document), m_view(view) {}

bool CellEdit::set(const EditedCell &cell, float value, int gesture) {
    const core::Outcome outcome = m_document.apply(
        setCells(m_document.state(), cell.matrix, {{cell.cell.row, cell.cell.column, value}}),
        gesture);
    if (!outcome)
        emit failed(outcome.error());
    return outcome.ok();
}

void CellEdit::press(const EditedCell &cell, QPointF point) {
    m_drag = Drag{cell, point, point.x()};
}

bool CellEdit::moveTo(QPointF point, Qt::KeyboardModifiers modifiers) {
    if (!m_drag)
        return false;
    if (!m_drag->isMoving) {
        if (std::abs(point.x() - m_drag->pressed.x()) < QApplication::startDragDistance())
            return false;
        m_drag->isMoving = true;
        m_drag->gesture = m_document.newGesture();
    }
    const auto start = static_cast<double>(m_drag->cell.value);
    const double step = dragStep(std::max(std::abs(start), 0.5));
    m_drag->moved += (point.x() - m_drag->lastX) * step * dragFactor(modifiers);
    m_drag->lastX = point.x();
    const double grid = step * dragFactor(Qt::ShiftModifier); // numbers are rounded to this grid
    const double value = std::round((start + m_drag->moved) / grid) * grid;
    if (!set(m_drag->cell, static_cast<float>(value), m_drag->gesture))
        m_drag.reset();
    return true;
}

bool CellEdit::release() {
    const bool wasMoving = isDragging();
    m_drag.reset();
    return wasMoving;
}

bool CellEdit::cancel() {
    if (!isDragging())
        return false;
    const Drag drag = *std::exchange(m_drag, std::nullopt);
    set(drag.cell, drag.cell.value, drag.gesture);
    return true;
}

void CellEdit::type(const EditedCell &cell, const QRectF &where) {
    delete m_field;
    m_field = new NumberField(&m_view);
    m_field->setObjectName("cellField");
    m_field->setAccessibleName(tr("Value of the cell"));
    m_field->setText(fullText(cell.value));
    m_field->selectAll();
    m_field->setAlignment(Qt::AlignCenter);
    const int width =
        std::max(qRound(where.width()),
                 m_field->fontMetrics().horizontalAdvance(QStringLiteral("−0.00000000")));
    QRect place(0, 0, width, std::max(qRound(where.height()), m_field->sizeHint().height()));
    place.moveCenter(where.center().toPoint());
    place.moveLeft(std::clamp(place.left(), 0, std::max(0, m_view.width() - width)));
    m_field->setGeometry(place);
    m_field->show();
    m_field->setFocus();
    const auto close = [this] {
        if (m_field)
            std::exchange(m_field, nullptr)->deleteLater();
        m_view.setFocus();
    };
    connect(m_field, &QLineEdit::returnPressed, this, [this, cell, close] {
        const core::Result<float> number = core::parseNumber(m_field->text().toStdString());
        if (!number)
            return emit failed(number.error());
        close();
        set(cell, *number, Document::kNoGesture);
    });
    auto *leave = new QAction(m_field);
    leave->setShortcut(Qt::Key_Escape);
    leave->setShortcutContext(Qt::WidgetShortcut);
    m_field->addAction(leave);
    connect(leave, &QAction::triggered, this, close);
    connect(&m_document, &Document::changed, m_field, [this](const ChangeEvent &event) {
        if (m_field && (is<SessionChanged>(event) || is<SelectionChanged>(event)))
            std::exchange(m_field, nullptr)->deleteLater(); // the number below may have changed
    });
}

} // namespace headlight::ui
