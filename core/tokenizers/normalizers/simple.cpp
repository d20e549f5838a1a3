#include "core/tokenizers/normalizers/characterwise.h"
#include "core/tokenizers/text/byte_alphabet.h"
#include "core/tokenizers/text/characters.h"

#include <functional>

namespace headlight::core {

namespace {

using Replacement = std::optional<std::string>;

/// Applies `replace` to each character.
class CharacterNormalizer : public Normalizer {
  public:
    explicit CharacterNormalizer(Replacement (*replace)(char32_t)) : m_replace(replace) {}
    Result<TextPiece> normalized(TextPiece piece, StopCheck &stop) const override {
        return characterwise(piece, stop, m_replace);
    }

  private:
    Replacement (*m_replace)(char32_t);
};

Replacement lowered(char32_t character) {
    if (character >= 'a' && character <= 'z')
        return std::nullopt;
    return lowerCase(character);
}

Replacement withoutMark(char32_t character) {
    return isMark(character) ? Replacement("") : std::nullopt;
}

/// The lists of characters are those of SentencePiece (github.com/google/sentencepiece,
/// builder.cc).
Replacement nmt(char32_t c) {
    const bool goes = (c >= 0x1 && c <= 0x8) || c == 0xB || (c >= 0xE && c <= 0x1F) || c == 0x7F ||
                      c == 0x8F || c == 0x9F;
    if (goes)
        return "";
    const bool isSpace = c == 0x9 || c == 0xA || c == 0xC || c == 0xD || c == 0x1680 ||
                         (c >= 0x200B && c <= 0x200F) || c == 0x2028 || c == 0x2029 ||
                         c == 0x2581 || c == 0xFEFF || c == 0xFFFD;
    return isSpace ? Replacement(" ") : std::nullopt;
}

class StripNormalizer : public Normalizer {
  public:
    StripNormalizer(bool left, bool right) : m_left(left), m_right(right) {}

    Result<TextPiece> normalized(TextPiece piece, StopCheck &) const override {
        std::size_t begin = 0, end = 0;
        bool any = false;
        for (std::size_t at = 0; at < piece.size();) {
            const Character character = characterAt(piece.text, at);
            if (!isWhiteSpace(character.code)) {
                if (!any)
                    begin = at;
                any = true;
                end = at + character.size;
            }
            at += character.size;
        }
        if (!any && (m_left || m_right))
            return TextPiece{};
        return piece.part(m_left ? begin : 0, m_right ? end : piece.size());
    }

  private:
    bool m_left, m_right;
};

class ReplaceNormalizer : public Normalizer {
  public:
    ReplaceNormalizer(Pattern pattern, std::string with)
        : m_pattern(std::move(pattern)), m_with(std::move(with)) {}

    Result<TextPiece> normalized(TextPiece piece, StopCheck &stop) const override {
        const auto matches = m_pattern.split(piece.text, stop);
        if (!matches)
            return matches.error();
        if (replacedSize(*matches, m_with) > kMaxPieceBytes)
            return tooLongPiece();
        TextPieceWriter writer(piece);
        for (const Match &match : *matches)
            if (match.fits)
                writer.put(m_with, match.begin, match.end);
            else
                writer.keep(match.begin, match.end);
        return writer.take();
    }

  private:
    Pattern m_pattern;
    std::string m_with;
};

class PrependNormalizer : public Normalizer {
  public:
    explicit PrependNormalizer(std::string text) : m_text(std::move(text)) {}

    Result<TextPiece> normalized(TextPiece piece, StopCheck &) const override {
        if (piece.empty())
            return piece;
        if (piece.size() + m_text.size() > kMaxPieceBytes)
            return tooLongPiece();
        TextPieceWriter writer(piece);
        writer.put(m_text, 0, 0);
        writer.keep(0, piece.size());
        return writer.take();
    }

  private:
    std::string m_text;
};

class ByteLevelNormalizer : public Normalizer {
  public:
    Result<TextPiece> normalized(TextPiece piece, StopCheck &stop) const override {
        TextPieceWriter writer(piece);
        for (std::size_t at = 0; at < piece.size(); ++at) {
            stop.throwIfRequested();
            writer.put(characterOfByte(static_cast<unsigned char>(piece.text[at])), at, at + 1);
            if (writer.size() > kMaxPieceBytes)
                return tooLongPiece();
        }
        return writer.take();
    }
};

/// Limit on the bytes written by all steps together. It limits the time if a text grows and a dozen
/// steps rewrite it.
constexpr std::size_t kMaxWrittenBytes = 4 * kMaxPieceBytes;

class NormalizerSequence : public Normalizer {
  public:
    explicit NormalizerSequence(std::vector<NormalizerPointer> normalizers)
        : m_normalizers(std::move(normalizers)) {}

    Result<TextPiece> normalized(TextPiece piece, StopCheck &stop) const override {
        Result<TextPiece> done = std::move(piece);
        std::size_t written = 0; // bytes written by all steps so far
        for (const NormalizerPointer &normalizer : m_normalizers) {
            throwIfCancelled(stop.token());
            done = normalizer->normalized(std::move(*done), stop);
            if (!done)
                return done;
            written += done->size();
            if (done->size() > kMaxPieceBytes || written > kMaxWrittenBytes)
                return tooLongPiece();
        }
        return done;
    }

  private:
    std::vector<NormalizerPointer> m_normalizers;
};

} // namespace

NormalizerPointer lowercaseNormalizer() {
    return std::make_shared<CharacterNormalizer>(lowered);
}

NormalizerPointer stripAccentsNormalizer() {
    return std::make_shared<CharacterNormalizer>(withoutMark);
}

NormalizerPointer nmtNormalizer() {
    return std::make_shared<CharacterNormalizer>(nmt);
}

NormalizerPointer stripNormalizer(bool left, bool right) {
    return std::make_shared<StripNormalizer>(left, right);
}

NormalizerPointer replaceNormalizer(Pattern pattern, std::string with) {
    return std::make_shared<ReplaceNormalizer>(std::move(pattern), std::move(with));
}

NormalizerPointer prependNormalizer(std::string text) {
    return std::make_shared<PrependNormalizer>(std::move(text));
}

NormalizerPointer byteLevelNormalizer() {
    return std::make_shared<ByteLevelNormalizer>();
}

NormalizerPointer sequenceOf(std::vector<NormalizerPointer> normalizers) {
    return std::make_shared<NormalizerSequence>(std::move(normalizers));
}

} // namespace headlight::core
