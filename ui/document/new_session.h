// A session to begin with: one text, one layer of attention with random numbers.
#pragma once

#include "ui/document/source.h"

namespace headlight::ui {

struct NewSession {
    QString text;
    int width = 16; ///< C; divided evenly among the heads
    int heads = 2;
    quint64 seed = 1; ///< of all random numbers, at most 2⁵³ − 8
};

/// Errors: a text without a word, a width that the heads do not divide, more than can be computed.
core::Result<OpenedSource> makeSession(const NewSession &wanted);

} // namespace headlight::ui
