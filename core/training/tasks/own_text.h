// Tasks made from a text that a person brings: at each of its characters, or words, the next.
#pragma once

#include "core/training/tasks/task.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

namespace headlight::core {

/// What a text is read as; the task's id is "characters" or "words".
enum class TextUnits { Characters, Words };

/// "characters", "words".
std::string_view idOf(TextUnits units);
/// None: no task that reads a person's text has this id.
std::optional<TextUnits> findTextUnits(std::string_view id);

inline constexpr std::uint64_t kMaximumOwnTextBytes = std::uint64_t(16) << 20;

/// A text of at most so many bytes is kept with its run, so that the run goes on without the file.
inline constexpr std::size_t kMaximumKeptTextBytes = std::size_t(2) << 20;
/// Of such a task; null: the task is another one, or its text is larger.
const std::string *keptTextOf(const Task &task);

/// What such a task is, before the text is known: without words.
TaskInfo ownTextInfo(TextUnits units);

/// Errors: nothing in it, bytes that are no UTF-8 or zero, so short that nothing would be left to
/// hold out, the same character or word all the way; "cancelled".
Result<TaskPointer> ownTextTask(std::string_view text, TextUnits units, std::stop_token stop = {});

/// Of a file's text. Errors also: it cannot be read, or is larger than kMaximumOwnTextBytes, which
/// is looked at first.
Result<TaskPointer> readOwnTextTask(const std::string &path, TextUnits units,
                                    std::stop_token stop = {});

} // namespace headlight::core
