// Standard output and standard error: complete writes, one-line messages, and no output of other
// libraries.
#pragma once

#include "core/result.h"

#include <string>
#include <string_view>

namespace headlight::app {

/// Call this first. Replaces closed streams with ones that fail, so that a file opened later cannot
/// take their place. Turns a closed pipe into an error. Drops Qt's messages and reports its fatal
/// ones as errors.
void takeStandardStreams();

/// Prints one line on standard error, even if the text has line breaks.
void say(std::string_view text);

/// Sets the location, such as a line of a file, that later errors and messages start with. An empty
/// text removes the location.
void setPlaceOfErrors(std::string place);

/// Prints the text unchanged, including control characters, for a line that is overwritten. Does
/// nothing if standard error is not a terminal.
void sayOnTerminal(std::string_view text);
bool isTerminal(); ///< true if standard error is a terminal

/// Prints the error and returns 1.
int fail(const core::Error &error);

/// Replaces each control character with a space.
std::string oneLine(std::string_view text);

/// Replaces each control character except line breaks and tabs with a space. A terminal would
/// execute control characters in untrusted text.
std::string withoutControls(std::string text);

/// Writes all bytes to standard output, or returns the system error.
core::Outcome writeStandardOutput(std::string_view bytes);

/// Silences stderr output of libraries below Qt (fontconfig, the loader) while in scope.
class ScopedStderrSilencer {
  public:
    ScopedStderrSilencer();
    ~ScopedStderrSilencer();
    ScopedStderrSilencer(const ScopedStderrSilencer &) = delete;
    ScopedStderrSilencer &operator=(const ScopedStderrSilencer &) = delete;
};

} // namespace headlight::app
