// The user's answers to lesson questions, and the hints they have seen. Answers are not edits and
// are not saved, so a reopened lesson asks its questions again.
#pragma once

#include "core/tensor/matrix.h"

#include <map>
#include <optional>

namespace headlight::ui {

class Answers {
  public:
    /// True if the user has answered the step's question or skipped it.
    bool isTold(core::Index step) const { return m_answers.contains(step); }
    /// Returns the index of the chosen answer. Unset if the question is unanswered or was skipped.
    std::optional<std::size_t> chosen(core::Index step) const {
        const auto found = m_answers.find(step);
        return found == m_answers.end() ? std::nullopt : found->second;
    }
    void tell(core::Index step, std::optional<std::size_t> answer) { m_answers[step] = answer; }
    void askAgain(core::Index step) { m_answers.erase(step); }

    std::size_t hints(core::Index step) const {
        const auto found = m_hints.find(step);
        return found == m_hints.end() ? 0 : found->second;
    }
    void giveHint(core::Index step) { ++m_hints[step]; }

  private:
    std::map<core::Index, std::optional<std::size_t>> m_answers; // key: the step
    std::map<core::Index, std::size_t> m_hints;
};

} // namespace headlight::ui
