// Reads the start of a GGUF file sequentially. Trusts no length in it.
#pragma once

#include "core/formats/files/regular_file.h"
#include "core/result.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>

namespace headlight::core {

/// Maximum size of a header: names, metadata and vocabulary. Published models have up to 20 MB.
inline constexpr std::uint64_t kMaxGgufHeader = 100'000'000;

/// Thrown while reading a header. GgufFile::open() catches it.
struct GgufReadError {
    Error error;
};

class GgufByteReader {
  public:
    /// `file` and `path` must outlive the reader.
    GgufByteReader(const RegularFile &file, const std::string &path, std::stop_token stop)
        : m_file(file), m_path(path), m_stop(std::move(stop)) {}

    /// Reads a number at the current offset and advances. Throws GgufReadError at the end of the
    /// file.
    std::uint8_t u8();
    std::uint32_t u32();
    std::uint64_t u64();
    /// Reads a length and that many bytes. The view is valid until the next call.
    std::string_view string();
    /// Skips `count` bytes. Throws GgufReadError if the file ends before that.
    void skip(std::uint64_t count);

    /// Throws unless `count` items of at least `size` bytes fit into the rest of the file. `claim`
    /// is the error text, with %1 for the count and %2 for the remaining bytes.
    void require(std::uint64_t count, std::uint64_t size, const char *claim) const;

    std::uint64_t at() const { return m_at; }
    std::uint64_t left() const { return m_file.size - m_at; }
    /// Throws an error that names `place`, a position in the file.
    [[noreturn]] void fail(Message what, const std::string &place = {}, Message remedy = {}) const;
    /// Returns all bytes read so far. Call it once, at the end.
    std::string take();

  private:
    /// Reads from the file until `count` bytes after the current offset are in memory.
    void need(std::uint64_t count);

    const RegularFile &m_file;
    const std::string &m_path;
    std::stop_token m_stop;
    std::string m_bytes;
    std::uint64_t m_at = 0;
};

} // namespace headlight::core
