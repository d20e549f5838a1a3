// Cache of a recorded run's forward passes, one per snapshot, for a replay.
#pragma once

#include "core/training/run/run_moment.h"

#include <map>

namespace headlight::ui {

/// Not thread-safe.
class MomentCache {
  public:
    MomentCache() = default;
    /// Uses the `example`-th readable held-out example, modulo their number.
    explicit MomentCache(core::RecordedRunPointer run, std::size_t example = 0,
                         std::vector<core::HeadIntervention> silenced = {});

    const core::RecordedRunPointer &run() const { return m_run; }
    const core::Example &example() const { return m_example; }
    const std::vector<core::HeadIntervention> &silenced() const { return m_silenced; }
    /// Errors: as forward().
    core::Result<core::RunMoment> at(std::size_t snapshot);

  private:
    core::RecordedRunPointer m_run;
    core::Example m_example{};
    std::vector<core::HeadIntervention> m_silenced;
    std::map<std::size_t, core::RunMoment> m_moments;
};

} // namespace headlight::ui
