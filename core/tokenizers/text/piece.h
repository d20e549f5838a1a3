// A piece of text during tokenization, with the origin of each of its bytes in the original text.
#pragma once

#include "core/result.h"
#include "core/tokenizers/text/token.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::core {

/// A byte range of the original text; `end` is exclusive.
struct Origin {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    bool operator==(const Origin &) const = default;
};

/// Maximum size in bytes of a normalized or decoded text. Without this limit, a small file could
/// request any amount of memory.
inline constexpr std::size_t kMaxPieceBytes = std::size_t(32) << 20;
Error tooLongPiece();

struct TextPiece {
    std::string text;            ///< valid UTF-8
    std::vector<Origin> origins; ///< origin of each byte of `text`

    bool empty() const { return text.empty(); }
    std::size_t size() const { return text.size(); }
    /// Returns a part of the piece. The offsets must be at character boundaries.
    TextPiece part(std::size_t begin, std::size_t end) const;
    /// Returns the combined origin of these bytes. An empty range between two characters has an
    /// empty origin. The piece must not be empty.
    Origin originOf(std::size_t begin, std::size_t end) const;
};

/// Returns a piece of unprocessed text.
TextPiece pieceOf(std::string_view text);

/// Builds a new piece from an old one by keeping, replacing or dropping its bytes.
class TextPieceWriter {
  public:
    explicit TextPieceWriter(const TextPiece &from);

    /// Copies bytes of the old piece.
    void keep(std::size_t begin, std::size_t end);
    /// Writes `text` in place of bytes of the old piece. For an empty range, the origin of `text`
    /// is the origin of the next byte or, at the end, of the previous byte.
    void put(std::string_view text, std::size_t begin, std::size_t end);
    std::size_t size() const { return m_to.size(); }
    TextPiece take() { return std::move(m_to); }

  private:
    const TextPiece &m_from;
    TextPiece m_to;
};

/// The character at an offset of a valid UTF-8 text.
struct Character {
    char32_t code = 0;
    std::size_t size = 0; ///< size in bytes
};
Character characterAt(std::string_view text, std::size_t at);
void appendUtf8(std::string &text, char32_t code);

} // namespace headlight::core
