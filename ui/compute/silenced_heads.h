// Silences each head of a model in turn on a worker thread, and keeps the effects while the trace
// stays the same.
#pragma once

#include "core/analysis/head_ablation.h"
#include "ui/compute/latest_job.h"

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

namespace headlight::ui {

class SilencedHeads : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;

    struct Wanted {
        core::OutputRowId output{};
        core::HeadState state = core::HeadState::Zero; ///< replacement for each head's output
        bool withLoss = false;                         ///< needs the logits of all rows
        std::optional<core::Index> token{}; ///< the watched token; unset: the most probable one
        bool operator==(const Wanted &) const = default;
    };
    struct Found {
        Wanted wanted;
        std::shared_ptr<const core::AblatedHeads> heads;
    };
    struct Progress {
        core::Index made = 0;
        core::Index all = 0; ///< 0 until it is known
    };
    enum class End { Finished, Cancelled, Failed };

    /// Starts a run over all heads; a newer run stops the previous one. Computes nothing if the
    /// effects are known. `trace` must belong to `computable`. Does not block.
    void start(const core::Computable &computable, const core::TracePointer &trace,
               const Wanted &wanted);
    /// Stops the run at the user's request and keeps the effects of earlier runs.
    void cancel();
    /// Stops the run because the trace is out of date.
    void stop();
    /// Stops and drops everything.
    void forget();
    /// True if the stored effects belong to this trace.
    bool isOf(const core::Trace &trace) const {
        return m_trace && &m_trace->plan() == &trace.plan();
    }
    bool hasAny() const { return !m_found.empty(); }
    /// Returns the effects on this prediction, or else the newest ones on another prediction of the
    /// same sequence. Null if there are none.
    const Found *of(const core::Trace &trace, const Wanted &wanted) const;
    /// Returns the effects on exactly this prediction, or null if there are none.
    const Found *exactly(const core::Trace &trace, const Wanted &wanted) const;

    bool isBusy() const { return m_job.isBusy(); }
    Progress progress() const;
    /// Returns how the last run ended.
    End end() const { return m_end; }
    /// Returns why the last run failed, or null if it did not.
    const core::Error *error() const { return m_error ? &*m_error : nullptr; }

  signals:
    /// Emitted when a run starts, ends or is cancelled.
    void changed();

  private:
    struct Counts {
        std::atomic<core::Index> made = 0, all = 0;
    };

    core::TracePointer m_trace; // the results below are for this trace
    std::vector<Found> m_found; // newest last
    std::shared_ptr<Counts> m_counts = std::make_shared<Counts>(); // written by the worker
    End m_end = End::Finished;
    std::optional<core::Error> m_error;
    LatestJob m_job;
};

} // namespace headlight::ui
