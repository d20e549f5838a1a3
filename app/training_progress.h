// How far a run is, on standard error: a line that is written over on a terminal, elsewhere one
// every tenth of the way.
#pragma once

#include "core/training/run/ablation_study.h"

#include <QString>

#include <chrono>

namespace headlight::app {

class TrainingProgress {
  public:
    explicit TrainingProgress(const core::AblationStudy &race);

    /// After each step.
    void show();
    /// The last line stays.
    void end();

  private:
    using Clock = std::chrono::steady_clock;

    QString line() const;
    QString timeLeft(double rate) const;

    const core::AblationStudy &m_race;
    core::Index m_first; ///< step at which it began
    core::Index m_said;  ///< step of the last line
    Clock::time_point m_begun = Clock::now();
    Clock::time_point m_shown{};
    bool m_isTerminal;
};

} // namespace headlight::app
