// What is odd about a file that can be read all the same, and all that is wrong with one.
#pragma once

#include "core/result.h"

#include <vector>

namespace headlight::core {

/// A field that this version does not know: it is kept, and changes nothing. Or a view of what the
/// model does not have, which is left out.
struct Warning {
    Message what;
    std::string where; ///< as an error's: "model.temprature"
    Message remedy;
    std::string nearest; ///< of an unknown field: the known name most like it; empty: none is

    /// One line for a person.
    std::string text() const { return Error{what, where, remedy}.text(); }
};

/// Of each at most so many, the first ones.
inline constexpr std::size_t kMaximumProblems = 1000;

struct Findings {
    std::vector<Error> problems;
    std::vector<Warning> warnings;
};

} // namespace headlight::core
