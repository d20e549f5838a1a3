// The main window: toolbars, views, docks and menus around one document.
#pragma once

#include "core/selection/view.h"
#include "ui/compute/latest_job.h"
#include "ui/document/document.h"
#include "ui/document/edits/lesson_edits.h"
#include "ui/document/source_reader.h"
#include "ui/window/theme.h"

#include <QMainWindow>

#include <memory>
#include <set>

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
class HeadsView;
class LinesView;
class OutputView;
class SoftmaxView;
class TrainingView;
class DockWidths;
class EdgePanels;
class BirthView;
class ModelView;
class FileWatch;
class FormulaBar;
class HistoryPanel;
struct FigureOptions;
struct ViewChoices;
enum class Choice;
class Inspector;
class LessonEditor;
class LessonPanel;
class SentenceStrip;
class SessionSaver;
class MessageBar;
class OpeningShow;
class Presentation;
class FirstHints;
class StartPage;
class RecoveryBar;
struct RecoverableSession;
class SourceBar;
class MechanismActions;
class Filmstrip;
class StripAboveViews;

/// Owns the document and the session saver (autosave and recovery). The presentation exists only in
/// present mode.
///
/// Implemented in main_window.cpp (construction, opening, events) and main_window_*.cpp: menus;
/// files (new window, open, recent, drop); saving (new, save, revert, recovery); changed_files
/// (changes on disk); look (theme, text size, settings); status (status bar, problems); figure
/// (save, copy, print); tables (computed tables); editor; lesson; lesson_editor; training;
/// presenting; start; glossary.
class MainWindow : public QMainWindow {
    Q_OBJECT
  public:
    MainWindow();
    ~MainWindow() override;

    Document &document() { return m_document; }
    /// Reads another source in the background, then opens it. On an error, reports it and keeps the
    /// open source.
    void openSource(const SourceRequest &request);
    /// True while a source (to open or to compare), a picture or audio is being read.
    bool isReading() const { return m_reader.isReading() || m_inputReader.isBusy(); }
    void open(OpenedSource opened);
    /// Opens a source that the start page is about to cover. If it is a lesson, it counts as opened
    /// by the user only when they leave the page for it.
    void openBelowStart(OpenedSource opened);
    /// Saves to the file, which then becomes the document's file. On an error, reports it and
    /// changes nothing.
    bool saveIn(const QString &path);
    /// Offers sessions from a crash, if there are any.
    void offerRecovery();
    /// Shows the start page, unless the user has turned it off. Call it if nothing is opened at
    /// start.
    void offerStart();
    /// Shows three things to try, unless the user has closed them for good.
    void offerHints();
    /// Writes the unsaved work of every window to the recovery folder, where it stays. Used when
    /// the program or the desktop session ends and cannot ask the user.
    static void keepWorkOfAll();
    /// Shows the view with this id; ignores unknown ids.
    void showView(const QString &name);
    FigureView *currentView() const;
    /// Sets range and colours for the visible view, and the other choices for all views that
    /// support them. Does not save them.
    void choose(const ViewChoices &choices);
    /// Sets the theme without saving it.
    void setTheme(Theme theme);
    /// Sets the vectors of words from a word2vec or GloVe text file.
    void importVectors(const QString &path);
    /// Replaces the picture of a model that reads pictures.
    void openPicture(const QString &path);
    /// Replaces the audio of a model that reads audio.
    void openSound(const QString &path);
    double textScale() const { return m_textScale; }
    /// Starts or ends present mode: the lesson and the picture in full screen. This window does not
    /// change.
    void present(bool on);
    /// Returns null if nothing is presented.
    Presentation *presentation() const { return m_presentation; }
    /// Returns the full-screen show that the start page offers for a class; null if it is not open.
    OpeningShow *openingShow() const { return m_show; }
    /// Prints the current view's figure in light colours.
    core::Outcome print(QPrinter &printer);

  signals:
    /// The first figure of a lesson was painted.
    void firstPainted();

