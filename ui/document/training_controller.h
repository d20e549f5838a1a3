// Trains the document's model. Each displayed checkpoint is applied as an edit of the parameters.
// One run is one undo step. The user's own edits are separate, and training continues from them.
// An optional ablated run stays at the same step.
#pragma once

#include "ui/compute/training_runner.h"
#include "ui/document/change_event.h"
#include "ui/document/checkpoints.h"

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>

#include <optional>

namespace headlight::ui {

class Document;

class TrainingController : public QObject {
    Q_OBJECT
  public:
    explicit TrainingController(Document &document, QObject *parent = nullptr);
    /// Owned by the document; shared by the window and presentations. Created on first use.
    static TrainingController &of(Document &document);

    /// Returns the run's task. Null if it is unknown or there is no run.
    core::TaskPointer task() const;
    /// Returns why training is unavailable, or an empty string.
    QString unavailableReason() const;
    /// Sets a task made from a text of the user that the session does not contain. Valid until
    /// another source is opened.
    void setTask(core::TaskPointer task);
    /// True if the run's training text is missing.
    bool lacksText() const;
    /// The run at the displayed checkpoint; null if there is none.
    core::TrainingRunPointer run() const;
    /// True if all steps of the recipe are done.
    bool isDone() const;
    /// Trains until the last step or pause(). Errors: as unavailableReason(); later errors are
    /// reported by failed().
    core::Outcome start();
    core::Outcome oneBatch();
    void pause();
    /// Restores the recipe's initial parameters, before the first step.
    core::Outcome beginAgain();
    /// Shows the state of a run of the same recipe that was trained elsewhere, and its text
    /// if there is one. Pauses training. One undo step.
    void adopt(core::TrainingState state, std::optional<core::Input> input = {});
    bool isRunning() const { return m_runner.isRunning(); }
    /// True if a pause was requested and the run has not stopped yet.
    bool isPausing() const { return m_isPausing && isRunning(); }
    /// True while a worker trains or its last checkpoint is not shown yet.
    bool isBusy() const { return m_runner.isBusy() || m_isShowing; }

    const Checkpoints &checkpoints() const { return m_checkpoints; }
    /// The index of the displayed checkpoint. Unset if there are none.
    std::optional<std::size_t> shownCheckpoint() const;
    /// Shows the checkpoint in every view. Pauses training.
    void show(std::size_t index);
    /// The index of the checkpoint closest to the step with the lowest loss. Unset if no step was
    /// trained.
    std::optional<std::size_t> bestCheckpoint() const;

    /// The speed of the current or last run; 0 if there was none.
    double stepsPerSecond() const { return m_rate; }

  signals:
    /// Training has started or stopped, the list of checkpoints has changed, or another checkpoint
    /// is displayed.
    void changed();
    void failed(const headlight::core::Error &error);
    /// Training diverged (NaN or infinity). The last valid checkpoint stays displayed.
    void diverged(const headlight::core::Error &error);
    /// The ablated run diverged. The main run continues.
    void ablatedDiverged(const headlight::core::Error &error);

  private:
    void documentChanged(const ChangeEvent &event);
    void stateChanged(const StateChanged &change);
    core::Outcome go(core::Index steps);
    void take(const TrainingCheckpoint &checkpoint);
    void applyDivergence(const TrainingCheckpoint &checkpoint);
    bool isComputed() const;
    void apply(const core::ModelParameters &weights, core::TrainingRunPointer run,
               const QString &words, std::optional<core::Input> input = {});
    void shown();
    void goBackToShown();
    void measureRate();

    Document &m_document;
    core::TaskPointer m_task; // task made from the user's own text
    TrainingRunner m_runner;
    Checkpoints m_checkpoints;
    core::TrainingRunPointer m_own;      // run that this object applied last
    core::ModelParameters m_ownWeights;  // parameters of m_own
    core::TrainingRunPointer m_computed; // last run whose trace was computed
    core::ModelParameters m_computedWeights;
    bool m_cannotBeComputed = false; // trace of the last applied parameters failed
    core::Index m_begun = 0;         // training step at which the undo step began
    core::Index m_stepsLeft = 0;     // requested steps that remain
    int m_gesture = 0;
    bool m_isApplying = false;
    bool m_isPausing = false;
    bool m_isShowing = false; // true until the new checkpoint is computed and painted
    QElapsedTimer m_showing;
    QTimer m_wait; // ends when the next checkpoint may be requested
    QElapsedTimer m_running;
    double m_rate = 0;
};

} // namespace headlight::ui
