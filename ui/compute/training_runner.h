// Trains on a worker thread. The worker owns the run and the optional ablated run, and reports
// checkpoints on request. Threads exchange values, never objects.
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
    /// Abandons the current step. stopped() follows within a few milliseconds.
    void stop();
    /// Stops the run without any further signal.
    void cancel();
    /// Requests a checkpoint after the current step. reached() follows.
    void wantCheckpoint();
    bool isRunning() const { return m_isRunning; }
    /// True while a worker runs, even if its result will be dropped.
    bool isBusy() const { return m_pool.activeThreadCount() > 0; }
    /// Returns the number of steps trained since start().
    core::Index stepsMade() const { return m_job ? m_job->made.load() : 0; }

  signals:
    /// Emitted a few hundred times per run, so that the user can go back to these checkpoints.
    void passed(const headlight::ui::TrainingCheckpoint &checkpoint);
    /// A requested checkpoint.
    void reached(const headlight::ui::TrainingCheckpoint &checkpoint);
    /// Training was paused or has finished. Carries the last checkpoint.
    void stopped(const headlight::ui::TrainingCheckpoint &checkpoint);
    /// Training could not start.
    void refused(const headlight::core::Error &error);
    /// Training diverged. Carries the last valid checkpoint; the ablated run continues.
    void diverged(const headlight::core::Error &error,
                  const headlight::ui::TrainingCheckpoint &checkpoint);
    /// The ablated run diverged. The main run continues.
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
    /// Posts the report to this object's thread. It is dropped if another run has started.
    template <typename Report>
    void report(const JobPointer &job, bool isLast, Report report);

    JobPointer m_job; // this object's thread only: the job that may report
    bool m_isRunning = false;
    QThreadPool m_pool; // one thread
};

} // namespace headlight::ui
