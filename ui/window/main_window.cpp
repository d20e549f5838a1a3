#include "ui/window/main_window.h"

#include "ui/accessibility/combo_lists.h"
#include "ui/accessibility/visible_focus.h"
#include "ui/panels/editor/editor.h"
#include "ui/panels/filmstrip.h"
#include "ui/panels/formula_bar.h"
#include "ui/panels/history_panel.h"
#include "ui/panels/inspector.h"
#include "ui/panels/lesson_editor/lesson_editor.h"
#include "ui/panels/lesson_panel.h"
#include "ui/panels/mechanism_actions.h"
#include "ui/panels/question_card.h"
#include "ui/strip/sentence_strip.h"
#include "ui/strip/words_strip.h"
#include "ui/text/attention_names.h"
#include "ui/text/file_path.h"
#include "ui/views/birth_view.h"
#include "ui/views/close_up_view.h"
#include "ui/views/geometry_view.h"
#include "ui/views/heads_view.h"
#include "ui/views/lines_view.h"
#include "ui/views/make_view.h"
#include "ui/views/model_view.h"
#include "ui/views/output_view.h"
#include "ui/views/softmax_view.h"
#include "ui/views/training_view.h"
#include "ui/views/view_bar.h"
#include "ui/views/whole_view.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/plain_text.h"
#include "ui/window/dock_focus.h"
#include "ui/window/edge_panels.h"
#include "ui/window/message_bar.h"
#include "ui/window/saving/recent_files.h"
#include "ui/window/saving/recovery_bar.h"
#include "ui/window/saving/session_saver.h"
#include "ui/window/source_bar.h"
#include "ui/window/start/first_hints.h"
#include "ui/window/strip_above_views.h"
#include "ui/window/system_scheme.h"
#include "ui/window/tab_order.h"
#include "ui/window/tab_room.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QKeyEvent>
#include <QLabel>
#include <QPointer>
#include <QProgressBar>
#include <QScreen>
#include <QStatusBar>
#include <QTabBar>
#include <QTabWidget>
#include <QTimer>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace headlight::ui {

namespace {

/// Returns the saved text size. Also sets the program's font to that size, before any widget of the
/// window exists.
double startTextScale() {
    const double scale = savedTextScale();
    applyFont(scale);
    return scale;
}

} // namespace

