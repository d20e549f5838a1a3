// MainWindow: theme, text size, full screen, and saving and restoring the layout.
#include "ui/panels/editor/editor.h"
#include "ui/panels/filmstrip.h"
#include "ui/panels/formula_bar.h"
#include "ui/panels/inspector.h"
#include "ui/views/figure_view.h"
#include "ui/views/heads_view.h"
#include "ui/window/dock_widths.h"
#include "ui/window/edge_panels.h"
#include "ui/window/main_window.h"
#include "ui/window/presenting/presentation.h"
#include "ui/window/saving/session_saver.h"
#include "ui/window/start/show/opening_show.h"
#include "ui/window/start/start_page.h"
#include "ui/window/strip_above_views.h"

#include <QAction>
#include <QApplication>
#include <QCloseEvent>
#include <QCryptographicHash>
#include <QLabel>
#include <QMessageBox>
#include <QScreen>
#include <QSettings>
#include <QTabWidget>

#include <algorithm>

namespace headlight::ui {

namespace {

/// Asks whether to close the window although a file of cells is still being written.
bool mayStopSaving(QWidget *parent) {
    QMessageBox box(QMessageBox::Warning, MainWindow::tr("Cells are being saved"),
                    MainWindow::tr("Close the window while cells are being saved?"),
                    QMessageBox::Discard | QMessageBox::Cancel, parent);
    box.setObjectName("cellsBeingSaved");
    box.setInformativeText(MainWindow::tr("Their file will not be written."));
    box.setDefaultButton(QMessageBox::Cancel);
    return box.exec() == QMessageBox::Discard;
}

/// Version of the stored layout. Layouts of version 1 are ignored, because they may come from a
/// Headlight without the filmstrip. Qt would then put the filmstrip on the same line as the
/// formula.
constexpr int kStateVersion = 2;
constexpr char kSizeKey[] = "-size"; // suffix of screensKey()

/// Returns a settings key for the connected screens, because with a projector the window has a
/// different position.
QString screensKey() {
    QStringList screens;
    for (const QScreen *screen : QGuiApplication::screens()) {
        const QRect area = screen->geometry();
        screens << QString("%1 %2x%3+%4+%5")
                       .arg(screen->name())
                       .arg(area.width())
                       .arg(area.height())
                       .arg(area.x())
                       .arg(area.y());
    }
    screens.sort();
    const QByteArray hash =
        QCryptographicHash::hash(screens.join('|').toUtf8(), QCryptographicHash::Md5);
    return "window/geometry/" + QString::fromLatin1(hash.toHex());
}

} // namespace

void MainWindow::changeTextScale(double factor) {
    m_textScale = factor == 0 ? 1 : inTextScales(m_textScale * factor);
    if (std::abs(m_textScale - 1) < 0.01)
        m_textScale = 1; // after Larger and Smaller the scale must be exactly 1 again
    saveTextScale(m_textScale);
    applyStyle();
    m_message->setText(tr("Text at %1 %").arg(qRound(m_textScale * 100)));
}

void MainWindow::setTheme(Theme theme) {
    m_theme = theme;
    applyStyle();
}

void MainWindow::chooseTheme(Theme theme) {
    m_chosen = theme;
    saveTheme(theme);
    setTheme(theme);
}

/// Applies the style later, because the palette change is still being sent to the widgets.
void MainWindow::followSystem() {
    QMetaObject::invokeMethod(this, &MainWindow::applyStyle, Qt::QueuedConnection);
}

void MainWindow::applyStyle() {
    const FigureStyle style = applyTheme(m_theme, m_textScale);
    // Palette, font and style sheet belong to the application, so all windows change.
    for (QWidget *widget : QApplication::topLevelWidgets()) {
        auto *window = qobject_cast<MainWindow *>(widget);
        if (!window)
            continue;
        window->m_theme = m_theme;
        window->m_textScale = m_textScale;
        for (int index = 0; index < window->m_tabs->count(); ++index)
            static_cast<FigureView *>(window->m_tabs->widget(index))->setStyle(style);
        window->m_filmstrip->setStyle(style);
        window->m_aboveViews->showColours();
        window->m_formula->setStyle(style);
        window->m_inspector->setStyle(style);
        window->m_editor->setStyle(style);
        if (window->m_startPage)
            window->m_startPage->setStyle(style);
        if (window->m_presentation)
            window->m_presentation->setTheme(style.isDark);
        if (window->m_show)
            window->m_show->setTheme(style.isDark);
    }
}

void MainWindow::setFullScreen(bool on) {
    setWindowState(windowState().setFlag(Qt::WindowFullScreen, on));
    if (on)
        m_message->setText(tr("Press Esc or Shift+F11 to leave full screen"));
}

void MainWindow::changeEvent(QEvent *event) {
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::WindowStateChange && m_fullScreen) {
        m_fullScreen->setChecked(isFullScreen());
        showBusy(); // Esc stops a computation before it leaves full screen
    }
    if (event->type() == QEvent::ActivationChange && isActiveWindow() && m_watch)
        lookAtFiles(); // another program may have changed files while this window was inactive
}

void MainWindow::restoreSettings() {
    const QSettings settings;
    restoreGeometry(settings.value(screensKey()).toByteArray());
    // Restore the size separately, because newer Qt versions shrink a window to the available
    // screen area. The user had this size on the same screens.
    const QSize size = settings.value(screensKey() + kSizeKey).toSize();
    if (size.isValid() && !isMaximized() && !isFullScreen())
        resize(size);
    restoreState(settings.value("window/state").toByteArray(), kStateVersion);
    if (!m_lessonEditorDock->isHidden())
        makeLessonEditor();
    m_dockWidths = new DockWidths(*this);
    m_dockWidths->restore();
    m_edgePanels->restore();
    m_formula->restore();
    showView(settings.value("window/tab").toString());
}

void MainWindow::saveSettings() {
    QSettings settings;
    if (!isFullScreen()) { // the next start opens a normal window
        settings.setValue(screensKey(), saveGeometry());
        settings.setValue(screensKey() + kSizeKey, normalGeometry().size());
    }
    // Save these widgets as visible, because the next start may show a view that needs them.
    for (QWidget *widget : std::as_const(m_hiddenForView))
        widget->show();
    settings.setValue("window/state", saveState(kStateVersion));
    for (QWidget *widget : std::as_const(m_hiddenForView))
        widget->hide();
    m_dockWidths->save();
    m_edgePanels->save();
    settings.setValue("window/tab", currentView()->viewName());
}

void MainWindow::closeEvent(QCloseEvent *event) {
    saveSettings();
    if (!m_saver->autosave().isKept()) { // if kept, the next start offers to recover the work
        if (!mayLeave() || (m_heads->isSaving() && !mayStopSaving(dialogParent())))
            return event->ignore();
        m_saver->autosave().forget();
    }
    QMainWindow::closeEvent(event);
}

} // namespace headlight::ui
