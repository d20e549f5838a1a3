// Samples dot products on a worker thread, without blocking the window. See
// core/analysis/softmax_spread.h.
#pragma once

#include "core/analysis/softmax_spread.h"
#include "ui/compute/latest_job.h"

#include <optional>
#include <vector>

namespace headlight::ui {

class SoftmaxSamples : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;

    /// Returns the samples, or null until made() is emitted. Cancels an earlier request that is
    /// still running.
    core::SoftmaxSpreadPointer spreadOf(core::Index headSize, std::uint64_t seed);
    bool isBusy() const { return m_wanted.has_value(); }

  signals:
    void made();

  private:
    struct Wanted {
        core::Index headSize = 0;
        std::uint64_t seed = 0;
        bool operator==(const Wanted &) const = default;
    };
    void keep(core::SoftmaxSpread spread);

    std::vector<core::SoftmaxSpreadPointer> m_made; // the last few, newest last
    std::optional<Wanted> m_wanted;
    LatestJob m_job;
};

} // namespace headlight::ui
