#include "core/tokenizers/normalizers/characterwise.h"
#include "core/tokenizers/pre_tokenizers/pre_tokenizer.h"

namespace headlight::core {

namespace {

/// SentencePiece's scheme: a visible character at the start of the following word replaces a space.
class MetaspacePreTokenizer : public PreTokenizer {
  public:
    explicit MetaspacePreTokenizer(Metaspace what) : m_what(what) {
        appendUtf8(m_space, what.replacement);
    }

    Result<std::vector<TextPiece>> split(TextPiece piece, StopCheck &stop) const override {
        if (piece.empty())
            return std::vector<TextPiece>();
        piece = characterwise(piece, stop, [this](char32_t character) {
            return character == ' ' ? std::optional<std::string>(m_space) : std::nullopt;
        });
        const bool isFirst = piece.origins.front().begin == 0;
        const bool prepends = m_what.prepend == PrependScheme::Always ||
                              (m_what.prepend == PrependScheme::First && isFirst);
        if (prepends && !piece.text.starts_with(m_space)) {
            TextPieceWriter writer(piece);
            writer.put(m_space, 0, 0);
            writer.keep(0, piece.size());
            piece = writer.take();
        }
        if (!m_what.splits)
            return std::vector<TextPiece>{std::move(piece)};
        const auto isSpace = [this](char32_t character) { return character == m_what.replacement; };
        return splitAt(piece, matchesOf(piece, stop, isSpace), SplitBehavior::MergedWithNext);
    }

  private:
    Metaspace m_what;
    std::string m_space;
};

} // namespace

PreTokenizerPointer metaspacePreTokenizer(Metaspace what) {
    return std::make_shared<MetaspacePreTokenizer>(what);
}

} // namespace headlight::core
