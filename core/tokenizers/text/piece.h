// A stretch of a text on its way to tokens: what became of it, and where each of its bytes is from.
#pragma once

#include "core/result.h"
#include "core/tokenizers/text/token.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::core {

/// Bytes of the person's text; `end` is behind them.
struct Origin {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    bool operator==(const Origin &) const = default;
};

/// What becomes of a text, or of tokens, may be longer than they are: up to this many bytes. A file
/// of a few lines could otherwise ask for any amount.
inline constexpr std::size_t kMaximumPieceBytes = std::size_t(32) << 20;
Error tooLongPiece();

struct TextPiece {
    std::string text;            ///< valid UTF-8
    std::vector<Origin> origins; ///< one a byte of `text`

    bool empty() const { return text.empty(); }
    std::size_t size() const { return text.size(); }
    /// Some of its bytes, at the edges of characters.
    TextPiece part(std::size_t begin, std::size_t end) const;
    /// Where these bytes are from, all together. None of them (`begin` == `end`) are from no bytes,
    /// between two characters. The piece is not empty.
    Origin originOf(std::size_t begin, std::size_t end) const;
};

/// A text as it was typed.
TextPiece pieceOf(std::string_view text);

/// A piece written anew from another one: bytes of that are kept, replaced or left out.
class TextPieceWriter {
  public:
    explicit TextPieceWriter(const TextPiece &from);

    /// Bytes of the old piece as they are.
    void keep(std::size_t begin, std::size_t end);
    /// This instead of bytes of the old piece. Where there are none (`begin` == `end`), it is from
    /// the byte that follows, or from the one before at the end.
    void put(std::string_view text, std::size_t begin, std::size_t end);
    std::size_t size() const { return m_to.size(); }
    TextPiece take() { return std::move(m_to); }

  private:
    const TextPiece &m_from;
    TextPiece m_to;
};

/// The character at a byte of valid UTF-8.
struct Character {
    char32_t code = 0;
    std::size_t size = 0; ///< bytes
};
Character characterAt(std::string_view text, std::size_t at);
void appendUtf8(std::string &text, char32_t code);

} // namespace headlight::core
