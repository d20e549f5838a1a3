// A list of texts, one JSON document a line (JSON Lines). The file may come from another author, so
// everything is bounded.
#pragma once

#include "core/result.h"

#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::core {

inline constexpr std::size_t kMaxListBytes = 256 * 1024 * 1024;
inline constexpr std::size_t kMaxListLineBytes = 8 * 1024 * 1024;
inline constexpr std::size_t kMaxListedTexts = 10'000;

struct ListedText {
    std::string text;
    std::optional<std::string> pair{};       ///< a second text, for models that read pairs
    std::optional<std::string> targetText{}; ///< of a model with two sequences
    std::size_t line = 0;                    ///< in the file, from 1
};

/// Reads the texts of the lines: a string, or an object with "text" and perhaps "pair" and
/// "target_text". Other members are ignored, also such that look like file names; empty lines are
/// skipped. Errors, with the line: invalid JSON or UTF-8; no text; a longer line than
/// kMaxListLineBytes; more texts than kMaxListedTexts, or none. "cancelled" once `stop` is
/// requested.
Result<std::vector<ListedText>> readTextList(std::string_view bytes,
                                             const std::stop_token &stop = {});

/// Reads the file. Errors: those of readTextList(), with the file's name; system errors; more than
/// kMaxListBytes.
Result<std::vector<ListedText>> readTextListFile(const std::string &path,
                                                 const std::stop_token &stop = {});

} // namespace headlight::core
