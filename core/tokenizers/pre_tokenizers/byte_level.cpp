#include "core/tokenizers/pre_tokenizers/pre_tokenizer.h"
#include "core/tokenizers/text/byte_alphabet.h"

#include <cassert>

namespace headlight::core {

namespace {

/// The expression of GPT-2 (github.com/openai/gpt-2, encoder.py).
constexpr std::string_view kGpt2 =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

const Pattern &gpt2Pattern() {
    static const Pattern pattern = [] {
        auto made = Pattern::expression(kGpt2);
        assert(made.ok());
        return made.ok() ? std::move(*made) : Pattern::literal(" ");
    }();
    return pattern;
}

TextPiece inVisibleBytes(const TextPiece &piece) {
    TextPiece made;
    made.text.reserve(piece.size() * 2);
    made.origins.reserve(piece.size() * 2);
    for (std::size_t at = 0; at < piece.size(); ++at) {
        const std::string &character = characterOfByte(static_cast<unsigned char>(piece.text[at]));
        made.text += character;
        made.origins.insert(made.origins.end(), character.size(), piece.origins[at]);
    }
    return made;
}

class ByteLevelPreTokenizer : public PreTokenizer {
  public:
    ByteLevelPreTokenizer(bool prependsSpace, bool byExpression)
        : m_prependsSpace(prependsSpace), m_byExpression(byExpression) {}

    Result<std::vector<TextPiece>> split(TextPiece piece, StopCheck &stop) const override {
        if (piece.empty())
            return std::vector<TextPiece>();
        if (piece.size() > kMaxPieceBytes / 2)
            return tooLongPiece();
        if (m_prependsSpace && !piece.text.starts_with(' ')) {
            TextPieceWriter writer(piece);
            writer.put(" ", 0, 0);
            writer.keep(0, piece.size());
            piece = writer.take();
        }
        std::vector<TextPiece> pieces;
        if (m_byExpression) {
            auto matches = gpt2Pattern().split(piece.text, stop);
            if (!matches)
                return matches.error();
            pieces = splitAt(piece, std::move(*matches), SplitBehavior::Isolated);
        } else {
            pieces.push_back(std::move(piece));
        }
        for (TextPiece &each : pieces)
            each = inVisibleBytes(each);
        return pieces;
    }

  private:
    bool m_prependsSpace, m_byExpression;
};

} // namespace

PreTokenizerPointer byteLevelPreTokenizer(bool prependsSpace, bool byExpression) {
    return std::make_shared<ByteLevelPreTokenizer>(prependsSpace, byExpression);
}

} // namespace headlight::core
