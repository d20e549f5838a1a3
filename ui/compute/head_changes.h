// Compares the heads of a layer with those of side A for the Heads view. Small heads are compared
// immediately, others on a worker thread.
#pragma once

#include "core/analysis/token_partners.h"
#include "ui/compute/latest_job.h"

#include <memory>
#include <vector>

namespace headlight::ui {

class HeadChanges : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;

    struct Place {
        core::AttentionId attention;
        core::Index sequence = 0, sequenceOfA = 0;
        core::TracePointer a;
        core::TokenPartnersPointer partners{}; ///< null: computed from the texts
    };
    using Heads = std::shared_ptr<const std::vector<core::ComparedHead>>;

    /// Returns the compared heads, or an empty list if they cannot be read. Null if a worker must
    /// compare them first.
    Heads of(const core::TracePointer &now, const Place &place);
    /// Starts comparing the heads on a worker, unless it has already started. The layer must be
    /// ready on both sides.
    void want(const core::TracePointer &now, const Place &place);
    void forget();
    bool isBusy() const { return m_job.isBusy(); }

  signals:
    /// Emitted when the last requested comparison is finished and of() returns it.
    void made();

  private:
    bool isOf(const core::Trace &now, const Place &place) const;
    void follow(const core::TracePointer &now, const Place &place);

    core::TracePointer m_now; // run of m_heads; like m_place.a, without stages computed on demand
    Place m_place;
    Heads m_heads;
    LatestJob m_job;
};

} // namespace headlight::ui
