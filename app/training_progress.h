// Progress of a run on standard error: an overwritten line on a terminal, otherwise one line per
// tenth of the run.
#pragma once

#include "core/training/run/ablation_study.h"

#include <QString>

#include <chrono>

namespace headlight::app {

class TrainingProgress {
  public:
    explicit TrainingProgress(const core::AblationStudy &study);

    /// Called after each step.
    void show();
    /// Leaves the last line visible.
    void end();

  private:
    using Clock = std::chrono::steady_clock;

    QString line() const;
    QString timeLeft(double rate) const;

    const core::AblationStudy &m_study;
    core::Index m_first;   ///< step at which this run started
    core::Index m_printed; ///< step of the last printed line
    Clock::time_point m_begun = Clock::now();
    Clock::time_point m_shown{};
    bool m_isTerminal;
};

} // namespace headlight::app
