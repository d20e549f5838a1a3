// Each task, made by its file; tasks.cpp lists them.
#pragma once

#include "core/tokenizers/word_tokenizer.h"
#include "core/training/tasks/task.h"

namespace headlight::core {

TaskPointer repeatTask();

} // namespace headlight::core
