// The temporary files beside a person's files, and what programs that were killed left of them.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

namespace headlight::core {

/// ".headlight-PROCESS-NUMBER.tmp" in the folder of `target`; another one each time.
std::string temporaryNameBeside(const std::filesystem::path &target);

/// Removes temporary files of this user from `folder` whose process is gone and that nobody has
/// written to for so long: on a shared disk the process may run on another machine. What cannot be
/// removed stays; there are no errors.
void removeLeftBehind(const std::filesystem::path &folder, std::chrono::seconds unchangedFor);

} // namespace headlight::core
