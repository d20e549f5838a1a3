// What a person has answered to a lesson's questions, and which hints of its exercises they had. It
// is no edit, stands in no file and is never counted: whoever opens the lesson again is asked
// again.
#pragma once

#include "core/tensor/matrix.h"

#include <map>
#include <optional>

namespace headlight::ui {

class Answers {
  public:
    /// The question of the step was answered, or it was asked to be told.
    bool isTold(core::Index step) const { return m_answers.contains(step); }
    /// The place of the answer; none: it was only asked to be told, or nothing yet.
    std::optional<std::size_t> chosen(core::Index step) const;
    void tell(core::Index step, std::optional<std::size_t> answer) { m_answers[step] = answer; }
    void askAgain(core::Index step) { m_answers.erase(step); }

    std::size_t hints(core::Index step) const;
    void giveHint(core::Index step) { ++m_hints[step]; }

  private:
    std::map<core::Index, std::optional<std::size_t>> m_answers; // by step
    std::map<core::Index, std::size_t> m_hints;
};

} // namespace headlight::ui