MainWindow::MainWindow()
    : m_textScale(startTextScale()),
      m_chosen(savedTheme()),
      m_theme(m_chosen),
      m_saver(std::make_unique<SessionSaver>(
          m_document, [this] { return currentView() ? currentView()->viewName() : QString(); })),
      m_mechanism(new MechanismActions(m_document, this)),
      m_sourceBar(new SourceBar(m_document, *m_mechanism)),
      m_problem(new MessageBar),
      m_recovery(new RecoveryBar),
      m_hints(new FirstHints),
      m_tabs(new QTabWidget),
      m_strip(new SentenceStrip(m_document)),
      m_lesson(new LessonPanel(m_document)),
      m_lessonDock(new QDockWidget(tr("Lesson"))),
      m_inspector(new Inspector(m_document)),
      m_inspectorDock(new QDockWidget(tr("Inspector"))),
      m_maskEditing(m_mechanism->maskEditingAction()),
      m_editor(new Editor(m_document, *m_maskEditing)),
      m_editorDock(new QDockWidget(tr("Editor"))),
      m_history(new HistoryPanel(m_document.undoStack())),
      m_historyDock(new QDockWidget(tr("History"))),
      m_formula(new FormulaBar(m_document)),
      m_filmstrip(new Filmstrip(m_document)),
      m_message(new ElidedLabel) {
    m_filmstrip->setMechanism(*m_mechanism);
    showTextAsItIs();
    nameComboLists();
    keepFocusVisible();
    setWindowTitle(tr("Headlight"));
    resize(QSize(1440, 900).boundedTo(screen()->availableSize()));

    m_tabs->setObjectName("views");
    m_tabs->tabBar()->setAccessibleName(tr("Views"));
    m_tabs->setUsesScrollButtons(false); // names are elided if space is scarce
    m_tabs->tabBar()->setElideMode(Qt::ElideRight);
    for (const ViewInfo &info : allViews()) {
        FigureView *view = makeView(info.view, m_document);
        if (!view)
            continue;
        m_tabs->setTabToolTip(m_tabs->addTab(view, titleOf(info)), purposeOf(info));
        if (auto *closeUp = qobject_cast<CloseUpView *>(view))
            closeUp->setMechanism(*m_mechanism);
        if (auto *geometry = qobject_cast<GeometryView *>(view))
            m_geometry = geometry;
        if (auto *heads = qobject_cast<HeadsView *>(view))
            m_heads = heads;
        if (auto *lines = qobject_cast<LinesView *>(view))
            m_lines = lines;
        if (auto *output = qobject_cast<OutputView *>(view))
            m_output = output;
        if (auto *training = qobject_cast<TrainingView *>(view))
            m_training = training;
        if (auto *birth = qobject_cast<BirthView *>(view))
            m_birth = birth;
        if (auto *softmax = qobject_cast<SoftmaxView *>(view))
            m_softmax = softmax;
        if (auto *whole = qobject_cast<WholeView *>(view))
            connect(whole, &WholeView::closeUpRequested, this,
                    [this] { showView(idOf(infoOf(core::View::CloseUp))); });
        if (auto *model = qobject_cast<ModelView *>(view)) {
            m_model = model;
            connect(model, &ModelView::termRequested, this, &MainWindow::showGlossary);
            connect(model, &ModelView::closeUpRequested, this,
                    [this] { showView(idOf(infoOf(core::View::CloseUp))); });
        }
        view->installEventFilter(this);
        view->setGranularity(m_filmstrip->granularity());
        connect(m_filmstrip, &Filmstrip::granularityChanged, view, &FigureView::setGranularity);
        connect(m_filmstrip, &Filmstrip::wentOn, view, [this, view] {
            if (!m_presentation) // in present mode, the presentation shows the step
                view->showStep();
        });
        connect(view, &FigureView::playRequested, m_filmstrip, &Filmstrip::togglePlaying);
        connect(view, &FigureView::inspectorRequested, m_inspectorDock, &QDockWidget::show);
        connect(view, &FigureView::hovered, this, &MainWindow::showHovered);
        connect(view, &FigureView::termHovered, this, &MainWindow::hoverTerm);
    }
    connect(m_geometry, &GeometryView::wanted, this, [this] { showView(m_geometry->viewName()); });
    connect(m_geometry, &GeometryView::failed, this, &MainWindow::showProblem);
    connect(m_heads, &HeadsView::wanted, this, [this] { showView(m_heads->viewName()); });
    connect(m_lines, &LinesView::wanted, this, [this] { showView(m_lines->viewName()); });
    connect(m_model, &ModelView::wanted, this, [this] { showView(m_model->viewName()); });
    connect(m_softmax, &SoftmaxView::wanted, this, [this] { showView(m_softmax->viewName()); });
    connect(m_output, &OutputView::wanted, this, [this] { showView(m_output->viewName()); });
    connect(m_tabs, &QTabWidget::currentChanged, this, [this] {
        m_asked.insert(m_tabs->currentWidget());
        showTabs();
        if (m_lessonEditor)
            m_lessonEditor->viewChanged();
    });
    m_tabs->setCornerWidget(new ViewBar(*m_tabs, m_mechanism));
    new TabRoom(*m_tabs);
    makeStrip();
    auto *centre = new QWidget;
    auto *column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_recovery);
    column->addWidget(m_problem);
    column->addWidget(m_hints);
    column->addWidget(m_tabs, 1);
    auto *question = new QuestionCard(m_document, *m_tabs);
    setCentralWidget(centre);
    setAcceptDrops(true);

    addToolBar(m_sourceBar);
    m_lessonDock->setObjectName("lessonDock");
    m_lessonDock->setWidget(m_lesson);
    question->standIn(m_lesson->text());
    m_lessonDock->setTitleBarWidget(m_lesson->makeTitleBar());
    addDockWidget(Qt::LeftDockWidgetArea, m_lessonDock);
    m_edgePanels = new EdgePanels(*m_tabs);
    connect(m_edgePanels, &EdgePanels::placed, this, [this] {
        const int width = m_edgePanels->isOpen() ? m_edgePanels->width() : 0;
        // With 0, the panel covers the views.
        m_aboveViews->keepFree(2 * width > m_tabs->width() ? 0 : width);
    });
    makeInspector();
    makeEditor();
    makeMechanism();
    makeHistory();
    makeLessonEditorDock();
    for (const QDockWidget *dock : {m_lessonDock, m_lessonEditorDock})
        keepFocusOutOf(*dock);
    addToolBar(Qt::BottomToolBarArea, m_filmstrip);
    addToolBarBreak(Qt::BottomToolBarArea);
    addToolBar(Qt::BottomToolBarArea, m_formula); // above the filmstrip, below the picture
    makeStatusBar();
    makeMenus();
    makeSaving();

    connect(m_sourceBar, &SourceBar::sourceChosen, this, [this](const QString &source) {
        SourceRequest request;
        request.source = source;
        openSource(request);
    });
    connect(m_sourceBar, &SourceBar::failed, this, &MainWindow::showProblem);
    connect(m_sourceBar, &SourceBar::succeeded, this, &MainWindow::clearProblem);
    connect(m_sourceBar, &SourceBar::textRefused, m_strip, &SentenceStrip::setTextRefused);
    connect(this, &QMainWindow::tabifiedDockWidgetActivated, this, &MainWindow::orderControls);
    connect(&m_document, &Document::changed, this, &MainWindow::documentChanged);
    connect(&SystemScheme::instance(), &SystemScheme::changed, this, &MainWindow::followSystem);
    // Apply the style before resizing the docks, because the saved sizes are for the saved text
    // size.
    applyStyle();
    resizeDocks({m_lessonDock}, {312}, Qt::Horizontal);
    restoreSettings();
    giveToolTips();
    for (QAction *action : std::as_const(m_edits))
        action->setData(action->toolTip());
    orderControls();
    // Do not focus the list of lessons, where C or M would select another lesson.
    currentView()->setFocus();
}