  protected:
    void closeEvent(QCloseEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;
    bool event(QEvent *event) override;
    bool eventFilter(QObject *object, QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    bool focusNextPrevChild(bool next) override;

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
    void makeLessonEditorDock();
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
    QMenu *makeHeadsMenu();
    QMenu *makeLinesMenu();
    QMenu *makeSoftmaxMenu();
    QAction *makeOptionAction(Choice choice, bool FigureOptions::*option);
    QAction *makeLearnedAction();
    QAction *makeArithmeticAction();
    QAction *makeMotionAction();
    QAction *makeLinesAction();
    QAction *makeGradientsAction();
    void giveToolTips();
    void makeStrip();
    bool closesEdgePanel(const QKeyEvent &event) const;
    void makeInspector();
    void makeEditor();
    void editMask(bool on);
    void showWhatCanBeEdited();
    void showEditor();
    void makeHistory();
    void makeStatusBar();
    void restoreSettings();
    void saveSettings();

    void showTabs();
    /// Returns the tabs that the lesson uses, or that are useful for a model without a lesson.
    std::set<core::View> usedViews() const;
    void documentChanged(const ChangeEvent &event);
    void makeSaving();
    void addKeepingActions(QMenu &file);
    void showSaved();
    void newSession();
    bool save();
    bool saveAs();
    void revert();
    void makeFileWatch();
    void watchFiles();
    void lookAtFiles();
    /// True if the error is about a file that the open session reads values from.
    bool isOfShownFile(const core::Error &error) const;
    void fileFound(const std::optional<core::Error> &change);
    /// `isShown`: the session reads values from this file, which is no longer possible.
    void tellOfChangedFile(const core::Error &change, bool isShown);
    void reloadSession();
    void reload();
    void offerReloadWithout(const core::Error &why);
    void readAgain();
    SourceRequest requestOfSame() const;
    /// Asks the user about unsaved changes. Returns true if there are none, or the user has saved
    /// or discarded them.
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
    bool readsPictures() const;
    bool readsSounds() const;
    void choosePicture();
    void chooseSound();
    /// Reads the input of a model from a file in the background, and sets it with an edit.
    template <typename Read, typename Edit>
    void replaceInput(const QString &path, Read read, Edit edit);
    void openDropped(const QString &path);
    void openRecent(const QString &path);
    void showRecentFiles();
    void printCurrentFigure();
    void printWorksheet();
    void printHandout();
    void showKeys();
    void checkNumbers();
    void showMeasures();
    /// Replaces the text with random tokens, twice. Each call uses different tokens.
    void showRandomRepeats();
    void showGlossary(const QString &id);
    /// Sets the glossary id of the symbol or term under the mouse; empty: none.
    void hoverTerm(const QString &id) { m_hoveredTerm = id; }
    QString entryInSight() const;
    void saveCurrentFigure();
    void copyCurrentFigure();
    void changeTextScale(double factor);
    void chooseTheme(Theme theme);
    void followSystem();
    void setFullScreen(bool on);
    void makePresentAction();
    QWidget *makePresentButton();
    void presentationLeft();
    /// Returns the window on top, so that a dialog is not hidden by a presentation.
    QWidget *dialogParent();
    void showStartPage();
    void closeStartPage();
    void leaveStartPage();
    void showToClass(const QString &text);
    void leaveShow();
    void beginRun(const core::Recipe &recipe);
    void placeFilmstrip();
    void addBirthMenu(QMenu &training);
    void layOutStartPage();
    int roomForRecovery(int top);
    void makeMechanism();
    void moveLayer(core::Index by);
    void movePlace(core::Index by);
    void moveSequence(core::Index by);
    void applyStyle();
    void showProblem(const core::Error &error);
    void clearProblem();
    void showSizes();
    void showCaptureSizes(const QString &tokens);
    QString recomputedText() const;
    /// Returns the name of the file that the window is reading.
    QString readFileName() const;
    void showBusy();
    void showHovered(const QString &words);
    /// Removes the message about the point under the mouse, because it may be outdated.
    void clearHovered();
    void showProgress();
    void cancel();
    void orderControls();
    void keepFocusOutOf(const QDockWidget &dock);
    void about();

    double m_textScale;
    Theme m_chosen; // the saved theme; may be Theme::System
    Theme m_theme;  // the theme in use
    Document m_document;
    SourceReader m_reader;
    LatestJob m_inputReader; // reads a picture or audio
    QString m_inputFile;     // path that m_inputReader reads, or read last
    LatestJob m_textJob;     // reads the user's text for training
    std::unique_ptr<SessionSaver> m_saver;
    MechanismActions *m_mechanism;
    SourceBar *m_sourceBar;
    MessageBar *m_problem;
    FileWatch *m_watch = nullptr;
    RecoveryBar *m_recovery;
    FirstHints *m_hints;
    StartPage *m_startPage = nullptr; // null unless the page is shown
    bool m_isBelowStart = false;      // openBelowStart() is opening a source
    OpeningShow *m_show = nullptr;    // null unless the show is open
    QTabWidget *m_tabs;
    SentenceStrip *m_strip;
    StripAboveViews *m_aboveViews = nullptr;
    GeometryView *m_geometry = nullptr;
    HeadsView *m_heads = nullptr;
    LinesView *m_lines = nullptr;
    OutputView *m_output = nullptr;
    TrainingView *m_training = nullptr;
    BirthView *m_birth = nullptr;
    SoftmaxView *m_softmax = nullptr;
    LessonPanel *m_lesson;
    QDockWidget *m_lessonDock;
    Inspector *m_inspector;
    QDockWidget *m_inspectorDock;
    QAction *m_maskEditing; // turns mask painting by mouse on
    Editor *m_editor;
    QDockWidget *m_editorDock;
    QAction *m_showEditor = nullptr;
    LessonEditor *m_lessonEditor = nullptr; // null until its dock is shown
    QDockWidget *m_lessonEditorDock = nullptr;
    QAction *m_showLessonEditor = nullptr;
    HistoryPanel *m_history;
    QDockWidget *m_historyDock;
    DockWidths *m_dockWidths = nullptr;
    EdgePanels *m_edgePanels = nullptr; // inspector, editor, history
    FormulaBar *m_formula;
    Filmstrip *m_filmstrip;
    QList<QWidget *> m_hiddenForView; // widgets hidden because the current view does not need them
    // Views that the user opened. They keep their tab even if usedViews() does not have them.
    std::set<const QWidget *> m_asked;
    QLabel *m_sizes;
    QLabel *m_time;
    QLabel *m_message;     // describes what is under the mouse, or the last action
    QString m_hovered;     // the message if it describes what is under the mouse, otherwise empty
    QString m_hoveredTerm; // glossary id of the term under the mouse
    QProgressBar *m_busy;
    QToolButton *m_cancel;
    QTimer *m_busyDelay, *m_progressTicks;
    QMenu *m_recent = nullptr;
    QList<QAction *> m_edits; // actions that need a model, in addition to the tool bar's actions
    QAction *m_revert = nullptr;
    QAction *m_openPicture = nullptr;
    QAction *m_openSound = nullptr;
    QAction *m_printHandout = nullptr;
    QAction *m_fullScreen = nullptr;
    QAction *m_leaveFullScreen = nullptr;
    QAction *m_present = nullptr;
    QList<QAction *> m_presentedActions;    // actions whose keys also work in present mode
    Presentation *m_presentation = nullptr; // set in present mode
    QActionGroup *m_themes = nullptr;
    quint64 m_repeatsSeed = 1; // seed of the next random tokens
    bool m_isComputing = false;
    bool m_painted = false;
    ModelView *m_model = nullptr;
    QList<QWidget *> m_wantedHidden; // not needed by the view; see placeFilmstrip()
};

} // namespace headlight::ui
