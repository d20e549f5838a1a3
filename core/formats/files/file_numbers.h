// Numbers that stay in their file until somebody asks for them. They are read with pread(2) and not
// mapped: a mapped file that is cut short is a signal, here it is an error. So is a file that was
// written since it was opened: numbers of two models would be mixed.
#pragma once

#include "core/formats/files/file_stamp.h"
#include "core/formats/files/regular_file.h"
#include "core/tensor/number_storage.h"

#include <memory>
#include <span>
#include <string>

namespace headlight::core {

/// Exactly the bytes from `offset` on, from any thread. Errors: those of the system; `tooShort`
/// where the file ends before them.
Outcome readAt(const FileDescriptor &file, std::uint64_t offset, std::span<char> bytes,
               const std::string &where, const Error &tooShort);

/// A file that several matrices are read from.
struct NumberFile {
    RegularFile file;
    std::string path;
    std::shared_ptr<const StampedFile> stamped{};
};

/// Errors: as openRegularFile().
Result<std::shared_ptr<const NumberFile>> openNumberFile(const std::string &path);

/// `size` bytes of it from `begin` on. Errors: the file is shorter.
Result<StoragePointer> numbersIn(std::shared_ptr<const NumberFile> file, std::uint64_t begin,
                                 std::uint64_t size);

} // namespace headlight::core