MainWindow::~MainWindow() {
    // Delete everything that shows the document before the document, because a line edit still
    // emits signals when it loses the focus.
    hide();
    m_document.disconnect();
    m_document.undoStack().disconnect(this);
    // Delete only our own children, because QMainWindow owns the separators and tabs between docks
    // and still lays them out while ours are deleted.
    QList<QPointer<QWidget>> ours;
    for (QWidget *child : findChildren<QWidget *>(QString(), Qt::FindDirectChildrenOnly))
        if (child == centralWidget() || child->isWindow() || qobject_cast<QToolBar *>(child) ||
            qobject_cast<QDockWidget *>(child))
            ours.append(child);
    for (const QPointer<QWidget> &child : std::as_const(ours))
        delete child.data(); // QPointer: deleting one may delete another
}

/// Places the words and the answer between the tabs and the view.
void MainWindow::makeStrip() {
    m_aboveViews = new StripAboveViews(*m_strip, *m_tabs);
    m_strip->words(InputSide::Own).installEventFilter(this);
    m_strip->words(InputSide::Source).installEventFilter(this);
    connect(m_strip, &SentenceStrip::hovered, this, &MainWindow::showHovered);
    connect(m_strip, &SentenceStrip::failed, this, &MainWindow::showProblem);
    connect(m_strip, &SentenceStrip::succeeded, this, &MainWindow::clearProblem);
    connect(m_strip, &SentenceStrip::statusMessage, m_message, &QLabel::setText);
}

void MainWindow::makeInspector() {
    m_inspectorDock->setObjectName("inspectorDock");
    m_inspectorDock->setWidget(m_inspector);
    m_inspectorDock->setTitleBarWidget(m_inspector->makeTitleBar());
    m_edgePanels->add(*m_inspectorDock);
    connect(m_inspectorDock, &QDockWidget::visibilityChanged, m_inspector, &Inspector::setInSight);
    connect(m_inspector, &Inspector::failed, this, &MainWindow::showProblem);
    connect(m_inspector, &Inspector::termHovered, this, &MainWindow::hoverTerm);
    connect(m_inspector, &Inspector::termRequested, this, &MainWindow::showGlossary);
    connect(m_inspector, &Inspector::statusMessage, this, [this](const QString &words) {
        clearProblem();
        m_message->setText(words);
    });
}

void MainWindow::makeHistory() {
    m_historyDock->setObjectName("historyDock");
    m_historyDock->setWidget(m_history);
    m_historyDock->setTitleBarWidget(m_history->makeTitleBar());
    m_edgePanels->add(*m_historyDock);
}

