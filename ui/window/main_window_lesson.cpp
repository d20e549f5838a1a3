// MainWindow: requests of a lesson's step, such as panels to show or hide, and a training run.
#include "core/training/tasks/task.h"
#include "ui/document/lesson_catalogue.h"
#include "ui/document/training_controller.h"
#include "ui/document/training_session.h"
#include "ui/panels/editor/editor.h"
#include "ui/views/training_view.h"
#include "ui/window/lessons/lesson_map.h"
#include "ui/window/lessons/lesson_progress.h"
#include "ui/window/main_window.h"

#include <QDockWidget>

namespace headlight::ui {

void MainWindow::showPanelsOfStep() {
    const core::LessonStep *const step = m_document.lessonStep();
    if (!step)
        return;
    const std::array<QWidget *, core::kPanels> panels{m_inspectorDock, m_editorDock, m_historyDock,
                                                      nullptr};
    for (std::size_t panel = 0; panel < core::kPanels; ++panel)
        if (step->panels[panel] && panels[panel])
            panels[panel]->setVisible(*step->panels[panel]);
    // A step that opens the editor asks the user to change numbers, so show the Numbers page.
    if (step->panels[static_cast<std::size_t>(core::Panel::Editor)].value_or(false))
        m_editor->showNumbers();
}

void MainWindow::rememberStep() {
    const OpenCoursePointer &course = m_document.course();
    const bool isListed = lessonIds().contains(m_document.source()) ||
                          (course && course->indexOf(m_document.source()) >= 0);
    if (m_document.lessonStep() && isListed && !m_isBelowStart)
        ui::rememberStep(m_document.source(), static_cast<int>(m_document.state().lessonStep));
}

void MainWindow::showLessonMap() {
    auto *map = new LessonMap(currentView()->figureStyle(), m_document.course(),
                              m_startPage ? QString() : m_document.source(), this);
    map->setAttribute(Qt::WA_DeleteOnClose);
    connect(map, &LessonMap::chosen, this, [this](const QString &lesson, int step) {
        SourceRequest request;
        request.source = lesson;
        request.step = step;
        openSource(request);
    });
    map->open();
}

/// Opens the step's training in a new window; the lesson stays open.
void MainWindow::beginRunOfStep() {
    const core::LessonStep *const step = m_document.lessonStep();
    if (!step || !step->run)
        return;
    const core::TaskPointer task = core::findTask(step->run->recipe.task);
    core::Result<OpenedSource> session =
        task ? makeTrainingSession(step->run->recipe, task, step->run->ablation)
             : core::Result<OpenedSource>(
                   core::Error{{"there is no task %1", step->run->recipe.task}, "", ""});
    if (!session)
        return showProblem(session.error());
    auto *window = new MainWindow;
    window->setAttribute(Qt::WA_DeleteOnClose);
    window->setTheme(m_theme);
    window->open(*std::move(session));
    window->m_document.setUnsaved();
    window->showView(window->m_training->viewName());
    window->move(pos() + QPoint(32, 32));
    window->show();
    if (const core::Outcome begun = window->m_training->controller().start(); !begun)
        window->showProblem(begun.error());
}

} // namespace headlight::ui
