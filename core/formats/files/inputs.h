// Prevents overwriting the files that the program reads.
#pragma once

#include "core/result.h"

#include <string>
#include <vector>

namespace headlight::core {

/// Checks that `output` is not one of `inputs`. A folder includes all its contents. Compares
/// devices and inodes, so links count as their target. Missing files, pipes and devices are never
/// inputs. Error (isOfAnInput()): `output` is an input. The error names both files.
Outcome notAnInput(const std::string &output, const std::vector<std::string> &inputs);

/// True if both names refer to the same existing file.
bool isSameFile(const std::string &a, const std::string &b);

/// True if notAnInput() returned the error.
bool isOfAnInput(const Error &error);

} // namespace headlight::core