void MainWindow::openSource(const SourceRequest &request) {
    if (goToOtherWindowWith(request.source))
        return m_sourceBar->showSource();
    SourceRequest whole = request;
    if (!whole.course)
        whole.course = m_document.course(); // only used if the source is a lesson of the course
    m_reader.read(whole, [this, path = request.source](core::Result<OpenedSource> opened) {
        showRead(path, std::move(opened));
    });
}

void MainWindow::showRead(const QString &path, core::Result<OpenedSource> opened) {
    if (!opened) {
        showProblem(opened.error());
        if (!pathExists(path))
            removeRecentFile(path);
        else if (opened.error().where == "--tower") // the folder now has a different model
            forgetRecentChoices(path);
    } else if (!goToOtherWindowWith(path) && mayLeave()) {
        return open(*std::move(opened));
    }
    m_sourceBar->showSource(); // select the source that is still open
}

/// Activates another window that has the file open, so that two windows never save the same file.
/// Returns false if there is none.
bool MainWindow::goToOtherWindowWith(const QString &path) {
    MainWindow *other = otherWindowWith(path);
    if (!other)
        return false;
    other->raise();
    other->activateWindow();
    other->m_message->setText(tr("The file is already open in this window"));
    m_message->setText(tr("The file is already open in another window"));
    return true;
}

void MainWindow::open(OpenedSource opened) {
    clearProblem();
    closeStartPage();
    m_document.open(std::move(opened));
    if (const auto &warnings = m_document.session().warnings; !warnings.empty())
        m_problem->showWarnings(warnings, m_document.isCapture());
    const SourceKind kind = kindOfSource(m_document.source());
    if (m_document.course())
        addRecentFile(m_document.course()->path);
    else if (kind == SourceKind::Session || kind == SourceKind::Capture ||
             kind == SourceKind::ModelFolder)
        addRecentFile(requestOfSame());
}

FigureView *MainWindow::currentView() const {
    return static_cast<FigureView *>(m_tabs->currentWidget());
}

void MainWindow::showView(const QString &name) {
    const ViewInfo *asked = findView(name); // also finds former ids
    for (int index = 0; asked && index < m_tabs->count(); ++index)
        if (&static_cast<FigureView *>(m_tabs->widget(index))->info() == asked) {
            m_tabs->setTabVisible(index, true);
            m_tabs->setCurrentIndex(index);
        }
    // When the window opens with a view, focus the view, unless a question takes the keys.
    if (!isVisible() && !m_document.askedQuestion())
        currentView()->setFocus();
}

void MainWindow::choose(const ViewChoices &choices) {
    ViewChoices elsewhere = choices;
    elsewhere.range.reset();
    elsewhere.weightsMap.reset();
    elsewhere.signedMap.reset();
    for (int index = 0; index < m_tabs->count(); ++index) {
        auto *view = static_cast<FigureView *>(m_tabs->widget(index));
        view->choose(view == currentView() ? choices : elsewhere);
    }
    if (choices.granularity)
        m_filmstrip->showGranularity(*choices.granularity);
}

std::set<core::View> MainWindow::usedViews() const {
    std::set<core::View> used{core::View::CloseUp};
    const auto add = [&used](const std::optional<std::string> &id) {
        if (const auto view = id ? core::findView(*id) : std::nullopt)
            used.insert(*view);
    };
    if (const auto &lesson = m_document.session().lesson) {
        add(m_document.session().view.view);
        for (const core::LessonStep &step : lesson->steps)
            add(step.show.view);
        return used;
    }
    used.insert({core::View::Whole, core::View::Heads, core::View::Geometry, core::View::Lines});
    const core::TracePointer &trace = m_document.trace();
    if (trace && core::attentionsWithWeights(*trace).size() > 1)
        used.insert(core::View::Model);
    if (m_document.state().model.predicts() || (trace && core::hasOutput(*trace)))
        used.insert(core::View::Output);
    if (const core::TrainingRunPointer &run = m_document.state().training) {
        used.insert(core::View::Training);
        if (core::findWatchableTask(run->recipe.task))
            used.insert(core::View::Birth);
    }
    return used;
}

