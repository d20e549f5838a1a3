// A session whose model lies in a folder: the document names the folder and says what is read.
#pragma once

#include "core/formats/pretrained/pretrained_folder.h"
#include "core/formats/session/data/session.h"

namespace headlight::core {

/// A new session, called by the folder's name, that reads a first sentence (firstInput()). Errors:
/// as readPretrained(), fits(); "cancelled".
Result<Session> sessionOfFolder(const std::string &folder, std::stop_token stop = {},
                                std::optional<std::string> expression = {});

/// The session's document where it lies in `folder`: the model is named from there, by its whole
/// path where that is empty.
std::string withModelFrom(const Session &session, const std::string &folder);

} // namespace headlight::core
