// Trains the document's model: what the trainer reaches is shown as an edit of the weights like any
// other. All that one run reaches is one undo step; a person's own edits in between are edits, and
// training goes on from them. A rival that races against it is at the same step.
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
    /// The document's own, whoever shows it: the window, a presentation. Made when it is first
    /// asked for.
    static TrainingController &of(Document &document);

    /// The run's; null: it is not known, or nothing is trained.
    core::TaskPointer task() const;
    /// Why what is open cannot be trained; empty: it can.
    QString whyNot() const;
    /// That of a person's own text, where the session does not hold it: for what is open now.
    void setTask(core::TaskPointer task);
    /// The run learns from a text that is not known.
    bool lacksText() const;
    /// What is shown of it; null: nothing was trained.
    core::TrainingRunPointer run() const;
    /// All steps of its recipe are made.
    bool isDone() const;
    /// Until all steps are made, or pause(). Errors: as whyNot(); others come with failed().
    core::Outcome start();
    core::Outcome oneBatch();
    void pause();
    /// The first weights of its recipe, before the first step.
    core::Outcome beginAgain();
    bool isRunning() const { return m_runner.isRunning(); }
    /// It was told to pause, and still runs.
    bool isPausing() const { return m_isPausing && isRunning(); }
    /// A worker still trains, or what it reached is not shown yet.
    bool isBusy() const { return m_runner.isBusy() || m_isShowing; }

    const Checkpoints &checkpoints() const { return m_checkpoints; }
    /// Which of them is shown; none: there are none.
    std::optional<std::size_t> shownCheckpoint() const;
    /// Every view shows that moment. A run is paused.
    void show(std::size_t index);
    /// The moment whose loss was lowest, where something was learned at all.
    std::optional<std::size_t> bestCheckpoint() const;

    /// Of the present run, or the last one; 0: there was none.
    double stepsPerSecond() const { return m_rate; }

  signals:
    /// It runs or does not, another moment is shown, or others can be gone back to.
    void changed();
    void failed(const headlight::core::Error &error);
    /// A number is none: what was shown last is still shown.
    void diverged(const headlight::core::Error &error);
    /// The same of a rival. The run goes on.
    void ablatedDiverged(const headlight::core::Error &error);

  private:
    void documentChanged(const ChangeEvent &event);
    void stateChanged(const StateChanged &change);
    core::Outcome go(core::Index steps);
    void take(const TrainingCheckpoint &checkpoint);
    void applyDivergence(const TrainingCheckpoint &checkpoint);
    bool isComputed() const;
    void apply(const core::ModelParameters &weights, core::TrainingRunPointer run,
               const QString &words);
    void shown();
    void goBackToShown();
    void measureRate();

    Document &m_document;
    core::TaskPointer m_task; // of a person's own text
    TrainingRunner m_runner;
    Checkpoints m_checkpoints;
    core::TrainingRunPointer m_own;      // that was shown last by this
    core::ModelParameters m_ownWeights;  // and its weights
    core::TrainingRunPointer m_computed; // the newest that could be computed
    core::ModelParameters m_computedWeights;
    bool m_cannotBeComputed = false; // what was shown last
    core::Index m_begun = 0;         // the step that the undo step begins with
    core::Index m_stepsLeft = 0;     // that were asked for
    int m_gesture = 0;
    bool m_isApplying = false;
    bool m_isPausing = false;
    bool m_isShowing = false; // until it is computed and painted
    QElapsedTimer m_showing;
    QTimer m_wait; // until the next moment is asked for
    QElapsedTimer m_running;
    double m_rate = 0;
};

} // namespace headlight::ui
