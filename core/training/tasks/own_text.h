// Tasks on the user's own text: predicting the next character or word.
#pragma once

#include "core/training/tasks/task.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

namespace headlight::core {

/// The kind of token of a text. The id of the task is "characters" or "words".
enum class TextUnits { Characters, Words };

/// Returns "characters" or "words".
std::string_view idOf(TextUnits units);
/// Returns nullopt if no own-text task has this id.
std::optional<TextUnits> findTextUnits(std::string_view id);

inline constexpr std::uint64_t kMaxOwnTextBytes = std::uint64_t(16) << 20;

/// Maximum size of a text that is stored with its run, so that training can resume without the
/// file.
inline constexpr std::size_t kMaxKeptTextBytes = std::size_t(2) << 20;
/// Returns the stored text of a task on the user's own text; null for other tasks and for larger
/// texts.
const std::string *keptTextOf(const Task &task);

/// Returns the info of a task on the user's own text, without the vocabulary.
TaskInfo ownTextInfo(TextUnits units);

/// Creates a task from a text. Errors: an empty text; invalid UTF-8 or zero bytes; a text that is
/// too short to hold out a part, or that repeats a single character or word; "cancelled".
Result<TaskPointer> ownTextTask(std::string_view text, TextUnits units, std::stop_token stop = {});

/// Creates a task from a text file. Additional errors: the file cannot be read, or is larger than
/// kMaxOwnTextBytes. The size is checked first.
Result<TaskPointer> readOwnTextTask(const std::string &path, TextUnits units,
                                    std::stop_token stop = {});

} // namespace headlight::core
