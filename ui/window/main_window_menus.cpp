// MainWindow: the menus with every action and its keys, and the tool bar's buttons for the most
// used ones.
#include "ui/panels/filmstrip.h"
#include "ui/panels/formula_bar.h"
#include "ui/panels/inspector.h"
#include "ui/panels/lesson_panel.h"
#include "ui/panels/mechanism_actions.h"
#include "ui/strip/pairs_strip.h"
#include "ui/strip/sentence_strip.h"
#include "ui/views/combination_menu.h"
#include "ui/views/geometry_view.h"
#include "ui/views/heads_view.h"
#include "ui/views/lines_view.h"
#include "ui/views/make_view.h"
#include "ui/views/model_view.h"
#include "ui/views/motion/step_motion.h"
#include "ui/views/motion/system_motion.h"
#include "ui/views/output_view.h"
#include "ui/views/softmax_view.h"
#include "ui/views/view_bar.h"
#include "ui/widgets/plain_text.h"
#include "ui/window/action_text.h"
#include "ui/window/compare_menu.h"
#include "ui/window/key_map.h"
#include "ui/window/main_window.h"
#include "ui/window/presenting/presentation.h"
#include "ui/window/source_bar.h"

#include <QActionGroup>
#include <QApplication>
#include <QDockWidget>
#include <QLabel>
#include <QMenuBar>
#include <QMessageBox>
#include <QTabWidget>
#include <QToolButton>

namespace headlight::ui {

void MainWindow::makeMenus() {
    makePresentAction();
    makeFileMenu();
    makeEditMenu();
    makeViewMenu();
    makeMechanismMenus();
    makeTrainingMenu();
    makeCompareMenu();
    makeFigureMenu();
    makeHelpMenu();
}

void MainWindow::makeEditMenu() {
    QMenu *edit = menuBar()->addMenu(tr("&Edit"));
    QUndoStack &stack = m_document.undoStack();
    auto *undo = new QAction(tr("&Undo"), this);
    auto *redo = new QAction(tr("&Redo"), this);
    undo->setEnabled(stack.canUndo());
    redo->setEnabled(stack.canRedo());
    connect(undo, &QAction::triggered, &stack, &QUndoStack::undo);
    connect(redo, &QAction::triggered, &stack, &QUndoStack::redo);
    connect(&stack, &QUndoStack::canUndoChanged, undo, &QAction::setEnabled);
    connect(&stack, &QUndoStack::canRedoChanged, redo, &QAction::setEnabled);
    connect(&stack, &QUndoStack::undoTextChanged, undo, [undo](const QString &words) {
        undo->setText(words.isEmpty() ? tr("&Undo") : tr("&Undo %1").arg(withAmpersands(words)));
    });
    connect(&stack, &QUndoStack::redoTextChanged, redo, [redo](const QString &words) {
        redo->setText(words.isEmpty() ? tr("&Redo") : tr("&Redo %1").arg(withAmpersands(words)));
    });
    undo->setShortcut(QKeySequence::Undo);
    redo->setShortcuts(
        {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)});
    undo->setIconText(QStringLiteral("↶"));
    redo->setIconText(QStringLiteral("↷"));
    edit->addActions({undo, redo});
    m_presentedActions << undo << redo;
    edit->addSeparator();
    m_edits << edit->addAction(tr("Edit &text"), QKeySequence(Qt::CTRL | Qt::Key_L), m_sourceBar,
                               &SourceBar::focusText);
    edit->setToolTipsVisible(true);
    edit->addMenu(tr("&Inspector"))->addActions(m_inspector->inspectActions());

    auto *space = new QWidget;
    space->setFixedWidth(8);
    m_sourceBar->addWidget(space);
    for (QAction *action : {undo, redo}) {
        // Separate buttons, because the action's text follows the undo list and would not fit on a
        // tool bar.
        auto *button = new QToolButton;
        button->setText(action->iconText());
        button->setAccessibleName(action == undo ? tr("Undo") : tr("Redo"));
        connect(button, &QToolButton::clicked, action, &QAction::trigger);
        const auto follow = [button, action] {
            button->setEnabled(action->isEnabled());
            button->setToolTip(toolTipOf(*action));
        };
        connect(action, &QAction::changed, button, follow);
        follow();
        m_sourceBar->addWidget(button);
    }
}