/// Shows the tabs of used and opened views. The menu after the tabs lists all others.
void MainWindow::showTabs() {
    const std::set<core::View> used = usedViews();
    for (int index = 0; index < m_tabs->count(); ++index) {
        const auto *view = static_cast<FigureView *>(m_tabs->widget(index));
        m_tabs->setTabVisible(index, used.contains(view->info().view) || m_asked.contains(view) ||
                                         view == m_tabs->currentWidget());
    }
    placeFilmstrip();
}

/// Hides the filmstrip while a view replays a run. Without a lesson, also hides the lesson dock
/// next to a view with controls on its left. Both would only take space, and the user can show them
/// again.
void MainWindow::placeFilmstrip() {
    const FigureView *view = currentView();
    const core::View shown = view ? view->info().view : core::View::CloseUp;
    QList<QWidget *> hidden;
    if (shown == core::View::Birth)
        hidden << m_filmstrip;
    if ((shown == core::View::Birth || shown == core::View::Model) && !m_document.session().lesson)
        hidden << m_lessonDock;
    if (std::exchange(m_wantedHidden, hidden) == hidden)
        return;
    for (QWidget *widget : std::exchange(m_hiddenForView, {}))
        widget->show();
    for (QWidget *widget : std::as_const(hidden))
        if (!widget->isHidden()) {
            widget->hide();
            m_hiddenForView << widget;
        }
}

void MainWindow::documentChanged(const ChangeEvent &event) {
    const auto *state = std::get_if<StateChanged>(&event);
    // During a drag, keep the message, because the view describes the drag.
    if (is<SelectionChanged>(event) || is<SessionChanged>(event) ||
        (is<TraceChanged>(event) && QGuiApplication::mouseButtons() == Qt::NoButton))
        clearHovered();
    if (is<SessionChanged>(event) || is<SavedChanged>(event) || (state && state->lesson))
        showSaved();
    if (is<SessionChanged>(event)) {
        m_asked.clear();
        showWhatCanBeEdited();
    }
    if (is<SessionChanged>(event))
        watchFiles();
    if (is<SessionChanged>(event) || is<TraceChanged>(event) || is<StateChanged>(event))
        showTabs();
    if (is<ViewRequested>(event))
        showView(m_document.requestedView());
    if (is<StepShown>(event)) {
        m_maskEditing->setChecked(false); // so that a click selects a cell again
        showPanelsOfStep();
        rememberStep();
    }
    if (is<SessionChanged>(event) || is<StateChanged>(event) || is<PreparationStarted>(event)) {
        m_isComputing = true;
        m_busyDelay->start();
    }
    if (is<PreparationEnded>(event))
        showBusy();
    if (const auto *failure = std::get_if<ComputationFailed>(&event)) {
        m_isComputing = false;
        showBusy();
        showProblem(failure->error);
        if (!failure->words.isEmpty())
            m_message->setText(failure->words);
    }
    if (const auto *cancelled = std::get_if<ComputationCancelled>(&event))
        m_message->setText(cancelled->words);
    if (is<TraceChanged>(event)) {
        m_isComputing = false;
        showBusy();
        showSizes();
        orderControls(); // put new frames of the filmstrip in the tab order
    }
}

void MainWindow::orderControls() {
    QList<QWidget *> left, right;
    for (QDockWidget *dock : findChildren<QDockWidget *>(QString(), Qt::FindDirectChildrenOnly))
        (dockWidgetArea(dock) == Qt::LeftDockWidgetArea ? left : right) << dock;
    orderTabs(QList<QWidget *>{m_sourceBar} + left + QList<QWidget *>{centralWidget()} + right +
              QList<QWidget *>{m_formula, m_filmstrip, statusBar()});
}

void MainWindow::moveLayer(core::Index by) {
    core::Selection selection = m_document.requestedSelection();
    selection.layer += by;
    m_document.select(selection);
}

/// Selects the next or previous kind of attention module, with the same layer if it exists; stops
/// at the ends. If the stage is not part of attention, selects the attention weights.
void MainWindow::movePlace(core::Index by) {
    const core::Model &model = m_document.state().model;
    core::Selection selection = m_document.requestedSelection();
    const auto places = placesOf(model);
    const auto current = std::ranges::find_if(places, [&](core::AttentionId place) {
        return place.stack == selection.stack && place.block == selection.block;
    });
    const core::Index index = std::distance(places.begin(), current) + by;
    if (current == places.end() || index < 0 || index >= std::ssize(places))
        return;
    core::AttentionId attention = places[static_cast<std::size_t>(index)];
    attention.layer = std::min(selection.layer, model.layerCount(attention.stack) - 1);
    selection.setAttention(attention);
    if (!core::infoOf(selection.stage).inAttention())
        selection.stage = core::Stage::AttentionWeights;
    m_document.select(selection);
}

