// Combines heads for the Heads view. Small heads are combined immediately, others on a worker
// thread.
#pragma once

#include "core/analysis/combined_attention.h"
#include "ui/compute/latest_job.h"

#include <memory>
#include <optional>

namespace headlight::ui {

class HeadCombinations : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;

    struct Place {
        core::AttentionId attention;
        core::Index sequence = 0;
        core::CombinationRequest request;
        bool operator==(const Place &) const = default;
    };
    using Combined = core::Result<std::shared_ptr<const core::CombinedAttention>>;

    /// Returns the combination, or an error if there is none; nullopt if a worker must compute it
    /// first.
    std::optional<Combined> of(const core::TracePointer &trace, const Place &place);
    /// Starts computing the combination on a worker, unless it has already started. The layer must
    /// be ready.
    void want(const core::TracePointer &trace, const Place &place);
    /// Stops the worker. Keeps a finished combination.
    void rest() { m_job.cancel(); }
    /// Drops the combination if it belongs to neither run. Either may be null.
    void keepOnly(const core::TracePointer &now, const core::TracePointer &a);
    void forget();
    bool isBusy() const { return m_job.isBusy(); }

  signals:
    /// Emitted when the last requested combination is finished and of() returns it.
    void made();

  private:
    bool isOf(const core::Trace &trace, const Place &place) const;
    void follow(const core::TracePointer &trace, const Place &place);

    core::TracePointer m_trace; // run of m_combined, without stages computed on demand
    Place m_place;
    std::optional<Combined> m_combined;
    LatestJob m_job;
};

} // namespace headlight::ui