void MainWindow::makeFigureMenu() {
    QMenu *figure = menuBar()->addMenu(tr("Fi&gure"));
    QAction *save = figure->addAction(tr("&Save figure…"), QKeySequence(Qt::CTRL | Qt::Key_E), this,
                                      &MainWindow::saveCurrentFigure);
    figure->addAction(tr("&Copy figure"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C), this,
                      &MainWindow::copyCurrentFigure);
    auto *button = new QToolButton;
    button->setObjectName("saveFigure");
    button->setText(tr("Figure"));
    button->setToolTip(tr("Save what you see as PNG, SVG or PDF (Ctrl+E)"));
    button->setAccessibleName(tr("Save figure"));
    connect(button, &QToolButton::clicked, save, &QAction::trigger);
    m_sourceBar->addMainButton(makePresentButton());
    m_sourceBar->addMainButton(button);
}

namespace {

/// Makes the toggle action raise a dock that is behind another tab. The action hides the dock only
/// if the dock is visible.
void raiseBeforeHiding(QDockWidget *dock) {
    QAction *toggle = dock->toggleViewAction();
    // Remember the visibility, because triggered() arrives after the dock has changed.
    dock->setProperty("inSight", dock->isVisible());
    QObject::connect(dock, &QDockWidget::visibilityChanged, dock,
                     [dock](bool inSight) { dock->setProperty("inSight", inSight); });
    QObject::connect(toggle, &QAction::toggled, dock,
                     [dock] { dock->setProperty("wasInSight", dock->property("inSight")); });
    QObject::connect(toggle, &QAction::triggered, dock, [dock](bool on) {
        if (on || !dock->property("wasInSight").toBool()) {
            dock->show();
            dock->raise();
        }
    });
}

} // namespace

void MainWindow::makeViewMenu() {
    QMenu *view = menuBar()->addMenu(tr("&View"));
    for (int index = 0; index < m_tabs->count(); ++index) {
        QAction *show =
            view->addAction(m_tabs->tabText(index), keyOfTab(index), this,
                            [this, view = static_cast<FigureView *>(m_tabs->widget(index))] {
                                showView(view->viewName());
                                view->setFocus(); // so that typing does not go into the text field
                            });
        m_tabs->setTabToolTip(index, toolTipOf(*show));
    }
    view->addSeparator();
    view->addMenu(tr("&Zoom"))
        ->addActions(static_cast<ViewBar *>(m_tabs->cornerWidget())->zoomActions());
    view->addAction(tr("Range and &colours…"), QKeySequence(Qt::Key_K), this,
                    [this] { currentView()->openLookMenu(); });
    view->addAction(tr("&Find a token…"), QKeySequence(Qt::CTRL | Qt::Key_F), this,
                    [this] { currentView()->findTokens(); });
    QMenu *options = view->addMenu(tr("View &options"));
    options->setToolTipsVisible(true);
    for (QMenu *menu : {makeHeadsMenu(), makeGeometryMenu(), makeLinesMenu(), makeSoftmaxMenu()})
        options->addMenu(menu);
    options->addSeparator();
    options->addActions({makeLearnedAction(), makeMotionAction(), makeLinesAction(),
                         m_strip->arcsAction(), makeGradientsAction()});
    view->addSeparator();
    raiseBeforeHiding(m_lessonDock);
    m_inspectorDock->toggleViewAction()->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_I));
    m_historyDock->toggleViewAction()->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_H));
    view->addMenu(tr("Pa&nels"))
        ->addActions({m_lessonDock->toggleViewAction(), m_inspectorDock->toggleViewAction(),
                      m_showEditor, m_showLessonEditor, m_historyDock->toggleViewAction(),
                      m_sourceBar->toggleViewAction(), m_formula->showAction(),
                      m_filmstrip->toggleViewAction()});
    view->addAction(m_present);
    m_fullScreen = view->addAction(tr("&Full screen"), QKeySequence(Qt::SHIFT | Qt::Key_F11), this,
                                   &MainWindow::setFullScreen);
    m_fullScreen->setCheckable(true);
    m_leaveFullScreen = view->addAction(tr("Leave full screen"), QKeySequence(Qt::Key_Escape), this,
                                        [this] { setFullScreen(false); });
    m_leaveFullScreen->setEnabled(false); // while it is disabled, the views receive Esc
    view->addSeparator();
    // Some keyboards have a separate plus key; on others it is Shift and =.
    QMenu *text = view->addMenu(tr("Te&xt size"));
    QAction *larger = text->addAction(tr("&Larger text"), this, [this] { changeTextScale(1.25); });
    larger->setShortcuts({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Equal),
                          QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Plus)});
    QAction *smaller = text->addAction(tr("&Smaller text"), this, [this] { changeTextScale(0.8); });
    smaller->setShortcuts({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Minus),
                           QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Underscore)});
    text->addAction(tr("&Normal text"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_0), this,
                    [this] { changeTextScale(0); });
    view->addMenu(makeThemeMenu());
}

