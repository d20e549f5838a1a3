// Computes on a worker thread how a prediction changes if one head is silenced.
#pragma once

#include "core/analysis/head_ablation.h"
#include "core/analysis/head_glances.h"
#include "ui/compute/latest_job.h"

#include <optional>

namespace headlight::ui {

class SilencedHead : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;

    /// The head to silence, and the output row whose most probable word is watched.
    struct Place {
        core::HeadId head;
        core::OutputRowId output{};
        bool operator==(const Place &) const = default;
    };
    /// Requests the effect; a newer request stops the previous one. `trace` must belong to
    /// `computable`. Does not block.
    void want(const core::Computable &computable, const core::TracePointer &trace,
              const Place &place);
    void forget();
    /// Returns the result of this request, or null if it is not finished.
    const core::Result<core::AblatedHeads> *of(const core::Trace &trace, const Place &place) const;
    bool isBusy() const { return m_job.isBusy(); }

  signals:
    void made();

  private:
    bool isOf(const core::Trace &trace, const Place &place) const {
        return m_trace && &m_trace->plan() == &trace.plan() && m_place == place;
    }

    core::TracePointer m_trace; // trace of the request
    Place m_place;
    std::optional<core::Result<core::AblatedHeads>> m_result;
    LatestJob m_job;
};

} // namespace headlight::ui
