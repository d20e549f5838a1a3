// The model of a new session as a file says it: how its numbers are drawn, not the numbers, so that
// it is short and can be read in any editor.
#pragma once

#include "ui/document/new_session.h"

namespace headlight::ui {

/// The numbers of a list as people type it, with commas or spaces between them. Errors: what is no
/// such number; `where` is the field.
core::Result<std::vector<core::Index>> wholeNumbers(const QString &list, const char *where);
core::Result<std::vector<float>> numbersIn(const QString &list, const char *where);

/// The sizes and switches. The heads must divide the width; a list that cannot be read is empty.
core::Config configOf(const NewSession &wanted);

struct NewModel {
    std::string json;        ///< the session's member "model"
    core::Index numbers = 0; ///< that it draws, those of single words left out
};

/// For these tokens: they are its vocabulary where it has one. `source` is empty where there is no
/// second sequence.
NewModel newModel(const NewSession &wanted, const std::vector<std::string> &tokens,
                  const std::vector<std::string> &source);

} // namespace headlight::ui
