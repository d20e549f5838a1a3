// Texts that somebody pipes in, or types until Ctrl-D.
#pragma once

#include "app/arguments.h"
#include "core/result.h"

#include <stop_token>
#include <string>

namespace headlight::app {

/// All of standard input, until its end. Errors: it is longer than a text may be; those of the
/// system; "cancelled" once `stop` is requested, however long nobody writes anything.
core::Result<std::string> readStandardInput(const std::stop_token &stop);

/// The arguments with the text of `--text -` in its place, as if it had been typed there: without
/// the end of its last line. Errors: those of reading it, and what is no UTF-8.
core::Result<Arguments> withStandardInput(Arguments arguments, const std::stop_token &stop);

} // namespace headlight::app
