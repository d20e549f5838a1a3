// The main window: puts the bars, the views, the docks and the menus together around one document.
#pragma once

#include "ui/document/document.h"
#include "ui/document/edits/lesson_edits.h"
#include "ui/document/source_reader.h"
#include "ui/window/theme.h"

#include <QMainWindow>

#include <memory>

class QActionGroup;
class QDockWidget;
class QLabel;
class QMenu;
class QPrinter;
class QProgressBar;
class QTabWidget;
class QTimer;
class QToolButton;

namespace headlight::ui {

class Editor;
class FigureView;
class GeometryView;
class OutputView;
class OwnTextWorker;
class SoftmaxView;
class TrainingView;
class DockWidths;
class FileWatch;
class FormulaBar;
class HistoryPanel;
struct FigureOptions;
struct ViewChoices;
enum class Choice;
class Inspector;
class LessonEditor;
class LessonPanel;
class SessionSaver;
class MessageBar;
class Presentation;
class FirstHints;
class StartPage;
class RecoveryBar;
struct RecoverableSession;
class SourceBar;
class Stepper;

class MainWindow : public QMainWindow {
    Q_OBJECT
  public:
    MainWindow();
    ~MainWindow() override;

    Document &document() { return m_document; }
    /// Reads another source, and shows it once it is read; on an error says it and keeps what is
    /// open. Returns at once.
    void openSource(const SourceRequest &request);
    /// A source is being read: to be opened, or compared with.
    bool isReading() const { return m_reader.isReading(); }
    void open(OpenedSource opened);
    /// Into the file, which is then the document's; on an error says it and changes nothing.
    bool saveIn(const QString &path);
    /// Shows what a crash left behind, if anything.
    void offerRecovery();
    /// For a start with nothing to open: the start page, unless it was closed for good.
    void offerStart();
    /// Three things to try, unless they were closed for good.
    void offerHints();
    /// Every window's unsaved work goes into the recovery folder at once, and stays there: the
    /// program ends, or the session does, and nobody can be asked.
    static void keepWorkOfAll();
    /// By its id; any other is none.
    void showView(const QString &name);
    FigureView *currentView() const;
    /// Range and colours for the view in sight, the rest for the views that have it. For this run
    /// only, as the theme.
    void choose(const ViewChoices &choices);
    /// For this run only; the setting stays.
    void setTheme(Theme theme);
    /// The words get the vectors that a word2vec or GloVe text file has for them.
    void importVectors(const QString &path);
    double textScale() const { return m_textScale; }
    /// Present mode: the lesson and the picture over the whole screen. This window stays as it is.
    void present(bool on);
    /// Null: nothing is presented.
    Presentation *presentation() const { return m_presentation; }
    /// Prints the current view's figure, in light colours.
    core::Outcome print(QPrinter &printer);

  signals:
    /// The first figure of a lesson is on the screen.
    void firstPainted();

