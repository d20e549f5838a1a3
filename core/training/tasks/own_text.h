// Tasks on the user's own text: predict the next character or word.
#pragma once

#include "core/training/tasks/task.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

namespace headlight::core {

/// The tokens of a text; the task's id is "characters" or "words".
enum class TextUnits { Characters, Words };

/// Returns "characters" or "words".
std::string_view idOf(TextUnits units);
/// Returns nullopt if no own-text task has this id.
std::optional<TextUnits> findTextUnits(std::string_view id);

inline constexpr std::uint64_t kMaxOwnTextBytes = std::uint64_t(16) << 20;

/// Maximum size of a text that is stored with its run, so that training can resume without the
/// file.
inline constexpr std::size_t kMaxKeptTextBytes = std::size_t(2) << 20;
/// Returns the stored text of an own-text task; null for other tasks and larger texts.
const std::string *keptTextOf(const Task &task);

/// Returns the info of an own-text task without its vocabulary.
TaskInfo ownTextInfo(TextUnits units);

/// Creates a task from a text. Errors: empty text, invalid UTF-8 or zero bytes, a text too short to
/// hold out a part, a single repeated character or word; "cancelled".
Result<TaskPointer> ownTextTask(std::string_view text, TextUnits units, std::stop_token stop = {});

/// Creates a task from a text file. Additional errors: the file cannot be read, or is larger than
/// kMaxOwnTextBytes (checked first).
Result<TaskPointer> readOwnTextTask(const std::string &path, TextUnits units,
                                    std::stop_token stop = {});

} // namespace headlight::core
