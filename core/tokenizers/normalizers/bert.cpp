#include "core/tokenizers/normalizers/characterwise.h"
#include "core/tokenizers/text/characters.h"

namespace headlight::core {

namespace {

using Replacement = std::optional<std::string>;

Replacement cleaned(char32_t c) {
    if (c == 0 || c == 0xFFFD || isControl(c))
        return "";
    const bool isSpace = c == '\t' || c == '\n' || c == '\r' || isWhiteSpace(c);
    return isSpace && c != ' ' ? Replacement(" ") : std::nullopt;
}

Replacement parted(char32_t c) {
    if (!isChinese(c))
        return std::nullopt;
    std::string text = " ";
    appendUtf8(text, c);
    return text + " ";
}

Replacement withoutAccent(char32_t c) {
    return isNonspacingMark(c) ? Replacement("") : std::nullopt;
}

class BertNormalizer : public Normalizer {
  public:
    explicit BertNormalizer(BertNormalization what)
        : m_what(what),
          m_apart(unicodeNormalizer(UnicodeForm::Nfd)),
          m_lower(lowercaseNormalizer()) {}

    Result<TextPiece> normalized(TextPiece piece, StopCheck &stop) const override {
        if (m_what.cleans)
            piece = characterwise(piece, stop, cleaned);
        if (m_what.partsChinese)
            piece = characterwise(piece, stop, parted);
        if (m_what.stripsAccents) {
            Result<TextPiece> apart = m_apart->normalized(std::move(piece), stop);
            if (!apart)
                return apart;
            piece = characterwise(*apart, stop, withoutAccent);
        }
        if (m_what.lowers)
            return m_lower->normalized(std::move(piece), stop);
        return piece;
    }

  private:
    BertNormalization m_what;
    NormalizerPointer m_apart, m_lower;
};

} // namespace

NormalizerPointer bertNormalizer(BertNormalization what) {
    return std::make_shared<BertNormalizer>(what);
}

} // namespace headlight::core