  protected:
    void closeEvent(QCloseEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;
    bool event(QEvent *event) override;
    bool eventFilter(QObject *object, QEvent *event) override;

  private:
    void makeMenus();
    void makeFileMenu();
    void makeEditMenu();
    void makeViewMenu();
    void makeFigureMenu();
    void makeMechanismMenus();
    void makeCompareMenu();
    void makeTrainingMenu();
    void newRun();
    void makeLessonEditor();
    void addLessonActions(QMenu &file);
    void newLessonFromSession();
    void editLesson();
    void editCopyOfLesson();
    void showLessonEditor();
    edits::WindowState seenNow() const;
    void showPanelsOfStep();
    void rememberStep();
    void showLessonMap();
    void beginRunOfStep();
    void chooseTrainingText();
    void makeHelpMenu();
    QMenu *makeThemeMenu();
    QMenu *makeGeometryMenu();
    QMenu *makeSoftmaxMenu();
    QAction *makeFlowAction(Choice choice, bool FigureOptions::*option,
                            void (FigureView::*set)(bool));
    QAction *makeLearnedAction();
    QAction *makeArithmeticAction();
    QAction *makeMotionAction();
    QAction *makeLinesAction();
    QAction *makeGradientsAction();
    void giveToolTips();
    void makeInspector();
    void makeEditor();
    void editMask(bool on);
    void showWhatCanBeEdited();
    void showEditor();
    void makeHistory();
    void makeStatusBar();
    void readStyleSettings();
    void restoreSettings();
    void saveSettings();

    void showTabs();
    void documentChanged(const ChangeEvent &event);
    void makeKeeping();
    void addKeepingActions(QMenu &file);
    void showSaved();
    void newSession();
    bool save();
    bool saveAs();
    void revert();
    void makeFileWatch();
    void watchFiles();
    void lookAtFiles();
    /// That a file cannot be read any more from which what is open takes its numbers.
    bool isOfShownFile(const core::Error &error) const;
    void fileFound(const std::optional<core::Error> &change);
    /// `isShown`: what is shown is read from it, and cannot be read any more.
    void tellOfChangedFile(const core::Error &change, bool isShown);
    void reloadSession();
    void reload();
    void offerReloadWithout(const core::Error &why);
    void readAgain();
    SourceRequest requestOfSame() const;
    /// Nothing is unsaved, or the person has said what becomes of it.
    bool mayLeave();
    MainWindow *otherWindowWith(const QString &path) const;
    bool goToOtherWindowWith(const QString &path);
    void showRead(const QString &path, core::Result<OpenedSource> opened);
    void recover(const RecoverableSession &work);
    void showRecovered(const RecoverableSession &work, OpenedSource opened);
    void keepWork();
    void newWindow();
    void openFile();
    void openFolder();
    void chooseVectors();
    void openRecent(const QString &path);
    void showRecentFiles();
    void printCurrentFigure();
    void printWorksheet();
    void showKeys();
    void showGlossary(const QString &id);
    /// The mouse is over a symbol or a term of that entry; empty: over none.
    void hoverTerm(const QString &id) { m_hoveredTerm = id; }
    QString entryInSight() const;
    void saveCurrentFigure();
    void copyCurrentFigure();
    void changeTextScale(double factor);
    void chooseTheme(Theme theme);
    void followSystem();
    void setFullScreen(bool on);
    QWidget *makePresentButton();
    void presentationLeft();
    void showStartPage();
    void closeStartPage();
    void layOutStartPage();
    int roomForRecovery(int top);
    void moveHead(core::Index by);
    void moveLayer(core::Index by);
    void movePlace(core::Index by);
    void moveSequence(core::Index by);
    void applyStyle();
    void showProblem(const core::Error &error);
    void clearProblem();
    void showSizes();
    void showCaptureSizes(const QString &tokens);
    QString recomputedWords() const;
    void showBusy();
    void showProgress();
    void cancel();
    void orderControls();
    void about();

    Document m_document;
    SourceReader m_reader;
    OwnTextWorker *m_textReader = nullptr; // of what is learned from
    std::unique_ptr<SessionSaver> m_keeper;
    SourceBar *m_sourceBar;
    MessageBar *m_problem;
    FileWatch *m_watch = nullptr;
    RecoveryBar *m_recovery;
    FirstHints *m_hints;
    StartPage *m_startPage = nullptr; // while it is shown
    QTabWidget *m_tabs;
    GeometryView *m_geometry = nullptr; // one of the tabs
    OutputView *m_output = nullptr;     // another
    TrainingView *m_training = nullptr; // and one more
    SoftmaxView *m_softmax = nullptr;
    LessonPanel *m_lesson;
    QDockWidget *m_lessonDock;
    Inspector *m_inspector;
    QDockWidget *m_inspectorDock;
    QAction *m_maskEditing; // painting the mask by mouse
    Editor *m_editor;
    QDockWidget *m_editorDock;
    QAction *m_showEditor = nullptr;
    LessonEditor *m_lessonEditor = nullptr;
    QDockWidget *m_lessonEditorDock = nullptr;
    QAction *m_showLessonEditor = nullptr;
    HistoryPanel *m_history;
    QDockWidget *m_historyDock;
    DockWidths *m_dockWidths = nullptr;
    FormulaBar *m_formula;
    Stepper *m_stepper;
    QLabel *m_sizes;
    QLabel *m_time;
    QLabel *m_message;     // what is under the mouse, or what was done
    QString m_hoveredTerm; // of the glossary
    QProgressBar *m_busy;
    QToolButton *m_cancel;
    QTimer *m_busyDelay, *m_progressTicks;
    QMenu *m_recent = nullptr;
    QList<QAction *> m_edits; // that need a model, besides the tool bar's
    QAction *m_revert = nullptr;
    QAction *m_fullScreen = nullptr;
    QAction *m_leaveFullScreen = nullptr;
    QAction *m_present = nullptr;
    QList<QAction *> m_presentedActions;    // whose keys also work there
    Presentation *m_presentation = nullptr; // while there is one
    QActionGroup *m_themes = nullptr;
    Theme m_theme = Theme::System;  // that is shown
    Theme m_chosen = Theme::System; // that is remembered
    double m_textScale = 1;
    bool m_isComputing = false;
    bool m_painted = false;
};

} // namespace headlight::ui
