// Combines heads for the Heads view: small ones at once, others on a worker thread.
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

    /// Returns the combination, or why there is none; nothing if it must be computed on a worker.
    std::optional<Combined> of(const core::TracePointer &trace, const Place &place);
    /// Computes it on a worker, unless that has started. The layer must be ready.
    void want(const core::TracePointer &trace, const Place &place);
    /// Stops the worker. Keeps what is made.
    void rest() { m_job.cancel(); }
    /// Forgets a combination of another run than these two, which may be null.
    void keepOnly(const core::TracePointer &now, const core::TracePointer &a);
    void forget();
    bool isBusy() const { return m_job.isBusy(); }

  signals:
    /// of() returns what was wanted last.
    void made();

  private:
    bool isOf(const core::Trace &trace, const Place &place) const;
    void follow(const core::TracePointer &trace, const Place &place);

    core::TracePointer m_trace; // of the combination; without the stages computed on demand
    Place m_place;
    std::optional<Combined> m_combined;
    LatestJob m_job;
};

} // namespace headlight::ui
