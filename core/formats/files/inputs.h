// What a program reads is never what it writes over.
#pragma once

#include "core/result.h"

#include <string>
#include <vector>

namespace headlight::core {

/// Whether a file can be written under the name `output` while `inputs` are read: files, or folders
/// with all that is in them. It compares devices and inodes, so a link of either kind is the file
/// that it leads to. What does not exist, and a pipe or a device, is nobody's input. Errors
/// (isOfAnInput()): `output` is one of the inputs; both are named.
Outcome notAnInput(const std::string &output, const std::vector<std::string> &inputs);

/// Whether both names lead to one file that is there.
bool isSameFile(const std::string &a, const std::string &b);

/// Whether an error is that of notAnInput().
bool isOfAnInput(const Error &error);

} // namespace headlight::core
