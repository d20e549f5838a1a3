// Names temporary files, and removes the ones that killed programs have left behind.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

namespace headlight::core {

/// Returns a new name ".headlight-PROCESS-NUMBER.tmp" in the folder of `target`.
std::string temporaryNameBeside(const std::filesystem::path &target);

/// Removes this user's temporary files in `folder` whose process has ended. They must also be
/// unchanged for `unchangedFor`, because on a shared disk the process may run on another machine.
/// Ignores errors.
void removeStaleFiles(const std::filesystem::path &folder, std::chrono::seconds unchangedFor);

} // namespace headlight::core
