// Where the numbers of a matrix lie: bytes in memory, or somewhere that they are read from.
#pragma once

#include "core/result.h"
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

/// `count` numbers from their little-endian bytes; every value of the three types is exact in 32
/// bits.
void decodeNumbers(NumberType type, const std::byte *bytes, Index count, float *out);

/// A file that numbers are read from, which others can change meanwhile.
class NumberSource {
  public:
    NumberSource() = default;
    NumberSource(const NumberSource &) = delete;
    NumberSource &operator=(const NumberSource &) = delete;
    virtual ~NumberSource() = default;

    virtual const std::string &path() const = 0;
    /// Errors: it is not the file any more that was opened.
    virtual Outcome check() const = 0;
};
using NumberSourcePointer = std::shared_ptr<const NumberSource>;

/// Never changes once it is made. Safe to read from any thread.
class NumberStorage {
  public:
    NumberStorage() = default;
    NumberStorage(const NumberStorage &) = delete;
    NumberStorage &operator=(const NumberStorage &) = delete;
    virtual ~NumberStorage() = default;

    virtual std::uint64_t size() const = 0; ///< in bytes
    /// Floats of this machine, in memory; null: they are not.
    virtual const float *floats() const { return nullptr; }
    /// Little-endian bytes in memory; null: they are not.
    virtual const std::byte *bytes() const { return nullptr; }
    /// Little-endian bytes from `offset` on, which lie within size(). Errors: where they lie, and
    /// why they cannot be had. Of a file that was changed meanwhile no number is given.
    virtual Outcome read(std::uint64_t offset, std::span<std::byte> to) const = 0;
    /// What it takes of the memory.
    virtual std::uint64_t memory() const { return size(); }
    /// Null: they are in memory, where nobody else changes them.
    virtual NumberSourcePointer source() const { return nullptr; }
};

using StoragePointer = std::shared_ptr<const NumberStorage>;

/// F32 in memory: owned, or somebody's whom `owner` keeps.
StoragePointer storageOf(std::vector<float> numbers);
StoragePointer storageOf(std::span<const float> numbers, std::shared_ptr<const void> owner);
/// Little-endian bytes in memory, of any type.
StoragePointer storageOf(std::vector<std::byte> bytes);

} // namespace headlight::core
