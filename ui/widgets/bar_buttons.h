// Buttons of the bars in and next to the views.
#pragma once

#include <QString>

class QAction;
class QToolButton;

namespace headlight::ui {

/// Returns a button that Tab reaches.
QToolButton *barButton(const QString &name);
/// Returns a button for an action, with the action's texts.
QToolButton *actionButton(QAction *action, const QString &name);
/// Returns a flat button that opens its menu.
QToolButton *menuButton(const QString &name);

} // namespace headlight::ui
