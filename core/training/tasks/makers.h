// Factory functions of the tasks, one per file. tasks.cpp lists them.
#pragma once

#include "core/tokenizers/word_tokenizer.h"
#include "core/training/tasks/task.h"

namespace headlight::core {

/// Separates input and output. Users type it as a separate word.
inline constexpr std::string_view kColon = ":";
/// Ends the output. Generation stops here (generation/end_token.h).
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
