// Replays a recorded training run: records it in the background, then moves through its snapshots.
#pragma once

#include "core/training/run/recorded_run.h"
#include "ui/compute/latest_job.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <atomic>
#include <future>
#include <memory>
#include <optional>
#include <stop_token>
#include <thread>

namespace headlight::ui {

/// A run that is recorded before anyone watches it. While it exists, each BirthReplay that records
/// the same recipe takes its result. Until one waits for the result, recording pauses after each
/// step to leave time for the window. The destructor stops it.
class RunAhead {
  public:
    /// Begins to record. The caller must keep the returned run while it may still be watched.
    static std::shared_ptr<RunAhead> begin(const core::Recipe &recipe, core::TaskPointer task);
    /// Returns the run of this recipe; null if none was begun, or it was dropped.
    static std::shared_ptr<RunAhead> of(const core::Recipe &recipe);
    RunAhead(const core::Recipe &recipe, core::TaskPointer task);

    /// Waits for the run without further pauses. Errors: those of core::recordRun(); "cancelled".
    core::Result<core::RecordedRunPointer> runWhenDone(const std::stop_token &stop);
    bool isDone() const;
    /// Returns the number of completed steps. It is updated while the run is recorded.
    const std::shared_ptr<std::atomic<core::Index>> &made() const { return m_made; }

  private:
    core::Recipe m_recipe;
    std::shared_ptr<std::atomic<core::Index>> m_made;
    std::atomic<bool> m_isAwaited = false;
    std::promise<core::Result<core::RecordedRunPointer>> m_promise;
    std::shared_future<core::Result<core::RecordedRunPointer>> m_run;
    std::jthread m_thread; // last member, because the thread uses the others
};

class BirthReplay : public QObject {
    Q_OBJECT
  public:
    explicit BirthReplay(QObject *parent = nullptr);

    /// Drops the recorded run. Trains the recipe in the background, or waits for its RunAhead.
    /// Emits recorded() or failed() at the end.
    void record(const core::Recipe &recipe, core::TaskPointer task);
    /// Shows the same run at the same snapshot as `other`, which must have a run.
    void take(const BirthReplay &other);
    /// Stops recording, or drops the recorded run.
    void clear();
    bool isRecording() const { return m_job.isBusy(); }
    /// Returns the share of the steps trained while recording, 0 … 1.
    double progress() const;
    /// Null until it is recorded.
    const core::RecordedRunPointer &run() const { return m_run; }

    /// Returns the index of the shown snapshot; 0 without a run.
    std::size_t snapshot() const { return m_snapshot; }
    /// Shows a snapshot. The replay continues from there.
    void show(std::size_t snapshot);
    /// Shows the snapshot `by` positions later, if it exists.
    void step(int by);
    bool isAtEnd() const { return m_run && m_snapshot + 1 == m_run->snapshots.size(); }

    /// Returns the duration of a replay in seconds; 0 shows the end immediately.
    int duration() const { return m_duration; }
    /// Sets the duration of a replay in seconds. While the replay plays, 0 ends it.
    void setDuration(int seconds);
    /// Starts or continues the replay; at the end, restarts it.
    void play();
    void pause();
    bool isPlaying() const { return m_clock.isActive(); }
    /// Advances the replay by `seconds`. The clock calls it while the replay plays.
    void moveOn(double seconds);

  signals:
    /// The run, the snapshot, or the state of the replay has changed.
    void changed();
    void recorded();
    void failed(const headlight::core::Error &error);

  private:
    core::RecordedRunPointer m_run;
    LatestJob m_job;
    std::shared_ptr<std::atomic<core::Index>> m_made;
    core::Index m_steps = 1;
    QTimer m_progress; // runs while recording
    QTimer m_clock;    // runs while playing
    QElapsedTimer m_since;
    double m_share = 0; // fraction of the replay's duration that has passed
    std::size_t m_snapshot = 0;
    int m_duration = 20;
};

} // namespace headlight::ui
