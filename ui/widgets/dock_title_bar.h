// The title bar of a dock: its name, an optional widget, and a hide button.
#pragma once

#include <QString>

class QWidget;

namespace headlight::ui {

struct DockTitle {
    QString name;     ///< "LESSON"
    QString hide;     ///< accessible name of the hide button: "Hide the lesson"
    QString hideHint; ///< tooltip: how to show the dock again
};

/// Returns a widget for QDockWidget::setTitleBarWidget(). `extra` is placed before the hide button
/// and may be null.
QWidget *makeDockTitleBar(const DockTitle &title, QWidget *extra = nullptr);

} // namespace headlight::ui
