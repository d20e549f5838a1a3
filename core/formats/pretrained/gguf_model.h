// A pretrained model in a GGUF file, the format of llama.cpp.
#pragma once

#include "core/formats/pretrained/pretrained_folder.h"

namespace headlight::core {

/// Reads the file's header, tokenizer and metadata, but no tensor values. Returns all problems and
/// warnings. If there are no problems, `folder` is complete. Throws Cancelled.
Findings readGgufModel(const std::string &path, PretrainedFolder &folder,
                       const std::stop_token &stop);

} // namespace headlight::core
