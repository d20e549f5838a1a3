// A list of texts, with one JSON document per line (JSON Lines). The file may come from another
// author, so everything is bounded.
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
    std::optional<std::string> pair{};       ///< second text, for models that read pairs
    std::optional<std::string> targetText{}; ///< for the decoder, if the model has two sequences
    std::optional<std::string> token{};      ///< token whose logit is watched
    std::size_t line = 0;                    ///< line in the file, from 1
};

/// Reads a text from each line: a string, or an object with "text" and optionally "pair",
/// "target_text" and "token". Ignores other members, even if they look like file names; skips empty
/// lines. Errors name the line: invalid JSON or UTF-8; no text; a line longer than
/// kMaxListLineBytes; more texts than kMaxListedTexts, or none. "cancelled" once `stop` is
/// requested.
Result<std::vector<ListedText>> readTextList(std::string_view bytes,
                                             const std::stop_token &stop = {});

/// Reads the file. Errors: those of readTextList(), with the name of the file; system errors; a
/// file larger than kMaxListBytes.
Result<std::vector<ListedText>> readTextListFile(const std::string &path,
                                                 const std::stop_token &stop = {});

} // namespace headlight::core
