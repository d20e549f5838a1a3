// A pretrained model in a GGUF file, the format of llama.cpp.
#pragma once

#include "core/formats/pretrained/pretrained_folder.h"

namespace headlight::core {

/// Reads the file's header, tokenizer and metadata, but no numbers, and returns all problems and
/// warnings. `folder` is complete without problems. Throws Cancelled.
Findings readGgufModel(const std::string &path, PretrainedFolder &folder,
                       const std::stop_token &stop);

} // namespace headlight::core
