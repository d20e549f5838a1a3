// Numbers that stay in their file until they are needed. Products read them from a mapped file,
// other code with pread(2). Modifying the file after opening it is an error, because the numbers of
// two models could be mixed.
#pragma once

#include "core/formats/files/file_stamp.h"
#include "core/formats/files/mapped_file.h"
#include "core/formats/files/regular_file.h"
#include "core/tensor/number_storage.h"

#include <memory>
#include <span>
#include <string>

namespace headlight::core {

/// Reads exactly bytes.size() bytes from `offset`. Thread-safe. Errors: system errors; `tooShort`
/// if the file ends before the last byte.
Outcome readAt(const FileDescriptor &file, std::uint64_t offset, std::span<char> bytes,
               const std::string &where, const Error &tooShort);

/// A file from which several matrices are read.
struct NumberFile {
    NumberFile(RegularFile opened, std::string name, std::shared_ptr<const StampedFile> stamp)
        : file(std::move(opened)),
          path(std::move(name)),
          stamped(std::move(stamp)),
          mapped(file.descriptor.number(), file.size) {}

    RegularFile file;
    std::string path;
    std::shared_ptr<const StampedFile> stamped;
    MappedFile mapped;
};

/// Errors: see openRegularFile().
Result<std::shared_ptr<const NumberFile>> openNumberFile(const std::string &path);

/// Returns `size` bytes from offset `begin`, which are read on demand. Errors: the file is too
/// short.
Result<StoragePointer> numbersIn(std::shared_ptr<const NumberFile> file, std::uint64_t begin,
                                 std::uint64_t size);

} // namespace headlight::core