/// Creates an action for an option of some views. Triggering it shows one of them.
QAction *MainWindow::makeOptionAction(Choice choice, bool FigureOptions::*option) {
    auto *action = new QAction(this);
    action->setCheckable(true);
    std::vector<FigureView *> views;
    for (int index = 0; index < m_tabs->count(); ++index)
        if (auto *view = static_cast<FigureView *>(m_tabs->widget(index)); view->info().has(choice))
            views.push_back(view);
    for (FigureView *view : views) {
        action->setChecked(view->options().*option);
        connect(view, &FigureView::optionsChanged, action,
                [action, view, option] { action->setChecked(view->options().*option); });
    }
    connect(action, &QAction::triggered, this, [this, views, option](bool on) {
        for (FigureView *view : views)
            view->setOption(option, on);
        if (std::ranges::find(views, currentView()) == views.end())
            showView(views.front()->viewName());
    });
    return action;
}

QAction *MainWindow::makeLearnedAction() {
    QAction *action = makeOptionAction(Choice::Learned, &FigureOptions::learned);
    action->setText(tr("Weight &matrices"));
    action->setObjectName("learnedMatrices");
    action->setToolTip(tr("Show the weight matrices of queries, keys, values, attention output and "
                          "the feed-forward network, or hide them to save space"));
    return action;
}

QAction *MainWindow::makeLinesAction() {
    QAction *action = makeOptionAction(Choice::Lines, &FigureOptions::lines);
    action->setText(tr("&Lines between the words in Close-up"));
    action->setObjectName("lines");
    action->setShortcut(Qt::Key_L);
    action->setToolTip(tr("Draw a line from each query to the words it attends to, thicker for "
                          "larger weights; from the selected row only, if there is one (L)"));
    return action;
}

