// Storage of a matrix's numbers, in memory or in a file that is read on demand.
#pragma once

#include "core/result.h"
#include "core/tensor/encoded_matrix.h"
#include "core/tensor/matrix.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace headlight::core {

enum class NumberType { F32, F16, BF16 };

constexpr std::uint64_t bytesOf(NumberType type) {
    return type == NumberType::F32 ? 4 : 2;
}

/// Decodes `count` numbers from little-endian bytes. All three types convert to 32-bit floats
/// exactly.
void decodeNumbers(NumberType type, const std::byte *bytes, Index count, float *out);

/// Returns the encoding of numbers of the type.
const NumberEncoding &encodingOf(NumberType type);

/// A file with numbers. Other programs can change it while it is open.
class NumberSource {
  public:
    NumberSource() = default;
    NumberSource(const NumberSource &) = delete;
    NumberSource &operator=(const NumberSource &) = delete;
    virtual ~NumberSource() = default;

    virtual const std::string &path() const = 0;
    /// Returns an error if the file is no longer the one that was opened.
    virtual Outcome check() const = 0;
};
using NumberSourcePointer = std::shared_ptr<const NumberSource>;

/// Immutable. Any thread can read it.
class NumberStorage {
  public:
    NumberStorage() = default;
    NumberStorage(const NumberStorage &) = delete;
    NumberStorage &operator=(const NumberStorage &) = delete;
    virtual ~NumberStorage() = default;

    virtual std::uint64_t size() const = 0; ///< size in bytes
    /// Returns floats in native byte order; null if they are not in memory.
    virtual const float *floats() const { return nullptr; }
    /// Returns little-endian bytes; null if they are not in memory.
    virtual const std::byte *bytes() const { return nullptr; }
    /// Reads little-endian bytes, starting at `offset`. The range must be within size(). Errors
    /// name the file and the reason, such as a change of the file since it was opened.
    virtual Outcome read(std::uint64_t offset, std::span<std::byte> to) const = 0;
    /// Returns the encoding of the numbers at encodedAt(). Null: encodedAt() has the same bytes as
    /// read().
    virtual const NumberEncoding *encoding() const { return nullptr; }
    /// Returns the encoded numbers that read() decodes, starting at `offset`, up to the end of
    /// their row if isInOrder() is false. Null if they are neither in memory nor in a mapped file.
    /// If there is an encoding(), `offset` must be the start of a block. Call checkEncoded() after
    /// using them.
    virtual const std::byte *encodedAt(std::uint64_t offset) const {
        return bytes() ? bytes() + offset : nullptr;
    }
    /// Returns the scales of the blocks at encodedAt(), if they are stored separately.
    virtual const std::byte *scalesAt(std::uint64_t) const { return nullptr; }
    /// False if consecutive rows are not contiguous at encodedAt().
    virtual bool isInOrder() const { return true; }
    /// Returns an error if the numbers at encodedAt() may have changed since the file was opened.
    virtual Outcome checkEncoded() const { return Done{}; }
    /// Removes the mapped pages of encodedAt() from the memory of the process. When they are used,
    /// they are read again, from the system's cache as long as it keeps them.
    virtual void releasePages() const {}
    /// Returns the memory use in bytes.
    virtual std::uint64_t memory() const { return size(); }
    /// Returns the file; null if the numbers are in memory, where no other program can change them.
    virtual NumberSourcePointer source() const { return nullptr; }
};

using StoragePointer = std::shared_ptr<const NumberStorage>;

/// Return a storage of F32 numbers in memory, which the storage owns or `owner` keeps alive.
StoragePointer storageOf(std::vector<float> numbers);
StoragePointer storageOf(std::span<const float> numbers, std::shared_ptr<const void> owner);
/// Returns a storage of little-endian bytes in memory, of any type.
StoragePointer storageOf(std::vector<std::byte> bytes);

} // namespace headlight::core
