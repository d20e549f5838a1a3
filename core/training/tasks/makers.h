// Each task, made by its file; tasks.cpp lists them.
#pragma once

#include "core/tokenizers/word_tokenizer.h"
#include "core/training/tasks/task.h"

namespace headlight::core {

/// Between what is read and what is written; a person types it as a word of its own.
inline constexpr std::string_view kColon = ":";
/// Ends what is written: who writes with the model stops there (generation/end_token.h).
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

} // namespace headlight::core
