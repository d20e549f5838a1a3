// Storage of a matrix's numbers: in memory, or in a file that is read on demand.
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

/// How the numbers of the type are encoded.
const NumberEncoding &encodingOf(NumberType type);

/// A file with numbers. Other programs may change it while it is open.
class NumberSource {
  public:
    NumberSource() = default;
    NumberSource(const NumberSource &) = delete;
    NumberSource &operator=(const NumberSource &) = delete;
    virtual ~NumberSource() = default;

    virtual const std::string &path() const = 0;
    /// Error: the file is no longer the one that was opened.
    virtual Outcome check() const = 0;
};
using NumberSourcePointer = std::shared_ptr<const NumberSource>;

/// Immutable. Safe to read from any thread.
class NumberStorage {
  public:
    NumberStorage() = default;
    NumberStorage(const NumberStorage &) = delete;
    NumberStorage &operator=(const NumberStorage &) = delete;
    virtual ~NumberStorage() = default;

    virtual std::uint64_t size() const = 0; ///< in bytes
    /// Floats in native byte order; null if there are none in memory.
    virtual const float *floats() const { return nullptr; }
    /// Little-endian bytes in memory; null if there are none.
    virtual const std::byte *bytes() const { return nullptr; }
    /// Reads little-endian bytes from `offset` on; the range lies within size(). Errors give the
    /// file and the reason. Returns an error if the file was changed since it was opened.
    virtual Outcome read(std::uint64_t offset, std::span<std::byte> to) const = 0;
    /// How the numbers at encodedAt() are encoded; null: as read() gives them.
    virtual const NumberEncoding *encoding() const { return nullptr; }
    /// Returns the encoded numbers that read() gives from `offset` on, up to the end of their row
    /// if isInOrder() is false; null if they are neither in memory nor in a mapped file. With an
    /// encoding(), `offset` is the start of a block. After using them, call checkEncoded().
    virtual const std::byte *encodedAt(std::uint64_t offset) const {
        return bytes() ? bytes() + offset : nullptr;
    }
    /// Returns the scales of the blocks at encodedAt(), if they stand elsewhere.
    virtual const std::byte *scalesAt(std::uint64_t) const { return nullptr; }
    /// False if rows that follow each other here are elsewhere encoded.
    virtual bool isInOrder() const { return true; }
    /// Returns an error if the numbers at encodedAt() may have changed since the file was opened.
    virtual Outcome checkEncoded() const { return Done{}; }
    /// Memory use in bytes.
    virtual std::uint64_t memory() const { return size(); }
    /// Null if the numbers are in memory, where no other program can change them.
    virtual NumberSourcePointer source() const { return nullptr; }
};

using StoragePointer = std::shared_ptr<const NumberStorage>;

/// F32 numbers in memory: owned by the storage, or kept alive by `owner`.
StoragePointer storageOf(std::vector<float> numbers);
StoragePointer storageOf(std::span<const float> numbers, std::shared_ptr<const void> owner);
/// Little-endian bytes in memory, of any type.
StoragePointer storageOf(std::vector<std::byte> bytes);

} // namespace headlight::core