/// Creates the action for gradients in Whole. The filmstrip then steps from the loss to the
/// embeddings. Turning it off, or an error, restores the previous view and selection, unless the
/// user has moved on.
QAction *MainWindow::makeGradientsAction() {
    struct Left {
        QString view;
        core::Selection selection;
        core::Selection ledTo;
    };
    const auto left = std::make_shared<std::optional<Left>>();
    auto *action = new QAction(tr("&Gradients in Whole"), this);
    action->setObjectName("showGradients");
    action->setCheckable(true);
    action->setShortcut(Qt::Key_W);
    action->setToolTip(tr("Show how the loss changes with each number, from the targets back to "
                          "the embeddings, as in training (W)"));
    for (int index = 0; index < m_tabs->count(); ++index) {
        auto *view = static_cast<FigureView *>(m_tabs->widget(index));
        if (!view->info().has(Choice::BackwardPass))
            continue;
        const auto follow = [this, action, view] {
            action->setChecked(view->wantsGradients());
            m_filmstrip->setGoesBack(view->wantsGradients() && m_tabs->currentWidget() == view);
        };
        connect(view, &FigureView::optionsChanged, action, follow);
        connect(m_tabs, &QTabWidget::currentChanged, action, follow);
        connect(&m_document, &Document::changed, action, [left](const ChangeEvent &event) {
            if (is<SessionChanged>(event))
                left->reset();
        });
        const auto goBack = [this, left, view] {
            const std::optional<Left> before = std::exchange(*left, std::nullopt);
            if (!before || m_document.selection() != before->ledTo)
                return;
            m_document.select(before->selection);
            if (currentView() == view)
                showView(before->view);
        };
        connect(action, &QAction::triggered, this, [this, view, left, goBack](bool on) {
            const Left now{currentView()->viewName(), m_document.selection(), {}};
            view->setShowGradients(on);
            showView(view->viewName());
            if (!view->wantsGradients())
                return goBack();
            m_filmstrip->first(); // with gradients, the first step is the loss
            *left = now;
            (*left)->ledTo = m_document.selection();
        });
        connect(view, &FigureView::failed, action, [this, view, goBack](const core::Error &error) {
            if (view->wantsGradients())
                return;
            goBack();
            showProblem(error); // show it again, because changing the view has dismissed it
        });
    }
    return action;
}

/// Creates the action that turns the animation of steps on. The system's request for reduced motion
/// takes precedence.
QAction *MainWindow::makeMotionAction() {
    auto *action = new QAction(tr("&Motion of steps in Close-up"), this);
    action->setObjectName("motion");
    action->setCheckable(true);
    const auto follow = [action] {
        const bool isReduced = SystemMotion::instance().isReduced();
        action->setEnabled(!isReduced);
        action->setChecked(StepMotion::isWanted());
        action->setToolTip(isReduced ? tr("The system asks for reduced motion")
                                     : tr("When you press Next, the numbers move to where they "
                                          "are combined"));
    };
    follow();
    connect(action, &QAction::triggered, this, [](bool on) { StepMotion::choose(on); });
    connect(&SystemMotion::instance(), &SystemMotion::changed, action, follow);
    return action;
}

/// Creates the action that expands the selected number's arithmetic. Expanding it shows Close-up.
QAction *MainWindow::makeArithmeticAction() {
    auto *action = new QAction(tr("&Open the arithmetic"), this);
    action->setObjectName("openArithmetic");
    action->setCheckable(true);
    action->setShortcut(QKeySequence(Qt::Key_O));
    action->setToolTip(tr("Show the selected number's arithmetic as large as the picture allows "
                          "(O; in Close-up also Enter or a double click)"));
    connect(&m_document, &Document::changed, action,
            [this, action] { action->setChecked(m_document.selection().opened); });
    connect(action, &QAction::triggered, this, [this](bool opened) {
        core::Selection selection = m_document.selection();
        selection.opened = opened;
        m_document.select(selection);
        const QString closeUp = idOf(infoOf(core::View::CloseUp));
        if (opened && !currentView()->info().has(Choice::Arithmetic))
            showView(closeUp);
        if (opened && m_presentation)
            m_presentation->showView(closeUp);
    });
    return action;
}

/// Creates the menu that sets the large picture of the Heads view.
QMenu *MainWindow::makeHeadsMenu() {
    auto *menu = new QMenu(tr("&Heads view"), this);
    menu->setToolTipsVisible(true);
    connect(menu, &QMenu::aboutToShow, this, [this, menu] {
        menu->clear();
        fillCombinationMenu(*menu, *m_heads);
    });
    return menu;
}

/// Creates the menu of the Lines view's options.
QMenu *MainWindow::makeLinesMenu() {
    auto *menu = new QMenu(tr("Lin&es view"), this);
    menu->setToolTipsVisible(true);
    menu->addActions(m_lines->actions());
    return menu;
}

/// Creates the menu of the softmax view's options.
QMenu *MainWindow::makeSoftmaxMenu() {
    auto *menu = new QMenu(tr("Soft&max"), this);
    menu->setToolTipsVisible(true);
    menu->addActions(m_softmax->softmaxActions());
    return menu;
}

