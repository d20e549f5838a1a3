#include "ui/panels/formula_link.h"

#include <QKeyEvent>

namespace headlight::ui {

void FormulaLink::keyPressEvent(QKeyEvent *event) {
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Up:
        return emit left(-1);
    case Qt::Key_Right:
    case Qt::Key_Down:
        return emit left(1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        return click();
    default:
        QAbstractButton::keyPressEvent(event);
    }
}

void FormulaLink::enterEvent(QEnterEvent *event) {
    QAbstractButton::enterEvent(event);
    emit pointedAtChanged();
}

void FormulaLink::leaveEvent(QEvent *event) {
    QAbstractButton::leaveEvent(event);
    emit pointedAtChanged();
}

void FormulaLink::focusInEvent(QFocusEvent *event) {
    QAbstractButton::focusInEvent(event);
    emit pointedAtChanged();
}

void FormulaLink::focusOutEvent(QFocusEvent *event) {
    QAbstractButton::focusOutEvent(event);
    emit pointedAtChanged();
}

} // namespace headlight::ui
