// Warnings about a readable file, and the result of checking a file.
#pragma once

#include "core/result.h"

#include <vector>

namespace headlight::core {

/// A warning about an unknown field or about a view of something that the model lacks. The field is
/// kept without effect; the view is dropped.
struct Warning {
    Message what;
    std::string where; ///< position as in Error: "model.temprature"
    Message remedy;
    std::string nearest; ///< most similar known name, for an unknown field; may be empty

    /// Returns one line for display.
    std::string text() const { return Error{what, where, remedy}.text(); }
};

/// Maximum number of problems and of warnings that are kept.
inline constexpr std::size_t kMaxProblems = 1000;

struct Findings {
    std::vector<Error> problems;
    std::vector<Warning> warnings;
};

} // namespace headlight::core