/// Creates the menu of the planes' options. An option shows the Geometry view.
QMenu *MainWindow::makeGeometryMenu() {
    auto *menu = new QMenu(tr("&Geometry"), this);
    bool wasGrouped = true;
    for (QAction *action : m_geometry->planeActions()) {
        const bool isGrouped = action->actionGroup() != nullptr;
        if (menu->actions().size() > 0 && (!isGrouped && wasGrouped))
            menu->addSeparator();
        wasGrouped = isGrouped;
        menu->addAction(action);
        connect(action, &QAction::triggered, this, [this] { showView(m_geometry->viewName()); });
    }
    return menu;
}

QMenu *MainWindow::makeThemeMenu() {
    auto *themes = new QMenu(tr("&Theme"), this);
    m_themes = new QActionGroup(this);
    const std::pair<Theme, QString> choices[] = {{Theme::System, tr("As the &system")},
                                                 {Theme::Light, tr("&Light")},
                                                 {Theme::Dark, tr("&Dark")}};
    for (const auto &[theme, name] : choices) {
        QAction *action = themes->addAction(name);
        action->setCheckable(true);
        m_themes->addAction(action);
        connect(action, &QAction::triggered, this, [this, theme = theme] { chooseTheme(theme); });
    }
    connect(themes, &QMenu::aboutToShow, this,
            [this] { m_themes->actions().at(static_cast<int>(m_theme))->setChecked(true); });
    return themes;
}

