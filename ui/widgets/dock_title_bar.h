// The line above a dock: its name, what belongs to it, and a way to hide it.
#pragma once

#include <QString>

class QWidget;

namespace headlight::ui {

struct DockTitle {
    QString name;     ///< "LESSON"
    QString hide;     ///< for a screen reader: "Hide the lesson"
    QString hideHint; ///< under the mouse: how it comes back
};

/// For QDockWidget::setTitleBarWidget(). `extra` stands before the way to hide it; may be null.
QWidget *makeDockTitleBar(const DockTitle &title, QWidget *extra = nullptr);

} // namespace headlight::ui
