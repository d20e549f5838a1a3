// What is odd about a file that can be read all the same.
#pragma once

#include "core/result.h"

namespace headlight::core {

/// A field that this version does not know: it is kept, and changes nothing. Or a view of what the
/// model does not have, which is left out.
struct Warning {
    std::string what;
    std::string where; ///< as an error's: "model.temprature"
    std::string remedy;
    std::string nearest; ///< of an unknown field: the known name most like it; empty: none is

    /// One line for a person.
    std::string text() const { return Error{what, where, remedy}.text(); }
};

} // namespace headlight::core