void MainWindow::moveSequence(core::Index by) {
    core::Selection selection = m_document.requestedSelection();
    selection.sequence += by;
    m_document.select(selection);
}

/// Keeps single-key shortcuts from taking a letter from a focused list or a text field, or Space
/// from a focused button. In lists, brackets and braces still change the head or layer, because no
/// list entry starts with them.
bool MainWindow::event(QEvent *event) {
    if (event->type() == QEvent::ShortcutOverride) {
        const auto *key = static_cast<QKeyEvent *>(event);
        const bool single = !(key->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) &&
                            !key->text().isEmpty() && key->text().front().isPrint();
        const QWidget *focus = focusWidget();
        const bool isBracket = single && QStringLiteral("[]{}").contains(key->text().front());
        // Where the user writes text, a letter is never a command, even if no field has the focus.
        const bool writes = qobject_cast<const QLineEdit *>(focus) ||
                            (m_lessonEditor && m_lessonEditor->isAncestorOf(focus));
        if (single && writes) {
            event->accept();
            return true;
        }
        if (single && !isBracket &&
            (qobject_cast<const QComboBox *>(focus) ||
             qobject_cast<const QAbstractItemView *>(focus) ||
             (qobject_cast<const QAbstractButton *>(focus) && key->key() == Qt::Key_Space))) {
            event->accept();
            return true;
        }
    }
    return QMainWindow::event(event);
}

/// Skips docks behind another tab. Stops after one full cycle.
bool MainWindow::focusNextPrevChild(bool next) {
    const QWidget *first = nullptr;
    while (QMainWindow::focusNextPrevChild(next)) {
        const QWidget *focus = focusWidget();
        if (!focus || focus == first || !isInDockBehind(*focus))
            return true;
        if (!first)
            first = focus;
    }
    return false;
}

/// Moves the focus to the view when another tab covers the dock.
void MainWindow::keepFocusOutOf(const QDockWidget &dock) {
    connect(&dock, &QDockWidget::visibilityChanged, this, [this, &dock](bool isShown) {
        const QWidget *focus = focusWidget();
        if (!isShown && focus && dock.isAncestorOf(focus) && isInDockBehind(*focus))
            currentView()->setFocus();
        if (FigureView *view = currentView())
            leaveTabsOutside(*this, *view);
    });
}

/// True if the key closes the panel over the view, and not something in the view: the open
/// arithmetic, mask editing, or a drag.
bool MainWindow::closesEdgePanel(const QKeyEvent &event) const {
    return event.key() == Qt::Key_Escape && m_edgePanels->isOpen() &&
           !currentView()->showsArithmetic() && !m_maskEditing->isChecked() &&
           QApplication::mouseButtons() == Qt::NoButton;
}

void MainWindow::keyPressEvent(QKeyEvent *event) {
    if (closesEdgePanel(*event))
        return m_edgePanels->close();
    QMainWindow::keyPressEvent(event);
}

bool MainWindow::eventFilter(QObject *object, QEvent *event) {
    // Call isWords() for key events only, because the words receive other events while the strip
    // around them is destroyed.
    const auto isWords = [&] {
        return object == &m_strip->words(InputSide::Own) ||
               object == &m_strip->words(InputSide::Source);
    };
    if (event->type() == QEvent::KeyPress && (object == currentView() || isWords()) &&
        closesEdgePanel(*static_cast<QKeyEvent *>(event))) {
        m_edgePanels->close(); // before the view's own Esc clears the selection
        return true;
    }
    // First paint of a figure. The signal is emitted after the paint event.
    if (event->type() == QEvent::Paint && !m_painted && m_document.trace()) {
        m_painted = true;
        QTimer::singleShot(0, this, &MainWindow::firstPainted);
    }
    return QMainWindow::eventFilter(object, event);
}

} // namespace headlight::ui
