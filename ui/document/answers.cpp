#include "ui/document/answers.h"

namespace headlight::ui {

std::optional<std::size_t> Answers::chosen(core::Index step) const {
    const auto found = m_answers.find(step);
    return found == m_answers.end() ? std::nullopt : found->second;
}

std::size_t Answers::hints(core::Index step) const {
    const auto found = m_hints.find(step);
    return found == m_hints.end() ? 0 : found->second;
}

} // namespace headlight::ui
