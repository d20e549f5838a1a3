// Warnings about a readable file, and the list of all its problems.
#pragma once

#include "core/result.h"

#include <vector>

namespace headlight::core {

/// An unknown field, which is kept and has no effect, or a view of something that the model does
/// not have, which is dropped.
struct Warning {
    Message what;
    std::string where; ///< as in Error: "model.temprature"
    Message remedy;
    std::string nearest; ///< for an unknown field, the most similar known name; may be empty

    /// Returns one line for display.
    std::string text() const { return Error{what, where, remedy}.text(); }
};

/// Limit for problems and for warnings; the first ones are kept.
inline constexpr std::size_t kMaxProblems = 1000;

struct Findings {
    std::vector<Error> problems;
    std::vector<Warning> warnings;
};

} // namespace headlight::core
