// Trains on a worker thread. The worker owns the run and the optional ablated run. It reports
// checkpoints regularly and on request. The threads exchange them by value.
#pragma once

#include "core/training/run/ablation_study.h"
#include "core/training/run/training_run.h"

#include <QObject>
#include <QThreadPool>

#include <atomic>
#include <memory>
#include <stop_token>

namespace headlight::ui {

/// A training run at one step, with its parameters and the ablated run.
struct TrainingCheckpoint {
    core::TrainingRunPointer run;
    core::ModelParameters weights;
    bool hasDiverged = false; ///< a value was NaN or infinite; the ablated run continues alone
};

class TrainingRunner : public QObject {
    Q_OBJECT
  public:
    explicit TrainingRunner(QObject *parent = nullptr);
    ~TrainingRunner() override;

    /// Trains from `state` for `steps` steps, or until the recipe's last step. Abandons the current
    /// run. Does not block.
    void start(core::TrainingState state, core::TaskPointer task, core::Index steps);
    /// Abandons the current step. Emits stopped() within a few milliseconds.
    void stop();
    /// Stops the run without any further signal.
    void cancel();
    /// Requests a checkpoint after the current step. Emits reached() with the checkpoint.
    void wantCheckpoint();
    bool isRunning() const { return m_isRunning; }
    /// True while a worker runs, even if its result will be dropped.
    bool isBusy() const { return m_pool.activeThreadCount() > 0; }
    /// Returns the number of steps trained since start().
    core::Index stepsMade() const { return m_job ? m_job->made.load() : 0; }

  signals:
    /// Emitted a few hundred times per run, so that the user can go back to these checkpoints.
    void passed(const headlight::ui::TrainingCheckpoint &checkpoint);
    /// Emitted with a requested checkpoint.
    void reached(const headlight::ui::TrainingCheckpoint &checkpoint);
    /// Emitted with the last checkpoint when training is paused or finished.
    void stopped(const headlight::ui::TrainingCheckpoint &checkpoint);
    /// Emitted if training could not start.
    void refused(const headlight::core::Error &error);
    /// Emitted with the last valid checkpoint when training diverges. The ablated run continues.
    void diverged(const headlight::core::Error &error,
                  const headlight::ui::TrainingCheckpoint &checkpoint);
    /// Emitted when the ablated run diverges. The main run continues.
    void ablatedDiverged(const headlight::core::Error &error);

  private:
    struct Job {
        std::stop_source stop;
        std::atomic<bool> isWanted = false;
        std::atomic<core::Index> made = 0;
    };
    using JobPointer = std::shared_ptr<Job>;
    void work(const JobPointer &job, core::TrainingState state, const core::TaskPointer &task,
              core::Index steps);
    /// Posts the report to this object's thread, which drops it if another run has started.
    template <typename Report>
    void report(const JobPointer &job, bool isLast, Report report);

    JobPointer m_job; // this object's thread only: the job that may report
    bool m_isRunning = false;
    QThreadPool m_pool; // one thread
};

} // namespace headlight::ui