void MainWindow::makeMechanismMenus() {
    QMenu *model = menuBar()->addMenu(tr("&Model"));
    model->setToolTipsVisible(true);
    model->addActions(m_mechanism->maskActions());
    model->addAction(m_maskEditing);
    model->addSeparator();
    model->addActions({m_mechanism->scalingAction(), m_mechanism->positionsAction()});
    model->addActions(m_mechanism->temperatureActions());
    model->addSeparator();
    QMenu *go = model->addMenu(tr("&Go to head, layer or sequence"));
    QAction *previous =
        go->addAction(tr("Previous head"), this, [this] { m_mechanism->moveHead(-1); });
    previous->setShortcuts(
        {QKeySequence(Qt::Key_BracketLeft), QKeySequence(Qt::CTRL | Qt::Key_Up)});
    QAction *next = go->addAction(tr("Next head"), this, [this] { m_mechanism->moveHead(1); });
    next->setShortcuts({QKeySequence(Qt::Key_BracketRight), QKeySequence(Qt::CTRL | Qt::Key_Down)});
    QAction *above = go->addAction(tr("Previous layer"), this, [this] { moveLayer(-1); });
    above->setShortcuts(
        {QKeySequence(Qt::Key_BraceLeft), QKeySequence(Qt::ALT | Qt::SHIFT | Qt::Key_Up)});
    QAction *below = go->addAction(tr("Next layer"), this, [this] { moveLayer(1); });
    below->setShortcuts(
        {QKeySequence(Qt::Key_BraceRight), QKeySequence(Qt::ALT | Qt::SHIFT | Qt::Key_Down)});
    QAction *placeBefore =
        go->addAction(tr("Previous attention block: encoder, decoder, cross-attention"), this,
                      [this] { movePlace(-1); });
    placeBefore->setShortcuts(
        {QKeySequence(Qt::CTRL | Qt::Key_BraceLeft), QKeySequence(Qt::ALT | Qt::Key_PageUp)});
    QAction *placeAfter =
        go->addAction(tr("Next attention block: encoder, decoder, cross-attention"), this,
                      [this] { movePlace(1); });
    placeAfter->setShortcuts(
        {QKeySequence(Qt::CTRL | Qt::Key_BraceRight), QKeySequence(Qt::ALT | Qt::Key_PageDown)});
    go->addSeparator();
    go->addAction(tr("Previous sequence"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Up), this,
                  [this] { moveSequence(-1); });
    go->addAction(tr("Next sequence"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Down), this,
                  [this] { moveSequence(1); });
    // The model view's bar at the bottom has the last actions, too.
    constexpr int kOfBar = 4;
    const QList<QAction *> heads = m_model->headActions();
    model->addActions(heads.first(heads.size() - kOfBar));
    QMenu *silencing = model->addMenu(tr("&Effects of silencing heads"));
    silencing->setToolTipsVisible(true);
    silencing->addActions(heads.last(kOfBar));
    model
        ->addAction(tr("Table of measures…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_H), this,
                    &MainWindow::showMeasures)
        ->setToolTip(tr("List the measures of all heads: sort, filter, copy and save them"));
    model->addAction(tr("Random tokens, twice"), this, &MainWindow::showRandomRepeats)
        ->setToolTip(tr("Replace the text with random tokens that repeat, which reveal the "
                        "induction heads of a decoder"));
    model->addSeparator();
    model->addActions(m_output->writingActions());

    m_presentedActions << m_lesson->lessonActions().first(2) << m_lesson->lessonActions().at(3)
                       << previous << next << above << below << placeBefore << placeAfter;

    QMenu *step = menuBar()->addMenu(tr("&Step"));
    step->setToolTipsVisible(true);
    step->addActions(m_filmstrip->stepActions());
    QAction *arithmetic = makeArithmeticAction();
    step->addAction(arithmetic);
    m_presentedActions << arithmetic << m_formula->showAction();
    step->addSeparator();
    step->addActions(m_lesson->lessonActions());
}

void MainWindow::makeCompareMenu() {
    auto *compare = new CompareMenu(m_document, m_reader, this);
    menuBar()->addMenu(compare);
    connect(compare, &CompareMenu::failed, this, &MainWindow::showProblem);
    connect(compare, &CompareMenu::textWanted, this, [this] {
        if (!m_strip->isVisibleTo(this)) // the strip above Heads has the field for the text
            showView(idOf(infoOf(core::View::Heads)));
        m_strip->pairs().edit();
    });
    connect(compare, &CompareMenu::statusMessage, this, [this](const QString &words) {
        clearProblem();
        m_message->setText(words);
    });
}

void MainWindow::makeHelpMenu() {
    QMenu *help = menuBar()->addMenu(tr("&Help"));
    help->addAction(tr("&Glossary"), QKeySequence(Qt::Key_F1), this,
                    [this] { showGlossary(entryInSight()); })
        ->setToolTip(tr("Explain the selected stage or the focused control (F1)"));
    help->addAction(tr("&Keys"), QKeySequence(Qt::SHIFT | Qt::Key_F1), this, &MainWindow::showKeys);
    help->addAction(tr("&Check the numbers…"), this, &MainWindow::checkNumbers)
        ->setToolTip(tr("Recompute every stage in 64 bits and compare"));
    QAction *about = help->addAction(tr("&About Headlight"), this, &MainWindow::about);
    about->setMenuRole(QAction::AboutRole);
}

void MainWindow::showKeys() {
    if (auto *open = findChild<KeyMap *>()) {
        open->raise();
        return open->activateWindow();
    }
    auto *keys = new KeyMap(*menuBar(), this);
    keys->setAttribute(Qt::WA_DeleteOnClose);
    keys->show();
}

/// Sets a tooltip with text and keys for every action that has no tooltip yet.
void MainWindow::giveToolTips() {
    for (QAction *action : findChildren<QAction *>())
        if (action->toolTip().isEmpty() || action->toolTip() == plainText(*action))
            action->setToolTip(toolTipOf(*action));
}

void MainWindow::about() {
    QMessageBox box(
        QMessageBox::NoIcon, tr("About Headlight"),
        tr("<h3>Headlight %1</h3><p>See, step through, edit and photograph the attention mechanism "
           "of "
           "transformers.</p><p>Every number on the screen comes from the computation itself.</p>")
            .arg(QApplication::applicationVersion()),
        QMessageBox::Ok, this);
    box.setTextFormat(Qt::RichText);
    box.setIconPixmap(windowIcon().pixmap(64));
    box.exec();
}

} // namespace headlight::ui
