#include "ui/window/main_window.h"

#include "ui/panels/inspector.h"
#include "ui/panels/lesson_panel.h"
#include "ui/panels/stepper.h"
#include "ui/views/flow_view.h"
#include "ui/views/heads_view.h"
#include "ui/views/similarity_view.h"
#include "ui/views/view_bar.h"
#include "ui/window/figure_saving.h"
#include "ui/window/save_figure_dialog.h"
#include "ui/window/source_bar.h"
#include "ui/window/tab_order.h"

#include <QCloseEvent>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QProgressBar>
#include <QScreen>
#include <QSettings>
#include <QStatusBar>
#include <QTabBar>
#include <QTabWidget>
#include <QTimer>
#include <QToolButton>

#include <algorithm>

namespace headlight::ui {

MainWindow::MainWindow()
    : m_sourceBar(new SourceBar(m_document)),
      m_tabs(new QTabWidget),
      m_lesson(new LessonPanel(m_document)),
      m_lessonDock(new QDockWidget(tr("Lesson"))),
      m_inspector(new Inspector(m_document)),
      m_inspectorDock(new QDockWidget(tr("Inspector"))),
      m_stepper(new Stepper(m_document)) {
    setWindowTitle(tr("Headlight"));
    resize(1440, 900);

    m_tabs->setObjectName("views");
    m_tabs->tabBar()->setAccessibleName(tr("Views"));
    m_tabs->setDocumentMode(false);
    for (FigureView *view : {static_cast<FigureView *>(new FlowView(m_document)),
                             static_cast<FigureView *>(new HeadsView(m_document)),
                             static_cast<FigureView *>(new SimilarityView(m_document))}) {
        m_tabs->addTab(view, view->accessibleName());
        view->installEventFilter(this);
        view->setGranularity(m_stepper->granularity());
        connect(m_stepper, &Stepper::granularityChanged, view, &FigureView::setGranularity);
        connect(view, &FigureView::playRequested, m_stepper, &Stepper::togglePlaying);
        connect(view, &FigureView::hovered, this, [this](const QString &words) {
            if (!m_problemShown)
                m_message->setText(words);
        });
    }
    m_tabs->setCornerWidget(new ViewBar(*m_tabs));
    setCentralWidget(m_tabs);

    addToolBar(m_sourceBar);
    m_lessonDock->setObjectName("lessonDock");
    m_lessonDock->setWidget(m_lesson);
    m_lessonDock->setMinimumWidth(264);
    m_lessonDock->setTitleBarWidget(new QWidget); // the panel has its own heading
    addDockWidget(Qt::LeftDockWidgetArea, m_lessonDock);
    makeInspector();
    addToolBar(Qt::BottomToolBarArea, m_stepper);
    makeStatusBar();
    makeMenus();

    connect(m_sourceBar, &SourceBar::sourceChosen, this, [this](const QString &source) {
        SourceRequest request;
        request.source = source;
        openSource(request);
    });
    connect(m_sourceBar, &SourceBar::failed, this, &MainWindow::showProblem);
    connect(m_sourceBar, &SourceBar::succeeded, this, &MainWindow::clearProblem);
    connect(&m_document, &Document::changed, this, &MainWindow::documentChanged);
    restoreSettings();
    applyStyle();
    orderControls();
}

MainWindow::~MainWindow() {
    // Everything that shows the document goes before it does: a line edit still has something to
    // say when it loses focus.
    hide();
    m_document.disconnect();
    qDeleteAll(findChildren<QWidget *>(QString(), Qt::FindDirectChildrenOnly));
}

void MainWindow::makeInspector() {
    m_inspectorDock->setObjectName("inspectorDock");
    m_inspectorDock->setWidget(m_inspector);
    m_inspectorDock->setTitleBarWidget(m_inspector->makeTitleBar());
    addDockWidget(Qt::RightDockWidgetArea, m_inspectorDock);
    // A small screen belongs to the picture: there the inspector waits behind the lesson.
    if (screen()->availableSize().width() < 1200) {
        tabifyDockWidget(m_lessonDock, m_inspectorDock);
        m_lessonDock->raise();
    }
    connect(m_inspectorDock, &QDockWidget::visibilityChanged, m_inspector, &Inspector::setInSight);
    connect(m_inspector, &Inspector::failed, this, &MainWindow::showProblem);
    connect(m_inspector, &Inspector::said, this, [this](const QString &words) {
        clearProblem();
        m_message->setText(words);
    });
}

bool MainWindow::openSource(const SourceRequest &request) {
    core::Result<OpenedSource> opened = ui::openSource(request);
    if (!opened) {
        showProblem(opened.error());
        return false;
    }
    open(*std::move(opened));
    return true;
}

void MainWindow::open(OpenedSource opened) {
    clearProblem();
    m_document.open(std::move(opened));
}

FigureView *MainWindow::currentView() const {
    return static_cast<FigureView *>(m_tabs->currentWidget());
}

void MainWindow::showView(const QString &name) {
    for (int index = 0; index < m_tabs->count(); ++index)
        if (static_cast<FigureView *>(m_tabs->widget(index))->viewName() == name)
            m_tabs->setCurrentIndex(index);
}

void MainWindow::documentChanged(const ChangeEvent &event) {
    if (is<SessionChanged>(event)) {
        const QString title = QString::fromStdString(m_document.session().title);
        setWindowTitle(tr("%1 – Headlight").arg(title.isEmpty() ? m_document.source() : title));
    }
    if (is<ViewRequested>(event))
        showView(m_document.requestedView());
    if (is<SessionChanged>(event) || is<StateChanged>(event))
        m_busyDelay->start();
    if (const auto *failure = std::get_if<ComputationFailed>(&event)) {
        m_busyDelay->stop();
        m_busy->hide();
        m_cancel->hide();
        showProblem(failure->error);
    }
    if (is<TraceChanged>(event)) {
        m_busyDelay->stop();
        m_busy->hide();
        m_cancel->hide();
        showSizes();
        orderControls(); // the stepper's chips may be new ones
    }
}

void MainWindow::orderControls() {
    QList<QWidget *> left, right;
    for (QDockWidget *dock : findChildren<QDockWidget *>(QString(), Qt::FindDirectChildrenOnly))
        (dockWidgetArea(dock) == Qt::LeftDockWidgetArea ? left : right) << dock;
    orderTabs(QList<QWidget *>{m_sourceBar} + left + QList<QWidget *>{centralWidget()} + right +
              QList<QWidget *>{m_stepper, statusBar()});
}

void MainWindow::openFile() {
    QSettings settings;
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Open session"), settings.value("sessions/folder").toString(),
        tr("Headlight sessions (*.headlight);;All files (*)"));
    if (path.isEmpty())
        return;
    SourceRequest request;
    request.source = path;
    if (openSource(request))
        settings.setValue("sessions/folder", QFileInfo(path).absolutePath());
}

