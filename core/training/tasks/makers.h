// Factories of the tasks, one per file. tasks.cpp lists them.
#pragma once

#include "core/tokenizers/word_tokenizer.h"
#include "core/training/tasks/task.h"

namespace headlight::core {

/// Separates input and output; users type it as a word of its own.
inline constexpr std::string_view kColon = ":";
/// Ends the output; generation stops at it (generation/end_token.h).
inline constexpr std::string_view kEndWord = "[EOS]";

TaskPointer repeatTask();
TaskPointer reverseTask();
TaskPointer sortTask();
TaskPointer previousTokenTask();
TaskPointer bracketsTask();
TaskPointer whichBankTask();
TaskPointer itTask();
TaskPointer numberWordsTask();
TaskPointer sentimentTask();
TaskPointer additionTask();
TaskPointer talesTask();

} // namespace headlight::core
