// MainWindow: the Training menu, new runs, and runs that diverged.
#include "core/training/tasks/head_purpose.h"
#include "core/training/tasks/own_text.h"
#include "ui/document/training_controller.h"
#include "ui/text/ablation_text.h"
#include "ui/text/core_message.h"
#include "ui/text/file_path.h"
#include "ui/views/birth_view.h"
#include "ui/views/training_view.h"
#include "ui/window/main_window.h"
#include "ui/window/message_bar.h"
#include "ui/window/source_bar.h"
#include "ui/window/training/new_run_dialog.h"
#include "ui/window/training/new_run_fields.h"

#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QTabWidget>

namespace headlight::ui {

void MainWindow::makeTrainingMenu() {
    QMenu *training = menuBar()->addMenu(tr("T&raining"));
    training->setToolTipsVisible(true);
    const QList<QAction *> actions = m_training->trainingActions();
    training->addActions(actions.first(5));
    training->addSeparator();
    training->addActions(actions.mid(5));
    addBirthMenu(*training);
    QAction *pin = training->addAction(tr("&Pin this checkpoint as A"), this, [this] {
        m_document.comparison().pin();
        m_message->setText(tr("Pinned as A: %1").arg(m_document.comparison().compared().name));
    });
    pin->setToolTip(tr("Pin the current checkpoint for comparison"));
    QAction *ablated = training->addAction(tr("Sho&w the ablated run as A"), this, [this] {
        m_document.comparison().compareWithAblated();
        m_message->setText(
            tr("Compared with the ablated run: %1").arg(m_document.comparison().compared().name));
    });
    ablated->setToolTip(tr("Compare with the ablated run, checkpoint by checkpoint"));
    ablated->setEnabled(false);
    connect(&m_document, &Document::changed, ablated, [this, ablated] {
        const core::TrainingRunPointer &run = m_document.state().training;
        ablated->setEnabled(run && run->ablated && !m_document.comparison().isAblated());
    });
    connect(&m_training->controller(), &TrainingController::ablatedDiverged, this,
            [this](const core::Error &error) {
                const core::TrainingRunPointer &run = m_document.state().training;
                if (run && run->ablated)
                    m_message->setText(
                        tr("The run %1 has stopped; the other continues: %2")
                            .arg(nameOf(run->ablated->ablation), translated(error.what)));
            });
    connect(m_training, &TrainingView::newRunRequested, this, &MainWindow::newRun);
    connect(m_training, &TrainingView::textFileRequested, this, &MainWindow::chooseTrainingText);
    connect(m_training, &FigureView::failed, this, &MainWindow::showProblem);
    connect(m_training, &TrainingView::diverged, this, [this](const core::Error &error) {
        showProblem(error);
        TrainingController &controller = m_training->controller();
        if (const auto best = controller.bestCheckpoint())
            m_problem->offer(tr("Show the checkpoint with the lowest loss"),
                             [&controller, best = *best] { controller.show(best); });
    });
}

/// Adds the tasks whose heads can be watched, and the controls of the replay.
void MainWindow::addBirthMenu(QMenu &training) {
    QMenu *watch = training.addMenu(tr("Watch a head &being born"));
    watch->setToolTipsVisible(true);
    const auto begin = [this](const QString &id) {
        if (const core::TaskPointer task = core::findTask(id.toStdString()))
            beginRun(task->info().recipe);
    };
    QAction *first = nullptr;
    for (const core::WatchableTask &task : core::watchableTasks()) {
        const auto id = QString::fromUtf8(task.id.data(), static_cast<qsizetype>(task.id.size()));
        QAction *action =
            watch->addAction(translated(task.title), this, [begin, id] { begin(id); });
        action->setToolTip(translated(task.learned));
        first = first ? first : action;
    }
    first->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_B));
    watch->addSeparator();
    watch->addActions(m_birth->birthActions());
    connect(m_birth, &BirthView::taskWanted, this, begin);
    connect(m_birth, &BirthView::saveWanted, this, &MainWindow::saveAs);
    connect(m_birth, &FigureView::failed, this, &MainWindow::showProblem);
    const auto showExample = [this] {
        m_sourceBar->showExample(currentView() == m_birth ? m_birth->exampleText() : QString());
    };
    connect(m_birth, &BirthView::exampleChanged, this, showExample);
    connect(m_tabs, &QTabWidget::currentChanged, this, showExample);
}

void MainWindow::newRun() {
    NewRunDialog dialog(dialogParent());
    if (const core::TrainingRunPointer &run = m_document.state().training)
        if (core::findTask(run->recipe.task))
            dialog.setRecipe(run->recipe,
                             run->ablated ? std::optional(run->ablated->ablation) : std::nullopt);
    if (dialog.exec() != QDialog::Accepted || !mayLeave())
        return;
    open(dialog.session());
    if (const QString text = dialog.textFile(); !text.isEmpty())
        m_document.addImportedFile(text);
    m_training->controller().setTask(dialog.task());
    m_document.setUnsaved();
}

/// Asks for the text file of a run that trains on a text. The trainer reports an error if the text
/// differs from the run's.
void MainWindow::chooseTrainingText() {
    const core::TrainingRunPointer &run = m_document.state().training;
    const auto units = run ? core::findTextUnits(run->recipe.task) : std::nullopt;
    if (!units)
        return;
    const QString path = chooseTextFile(dialogParent());
    if (path.isEmpty())
        return;
    m_document.addImportedFile(path);
    m_textJob.start(
        [file = bytesOf(path), units = *units](const std::stop_token &stop) {
            return core::readOwnTextTask(file, units, stop);
        },
        [this](const core::Result<core::TaskPointer> &task) {
            if (!task)
                return showProblem(task.error());
            clearProblem();
            m_training->controller().setTask(*task);
            m_message->setText(tr("The text has been read, so training can continue"));
        });
}

} // namespace headlight::ui
