#include "core/formats/gguf/byte_reader.h"

#include "core/cancelled.h"
#include "core/formats/files/file_numbers.h"
#include "core/tensor/number_formats.h"

#include <algorithm>
#include <utility>

namespace headlight::core {

namespace {

constexpr std::uint64_t kGgufPiece = std::uint64_t(1) << 20; // bytes to read at a time

constexpr const char *kDamagedGguf = "the file is damaged; get it again";

} // namespace

void GgufByteReader::fail(Message what, const std::string &place, Message remedy) const {
    throw GgufReadError{{std::move(what), place.empty() ? m_path : m_path + ": " + place,
                         remedy.empty() ? Message(kDamagedGguf) : std::move(remedy)}};
}

void GgufByteReader::need(std::uint64_t count) {
    if (count > left())
        fail({"the file ends in its header: it has %1 bytes, but %2 more are needed at byte %3",
              m_file.size, count - left(), m_at},
             {}, "the download is not complete; get it again");
    if (count > kMaxGgufHeader || m_at + count > kMaxGgufHeader)
        fail({"its header is longer than %1 MB", kMaxGgufHeader / 1'000'000});
    while (m_bytes.size() < m_at + count) {
        throwIfCancelled(m_stop);
        // Reads piece by piece, so that a wrong length in the file cannot allocate more than the
        // file's size.
        const std::uint64_t begin = m_bytes.size();
        const std::uint64_t size = std::min(kGgufPiece, m_file.size - begin);
        m_bytes.resize(static_cast<std::size_t>(begin + size));
        const Outcome read = readAt(
            m_file.descriptor, begin, {m_bytes.data() + begin, static_cast<std::size_t>(size)},
            m_path, {"the file became shorter while it was read", m_path, "open it again"});
        if (!read)
            throw GgufReadError{read.error()};
    }
}

std::uint8_t GgufByteReader::u8() {
    need(1);
    return static_cast<std::uint8_t>(m_bytes[static_cast<std::size_t>(m_at++)]);
}

std::uint32_t GgufByteReader::u32() {
    need(4);
    const auto value = littleEndian<std::uint32_t>(m_bytes.data() + m_at);
    m_at += 4;
    return value;
}

std::uint64_t GgufByteReader::u64() {
    need(8);
    const auto value = littleEndian<std::uint64_t>(m_bytes.data() + m_at);
    m_at += 8;
    return value;
}

std::string_view GgufByteReader::string() {
    const std::uint64_t size = u64();
    need(size);
    const std::string_view text(m_bytes.data() + m_at, static_cast<std::size_t>(size));
    m_at += size;
    return text;
}

void GgufByteReader::skip(std::uint64_t count) {
    need(count);
    m_at += count;
}

void GgufByteReader::require(std::uint64_t count, std::uint64_t size, const char *claim) const {
    if (count > left() / size)
        fail({claim, count, left()}, {},
             "the file is damaged or the download is not complete; get it again");
}

std::string GgufByteReader::take() {
    m_bytes.resize(static_cast<std::size_t>(m_at));
    return std::move(m_bytes);
}

} // namespace headlight::core
