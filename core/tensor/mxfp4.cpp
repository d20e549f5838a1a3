#include "core/tensor/mxfp4.h"

#include "core/tensor/joined_storage.h"
#include "core/tensor/number_formats.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstring>
#include <limits>

namespace headlight::core {

namespace {

constexpr std::uint64_t kBytesOfFloat = sizeof(float);
/// Number of encoded bytes to read from the file at a time.
constexpr std::uint64_t kMxfp4AtOnce = std::uint64_t(1) << 17;
constexpr std::byte kNoScale{255};

/// Returns 2^(byte − 127) exactly, even for byte 0, where it is subnormal.
float scaleOf(std::byte scale) {
    if (scale == kNoScale)
        return std::numeric_limits<float>::infinity();
    const auto exponent = static_cast<std::uint32_t>(scale);
    return std::bit_cast<float>(exponent == 0 ? 0x00400000u : exponent << 23);
}

void decodeBlocks(const std::byte *from, const std::byte *scales, Index count, float *out) {
    static constexpr std::array<float, 16> kFourBits{0,     0.5f,  1,  1.5f,  2,  3,  4,  6,
                                                     -0.0f, -0.5f, -1, -1.5f, -2, -3, -4, -6};
    for (Index i = 0; i < count; i += 2) {
        const float scale = scaleOf(scales[i / kMxfp4Values]);
        const auto both = static_cast<std::size_t>(from[i / 2]);
        out[i] = scale * kFourBits[both & 15];
        out[i + 1] = scale * kFourBits[both >> 4];
    }
}

class Mxfp4Storage final : public NumberStorage {
  public:
    Mxfp4Storage(StoragePointer blocks, StoragePointer scales, std::string where)
        : m_blocks(std::move(blocks)),
          m_scales(std::move(scales)),
          m_where(std::move(where)),
          m_source(joinedSource({m_blocks->source(), m_scales->source()})) {}

    const NumberEncoding *encoding() const override { return &mxfp4Encoding(); }
    const std::byte *encodedAt(std::uint64_t offset) const override {
        return m_blocks->encodedAt(blockAt(offset) * kMxfp4Bytes);
    }
    const std::byte *scalesAt(std::uint64_t offset) const override {
        return m_scales->encodedAt(blockAt(offset));
    }
    Outcome checkEncoded() const override {
        Outcome checked = m_blocks->checkEncoded();
        return checked ? m_scales->checkEncoded() : checked;
    }
    void releasePages() const override {
        m_blocks->releasePages();
        m_scales->releasePages();
    }

    std::uint64_t size() const override { return m_scales->size() * kMxfp4Values * kBytesOfFloat; }
    std::uint64_t memory() const override { return 0; }
    NumberSourcePointer source() const override { return m_source; }

    Outcome read(std::uint64_t offset, std::span<std::byte> to) const override {
        if (offset > size() || to.size() > size() - offset)
            return Error{"values past its end were requested", m_where, ""};
        constexpr std::uint64_t blockBytes = kMxfp4Values * kBytesOfFloat; // bytes after decoding
        std::vector<std::byte> encoded, scales;
        std::vector<float> numbers;
        while (!to.empty()) {
            const std::uint64_t first = blockAt(offset), within = offset - first * blockBytes;
            const std::uint64_t count = std::min<std::uint64_t>(
                kMxfp4AtOnce / kMxfp4Bytes, (within + to.size() + blockBytes - 1) / blockBytes);
            encoded.resize(static_cast<std::size_t>(count * kMxfp4Bytes));
            scales.resize(static_cast<std::size_t>(count));
            numbers.resize(static_cast<std::size_t>(count * kMxfp4Values));
            if (Outcome read = m_blocks->read(first * kMxfp4Bytes, encoded); !read)
                return read;
            if (Outcome read = m_scales->read(first, scales); !read)
                return read;
            if (const auto bad = std::ranges::find(scales, kNoScale); bad != scales.end())
                return Error{{"the scale of its block %1 is not a number",
                              first + static_cast<std::uint64_t>(bad - scales.begin())},
                             m_where,
                             "the file is damaged; get it again"};
            decodeBlocks(encoded.data(), scales.data(), std::ssize(numbers), numbers.data());
            toLittleEndian(numbers);
            const auto size = static_cast<std::size_t>(
                std::min<std::uint64_t>(count * blockBytes - within, to.size()));
            std::memcpy(to.data(), reinterpret_cast<const std::byte *>(numbers.data()) + within,
                        size);
            to = to.subspan(size);
            offset += size;
        }
        return Done{};
    }

  private:
    static std::uint64_t blockAt(std::uint64_t offset) {
        return offset / kBytesOfFloat / kMxfp4Values;
    }

    StoragePointer m_blocks, m_scales;
    std::string m_where;
    NumberSourcePointer m_source;
};

} // namespace

const NumberEncoding &mxfp4Encoding() {
    static constexpr NumberEncoding kMxfp4{Encoding::Mxfp4, kMxfp4Values, kMxfp4Bytes, nullptr,
                                           decodeBlocks};
    return kMxfp4;
}

StoragePointer mxfp4Storage(StoragePointer blocks, StoragePointer scales, std::string where) {
    assert(blocks->size() == scales->size() * kMxfp4Bytes);
    return std::make_shared<const Mxfp4Storage>(std::move(blocks), std::move(scales),
                                                std::move(where));
}

} // namespace headlight::core
