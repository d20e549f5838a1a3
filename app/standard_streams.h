// Standard output and standard error: whole, in one line, and nobody's but ours.
#pragma once

#include "core/result.h"

#include <string_view>

namespace headlight::app {

/// Call it before anything else. Closed streams become ones that fail, so that no file that is
/// opened later can be mistaken for them; a closed pipe is an error instead of the end of the
/// program; what Qt has to say is dropped, and what ends Qt becomes an error of ours.
void takeStandardStreams();

/// One line on standard error, whatever the text holds.
void say(std::string_view text);

/// As it is, controls too: for a line that is written over. Nothing where that is no terminal.
void sayOnTerminal(std::string_view text);
bool isTerminal(); ///< whether a person reads standard error

/// Says the error and returns 1.
int fail(const core::Error &error);

/// The text without control characters, each of which becomes a space.
std::string oneLine(std::string_view text);

/// A text of somebody else's for a terminal, which obeys control characters: each but the ends of
/// lines and tabs becomes a space.
std::string withoutControls(std::string text);

/// All of the bytes to standard output, or the error of the system.
core::Outcome writeStandardOutput(std::string_view bytes);

/// While it lives, nothing that libraries below Qt (fontconfig, the loader) write reaches standard
/// error.
class ScopedStderrSilencer {
  public:
    ScopedStderrSilencer();
    ~ScopedStderrSilencer();
    ScopedStderrSilencer(const ScopedStderrSilencer &) = delete;
    ScopedStderrSilencer &operator=(const ScopedStderrSilencer &) = delete;
};

} // namespace headlight::app
