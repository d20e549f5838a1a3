// Trains beside the window: a worker owns the run, and the rival that races against it, and says
// where it is when somebody asks. Values cross the threads, objects do not.
#pragma once

#include "core/training/run/ablation_study.h"
#include "core/training/run/training_run.h"

#include <QObject>
#include <QThreadPool>

#include <atomic>
#include <memory>
#include <stop_token>

namespace headlight::ui {

/// A run at one moment, with the weights of it, and its rival.
struct TrainingCheckpoint {
    core::TrainingRunPointer run;
    core::ModelParameters weights;
    bool hasDiverged = false; ///< a number was none: the rival goes on alone
};

class TrainingRunner : public QObject {
    Q_OBJECT
  public:
    explicit TrainingRunner(QObject *parent = nullptr);
    ~TrainingRunner() override;

    /// Goes on from the state, for so many steps or until the recipe's are made. What ran until now
    /// is forgotten. Returns at once.
    void start(core::TrainingState state, core::TaskPointer task, core::Index steps);
    /// The step that is being made is given up; stopped() follows within a few milliseconds.
    void stop();
    /// The same, and nothing is reported any more.
    void cancel();
    /// The moment after the step that is being made: reached() follows.
    void wantCheckpoint();
    bool isRunning() const { return m_isRunning; }
    /// A worker is busy, even if nobody waits for it any more.
    bool isBusy() const { return m_pool.activeThreadCount() > 0; }
    /// How many the present run has made since its start.
    core::Index stepsMade() const { return m_job ? m_job->made.load() : 0; }

  signals:
    /// So that somebody can come back: a few hundred times on the way of a whole run.
    void passed(const headlight::ui::TrainingCheckpoint &checkpoint);
    /// Asked for.
    void reached(const headlight::ui::TrainingCheckpoint &checkpoint);
    /// Paused, or all steps are made: the last moment.
    void stopped(const headlight::ui::TrainingCheckpoint &checkpoint);
    /// It could not begin; nothing was made.
    void refused(const headlight::core::Error &error);
    /// A number is none: the moment before it. A rival goes on.
    void diverged(const headlight::core::Error &error,
                  const headlight::ui::TrainingCheckpoint &checkpoint);
    /// The same of the rival: the run goes on.
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
    /// On this object's thread, unless another run has begun.
    template <typename Report>
    void report(const JobPointer &job, bool isLast, Report report);

    JobPointer m_job; // this object's thread only: that may report
    bool m_isRunning = false;
    QThreadPool m_pool; // one thread
};

} // namespace headlight::ui
