#include "core/tensor/number_storage.h"

#include "core/tensor/number_formats.h"
#include "core/tensor/numbers.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace headlight::core {

namespace {

class FloatsInMemory final : public NumberStorage {
  public:
    explicit FloatsInMemory(std::vector<float> numbers)
        : m_own(std::move(numbers)), m_numbers(m_own) {}
    FloatsInMemory(std::span<const float> numbers, std::shared_ptr<const void> owner)
        : m_numbers(numbers), m_owner(std::move(owner)) {}

    std::uint64_t size() const override { return m_numbers.size_bytes(); }
    const float *floats() const override { return m_numbers.data(); }
    Outcome read(std::uint64_t offset, std::span<std::byte> to) const override {
        for (std::byte &byte : to) {
            const auto bits = std::bit_cast<std::uint32_t>(m_numbers[offset / sizeof(float)]);
            byte = static_cast<std::byte>(bits >> (8 * (offset % sizeof(float))));
            ++offset;
        }
        return Done{};
    }

  private:
    std::vector<float> m_own;
    std::span<const float> m_numbers;
    std::shared_ptr<const void> m_owner;
};

class BytesInMemory final : public NumberStorage {
  public:
    explicit BytesInMemory(std::vector<std::byte> bytes) : m_bytes(std::move(bytes)) {}

    std::uint64_t size() const override { return m_bytes.size(); }
    const std::byte *bytes() const override { return m_bytes.data(); }
    Outcome read(std::uint64_t offset, std::span<std::byte> to) const override {
        if (offset > m_bytes.size() || to.size() > m_bytes.size() - offset)
            return Error{"values past its end were requested", "", ""};
        std::copy_n(m_bytes.begin() + static_cast<std::ptrdiff_t>(offset), to.size(), to.begin());
        return Done{};
    }

  private:
    std::vector<std::byte> m_bytes;
};

template <typename Unsigned, typename Convert>
void decodeEach(const std::byte *bytes, Index count, float *out, Convert convert) {
    for (Index i = 0; i < count; ++i) {
        Unsigned bits = 0;
        if constexpr (std::endian::native == std::endian::little)
            std::memcpy(&bits, bytes + i * static_cast<Index>(sizeof bits), sizeof bits);
        else
            bits = littleEndian<Unsigned>(reinterpret_cast<const char *>(bytes) +
                                          i * static_cast<Index>(sizeof bits));
        out[i] = convert(bits);
    }
}

template <NumberType kType>
void decodeAs(const std::byte *bytes, Index count, float *out) {
    decodeNumbers(kType, bytes, count, out);
}

} // namespace

void decodeNumbers(NumberType type, const std::byte *bytes, Index count, float *out) {
    switch (type) {
    case NumberType::F32:
        return decodeEach<std::uint32_t>(
            bytes, count, out, [](std::uint32_t bits) { return std::bit_cast<float>(bits); });
    case NumberType::F16:
        return decodeEach<std::uint16_t>(bytes, count, out,
                                         [](std::uint16_t bits) { return halfToFloat(bits); });
    case NumberType::BF16:
        return decodeEach<std::uint16_t>(bytes, count, out,
                                         [](std::uint16_t bits) { return bfloatToFloat(bits); });
    }
}

const NumberEncoding &encodingOf(NumberType type) {
    static constexpr NumberEncoding kF32{Encoding::F32, 1, 4, decodeAs<NumberType::F32>};
    static constexpr NumberEncoding kF16{Encoding::F16, 1, 2, decodeAs<NumberType::F16>};
    static constexpr NumberEncoding kBf16{Encoding::BF16, 1, 2, decodeAs<NumberType::BF16>};
    return type == NumberType::F32 ? kF32 : type == NumberType::F16 ? kF16 : kBf16;
}

StoragePointer storageOf(std::vector<float> numbers) {
    // Large matrices are copied to huge pages. A pass reads the whole matrix for every few tokens.
    // Huge pages reduce this time by a third.
    constexpr std::size_t kLarge = std::size_t(1) << 20;
    if (numbers.size() >= kLarge) {
        const auto copied = std::make_shared<const Numbers>(numbers.begin(), numbers.end());
        return storageOf(*copied, copied);
    }
    return std::make_shared<const FloatsInMemory>(std::move(numbers));
}

StoragePointer storageOf(std::span<const float> numbers, std::shared_ptr<const void> owner) {
    return std::make_shared<const FloatsInMemory>(numbers, std::move(owner));
}

StoragePointer storageOf(std::vector<std::byte> bytes) {
    return std::make_shared<const BytesInMemory>(std::move(bytes));
}

} // namespace headlight::core