void MainWindow::saveCurrentFigure() {
    if (!currentView()->figure())
        return;
    SaveFigureDialog dialog(*currentView(), this);
    if (dialog.exec() == QDialog::Accepted)
        m_message->setText(tr("Saved %1").arg(dialog.savedPath()));
}

void MainWindow::copyCurrentFigure() {
    const Figure *figure = currentView()->figure();
    if (!figure)
        return;
    const core::Outcome copied = copyFigure(*figure, QSizeF(currentView()->size()));
    if (!copied)
        showProblem(copied.error());
    else
        m_message->setText(tr("The figure is on the clipboard"));
}

void MainWindow::moveHead(core::Index by) {
    core::Selection selection = m_document.selection();
    selection.head += by;
    m_document.select(selection);
}

void MainWindow::changeTextScale(double factor) {
    m_textScale = factor == 0 ? 1 : std::clamp(m_textScale * factor, 0.75, 2.5);
    applyStyle();
}

void MainWindow::setTheme(Theme theme) {
    m_theme = theme;
    applyStyle();
}

void MainWindow::applyStyle() {
    const FigureStyle style = applyTheme(m_theme, m_textScale);
    for (int index = 0; index < m_tabs->count(); ++index)
        static_cast<FigureView *>(m_tabs->widget(index))->setStyle(style);
    m_stepper->setStyle(style);
    m_inspector->setStyle(style);
}

bool MainWindow::eventFilter(QObject *object, QEvent *event) {
    // The first time a view paints a figure; told after the paint event is through.
    if (event->type() == QEvent::Paint && !m_painted && m_document.trace()) {
        m_painted = true;
        QTimer::singleShot(0, this, &MainWindow::firstPainted);
    }
    return QMainWindow::eventFilter(object, event);
}

void MainWindow::restoreSettings() {
    const QSettings settings;
    m_theme = themeOf(settings.value("window/theme").toString());
    m_textScale = std::clamp(settings.value("window/textScale", 1.0).toDouble(), 0.75, 2.5);
    restoreGeometry(settings.value("window/geometry").toByteArray());
    restoreState(settings.value("window/state").toByteArray());
}

void MainWindow::saveSettings() {
    QSettings settings;
    settings.setValue("window/theme", nameOf(m_theme));
    settings.setValue("window/textScale", m_textScale);
    settings.setValue("window/geometry", saveGeometry());
    settings.setValue("window/state", saveState());
}

void MainWindow::closeEvent(QCloseEvent *event) {
    saveSettings();
    QMainWindow::closeEvent(event);
}

} // namespace headlight::ui
