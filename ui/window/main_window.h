// The main window: puts the bars, the views, the docks and the menus together around one document.
#pragma once

#include "ui/document/document.h"
#include "ui/window/theme.h"

#include <QMainWindow>

class QActionGroup;
class QDockWidget;
class QLabel;
class QProgressBar;
class QTabWidget;
class QTimer;
class QToolButton;

namespace headlight::ui {

class FigureView;
class Inspector;
class LessonPanel;
class SourceBar;
class Stepper;

class MainWindow : public QMainWindow {
    Q_OBJECT
  public:
    MainWindow();
    ~MainWindow() override;

    Document &document() { return m_document; }
    /// Shows another source; on an error says it and keeps what is open.
    bool openSource(const SourceRequest &request);
    void open(OpenedSource opened);
    /// "flow" or "heads".
    void showView(const QString &name);
    FigureView *currentView() const;
    /// For this run only; the setting stays.
    void setTheme(Theme theme);

  signals:
    /// The first figure of a lesson is on the screen.
    void firstPainted();

  protected:
    void closeEvent(QCloseEvent *event) override;
    bool eventFilter(QObject *object, QEvent *event) override;

  private:
    void makeMenus();
    void makeFileMenu();
    void makeEditMenu();
    void makeViewMenu();
    void makeMechanismMenus();
    void makeInspector();
    void makeStatusBar();
    void restoreSettings();
    void saveSettings();

    void documentChanged(const ChangeEvent &event);
    void openFile();
    void saveCurrentFigure();
    void copyCurrentFigure();
    void changeTextScale(double factor);
    void moveHead(core::Index by);
    void applyStyle();
    void showProblem(const core::Error &error);
    void clearProblem();
    void showSizes();
    void orderControls();
    void about();

    Document m_document;
    SourceBar *m_sourceBar;
    QTabWidget *m_tabs;
    LessonPanel *m_lesson;
    QDockWidget *m_lessonDock;
    Inspector *m_inspector;
    QDockWidget *m_inspectorDock;
    Stepper *m_stepper;
    QLabel *m_sizes;
    QLabel *m_time;
    QLabel *m_message; // what is under the mouse, or what went wrong
    QProgressBar *m_busy;
    QToolButton *m_cancel;
    QTimer *m_busyDelay;
    QActionGroup *m_themes = nullptr;
    Theme m_theme = Theme::System;
    double m_textScale = 1;
    bool m_painted = false;
    bool m_problemShown = false;
};

} // namespace headlight::ui
