#include "ui/widgets/bar_buttons.h"

#include <QMenu>
#include <QToolButton>

namespace headlight::ui {

QToolButton *barButton(const QString &name) {
    auto *button = new QToolButton;
    button->setObjectName(name);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

QToolButton *actionButton(QAction *action, const QString &name) {
    QToolButton *button = barButton(name);
    button->setDefaultAction(action);
    return button;
}

QToolButton *menuButton(const QString &name) {
    QToolButton *button = barButton(name);
    button->setAutoRaise(true);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setMenu(new QMenu(button));
    return button;
}

} // namespace headlight::ui
