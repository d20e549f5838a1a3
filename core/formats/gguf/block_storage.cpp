#include "core/formats/gguf/block_storage.h"

#include "core/tensor/number_formats.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace headlight::core {

namespace {

/// Number of encoded bytes to read from the file at a time.
constexpr std::uint64_t kBlocksAtOnce = std::uint64_t(1) << 17;
constexpr std::uint64_t kFloatBytes = sizeof(float);

/// True if the little-endian half-precision number is not NaN or infinite.
bool isFiniteHalf(const std::uint8_t *bytes) {
    return (bytes[1] & 0x7C) != 0x7C;
}

class DecodedBlocks final : public NumberStorage {
  public:
    DecodedBlocks(StoragePointer blocks, const GgufType &type, std::string where)
        : m_blocks(std::move(blocks)),
          m_type(type),
          m_where(std::move(where)),
          m_size(m_blocks->size() / m_type.bytes * m_type.values * kFloatBytes) {}

    const NumberEncoding *encoding() const override { return &m_type.encoding; }
    const std::byte *encodedAt(std::uint64_t offset) const override {
        return m_blocks->encodedAt(offset / kFloatBytes / m_type.values * m_type.bytes);
    }
    bool isInOrder() const override { return m_blocks->isInOrder(); }
    Outcome checkEncoded() const override { return m_blocks->checkEncoded(); }
    void releasePages() const override { m_blocks->releasePages(); }

    std::uint64_t size() const override { return m_size; }
    std::uint64_t memory() const override { return 0; }
    NumberSourcePointer source() const override { return m_blocks->source(); }

    Outcome read(std::uint64_t offset, std::span<std::byte> to) const override {
        if (offset > m_size || to.size() > m_size - offset)
            return Error{"values past its end were requested", m_where, ""};
        const std::uint64_t blockBytes = m_type.values * kFloatBytes; // bytes of a decoded block
        const std::uint64_t most = std::max<std::uint64_t>(1, kBlocksAtOnce / m_type.bytes);
        std::vector<std::byte> encoded;
        std::array<float, kMaxBlockValues> numbers;
        while (!to.empty()) {
            const std::uint64_t first = offset / blockBytes;
            const std::uint64_t end = (offset + to.size() + blockBytes - 1) / blockBytes;
            const std::uint64_t count = std::min(most, end - first);
            encoded.resize(static_cast<std::size_t>(count * m_type.bytes));
            if (Outcome read = m_blocks->read(first * m_type.bytes, encoded); !read)
                return read;
            for (std::uint64_t i = 0; i < count; ++i) {
                const auto *block =
                    reinterpret_cast<const std::uint8_t *>(encoded.data()) + i * m_type.bytes;
                for (const std::uint8_t scale : m_type.scales)
                    if (!isFiniteHalf(block + scale))
                        return Error{
                            {"a scale of its block %1 is infinite or not a number", first + i},
                            m_where,
                            "the file is damaged; get it again"};
                m_type.decode(block, numbers.data());
                toLittleEndian(std::span(numbers).first(m_type.values));
                const std::uint64_t within = offset - (first + i) * blockBytes;
                const std::size_t size = static_cast<std::size_t>(
                    std::min<std::uint64_t>(blockBytes - within, to.size()));
                std::memcpy(to.data(), reinterpret_cast<const std::byte *>(numbers.data()) + within,
                            size);
                to = to.subspan(size);
                offset += size;
            }
        }
        return Done{};
    }

  private:
    StoragePointer m_blocks;
    const GgufType &m_type;
    std::string m_where;
    std::uint64_t m_size;
};

} // namespace

StoragePointer decodedBlocks(StoragePointer blocks, const GgufType &type, std::string where) {
    return std::make_shared<const DecodedBlocks>(std::move(blocks), type, std::move(where));
}

} // namespace headlight::core
