// A session whose model is in a folder or a GGUF file. The document contains its path and the
// input.
#pragma once

#include "core/formats/pretrained/pretrained_folder.h"
#include "core/formats/session/data/session.h"

namespace headlight::core {

/// Returns a session named after the folder or file, with a first sentence (firstComputable()).
/// Errors: see readPretrained() and Computable::of(); "cancelled".
Result<Session> sessionOfFolder(const std::string &folder, std::stop_token stop = {},
                                std::optional<std::string> expression = {},
                                Tower tower = Tower::Texts);

/// Returns the document for saving in `folder`, with the model's path relative to it. If `folder`
/// is empty, the path is absolute.
std::string withModelFrom(const Session &session, const std::string &folder);

} // namespace headlight::core
