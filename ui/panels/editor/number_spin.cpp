#include "ui/panels/editor/number_spin.h"

#include "core/format_number.h"
#include "core/parse_number.h"
#include "ui/panels/editor/drag_step.h"

#include <QApplication>
#include <QLineEdit>
#include <QMouseEvent>

#include <cmath>

namespace headlight::ui {

namespace {

constexpr int kDecimals = 6;

} // namespace

NumberSpin::NumberSpin(QWidget *parent) : QDoubleSpinBox(parent) {
    setDecimals(kDecimals);
    setKeyboardTracking(false); // typing "0.05" must not set 0 and 0.0 first
    lineEdit()->installEventFilter(this);
    lineEdit()->setCursor(Qt::SplitHCursor);
}

QString NumberSpin::textFromValue(double value) const {
    return QString::fromStdString(core::rounded(value, kDecimals));
}

double NumberSpin::valueFromText(const QString &text) const {
    const core::Result<float> number = core::parseNumber(text.toStdString());
    return number ? static_cast<double>(*number) : value();
}

QValidator::State NumberSpin::validate(QString &text, int &) const {
    const core::Result<float> number = core::parseNumber(text.toStdString());
    const double read = number ? static_cast<double>(*number) : minimum() - 1;
    return read >= minimum() && read <= maximum() ? QValidator::Acceptable
                                                  : QValidator::Intermediate;
}

bool NumberSpin::eventFilter(QObject *object, QEvent *event) {
    return (object == lineEdit() && dragged(event)) || QDoubleSpinBox::eventFilter(object, event);
}

/// True if the event belongs to a drag. A click without a drag is left to the line edit, so that
/// the user can type.
bool NumberSpin::dragged(QEvent *event) {
    switch (event->type()) {
    case QEvent::MouseButtonPress: {
        const auto *mouse = static_cast<QMouseEvent *>(event);
        m_pressed.reset();
        if (mouse->button() == Qt::LeftButton)
            m_pressed = mouse->position().x();
        return false;
    }
    case QEvent::MouseMove: {
        const auto *mouse = static_cast<QMouseEvent *>(event);
        const double x = mouse->position().x();
        if (m_pressed && std::abs(x - *m_pressed) >= QApplication::startDragDistance()) {
            m_drag = Drag{value(), 0, *m_pressed, dragStep(value())};
            m_pressed.reset();
            lineEdit()->deselect();
            emit dragStarted();
        }
        if (m_drag)
            dragTo(x, mouse->modifiers());
        return m_drag || m_pressed; // otherwise the line edit would select text
    }
    case QEvent::MouseButtonRelease:
        m_pressed.reset();
        if (!m_drag)
            return false;
        m_drag.reset();
        emit dragEnded();
        return false;
    case QEvent::ShortcutOverride:
    case QEvent::KeyPress:
        if (!m_drag || static_cast<QKeyEvent *>(event)->key() != Qt::Key_Escape)
            return false;
        event->accept();
        if (event->type() == QEvent::KeyPress) {
            m_drag.reset();
            emit dragCancelled();
        }
        return true;
    default:
        return false;
    }
}

void NumberSpin::dragTo(double x, Qt::KeyboardModifiers modifiers) {
    m_drag->moved += (x - m_drag->lastX) * m_drag->step * dragFactor(modifiers);
    m_drag->lastX = x;
    const double grid = m_drag->step * dragFactor(Qt::ShiftModifier); // rounds to few digits
    setValue(std::round((m_drag->start + m_drag->moved) / grid) * grid);
}

} // namespace headlight::ui
