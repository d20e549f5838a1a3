// The model of a new session in the file format. It stores how the numbers are drawn instead of
// the numbers, so the file is short and easy to edit.
#pragma once

#include "ui/document/new_session.h"

namespace headlight::ui {

/// Checks the lists that the user types. Errors: an invalid number, with the field.
core::Outcome checkLists(const NewSession &wanted);

/// Returns the sizes and switches. The number of heads must divide the width. A list that cannot
/// be parsed counts as empty.
core::Config configOf(const NewSession &wanted);

struct NewModel {
    std::string json;        ///< value of the session's "model" member
    core::Index numbers = 0; ///< count of drawn numbers, without the vectors of single words
};

/// Creates a model for these tokens, which also become its vocabulary if it has one. `source` is
/// empty if there is no second sequence.
NewModel newModel(const NewSession &wanted, const std::vector<std::string> &tokens,
                  const std::vector<std::string> &source);

} // namespace headlight::ui
