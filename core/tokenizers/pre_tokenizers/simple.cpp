#include "core/tokenizers/pre_tokenizers/pre_tokenizer.h"
#include "core/tokenizers/text/characters.h"

namespace headlight::core {

namespace {

/// Splits at the characters for which `fits` returns true.
template <typename Fits>
class CharacterPreTokenizer : public PreTokenizer {
  public:
    CharacterPreTokenizer(Fits fits, SplitBehavior behavior)
        : m_fits(std::move(fits)), m_behavior(behavior) {}

    Result<std::vector<TextPiece>> split(TextPiece piece, StopCheck &stop) const override {
        return splitAt(piece, matchesOf(piece, stop, m_fits), m_behavior);
    }

  private:
    Fits m_fits;
    SplitBehavior m_behavior;
};

template <typename Fits>
PreTokenizerPointer splitting(Fits fits, SplitBehavior behavior) {
    return std::make_shared<CharacterPreTokenizer<Fits>>(std::move(fits), behavior);
}

class BertPreTokenizer : public PreTokenizer {
  public:
    Result<std::vector<TextPiece>> split(TextPiece piece, StopCheck &stop) const override {
        std::vector<TextPiece> pieces;
        for (const TextPiece &word :
             splitAt(piece, matchesOf(piece, stop, isWhiteSpace), SplitBehavior::Removed))
            for (TextPiece &part :
                 splitAt(word, matchesOf(word, stop, isPunctuation), SplitBehavior::Isolated))
                pieces.push_back(std::move(part));
        return pieces;
    }
};

/// Splits into runs of word characters, and runs of other characters except white space.
class WhitespacePreTokenizer : public PreTokenizer {
  public:
    Result<std::vector<TextPiece>> split(TextPiece piece, StopCheck &stop) const override {
        std::vector<TextPiece> pieces;
        for (const TextPiece &run :
             splitAt(piece, matchesOf(piece, stop, isWhiteSpace), SplitBehavior::Removed))
            for (TextPiece &part :
                 splitAt(run, matchesOf(run, stop, isWordCharacter), SplitBehavior::Contiguous))
                pieces.push_back(std::move(part));
        return pieces;
    }
};

class ScriptsPreTokenizer : public PreTokenizer {
  public:
    Result<std::vector<TextPiece>> split(TextPiece piece, StopCheck &stop) const override {
        std::vector<TextPiece> pieces;
        std::optional<int> last;
        std::size_t begin = 0;
        for (std::size_t at = 0; at < piece.size();) {
            stop.throwIfRequested();
            const Character character = characterAt(piece.text, at);
            if (const auto script = scriptOf(character.code); script && script != last) {
                if (last)
                    pieces.push_back(piece.part(begin, at));
                begin = at;
                last = script;
            }
            at += character.size;
        }
        if (last)
            pieces.push_back(piece.part(begin, piece.size()));
        return pieces;
    }
};

class FixedLengthPreTokenizer : public PreTokenizer {
  public:
    explicit FixedLengthPreTokenizer(std::size_t length) : m_length(length) {}

    Result<std::vector<TextPiece>> split(TextPiece piece, StopCheck &stop) const override {
        std::vector<TextPiece> pieces;
        for (std::size_t begin = 0; begin < piece.size();) {
            stop.throwIfRequested();
            std::size_t end = begin;
            for (std::size_t i = 0; i < m_length && end < piece.size(); ++i)
                end += characterAt(piece.text, end).size;
            pieces.push_back(piece.part(begin, end));
            begin = end;
        }
        return pieces;
    }

  private:
    std::size_t m_length;
};

class SplitPreTokenizer : public PreTokenizer {
  public:
    SplitPreTokenizer(Pattern pattern, SplitBehavior behavior, bool inverted)
        : m_pattern(std::move(pattern)), m_behavior(behavior), m_inverted(inverted) {}

    Result<std::vector<TextPiece>> split(TextPiece piece, StopCheck &stop) const override {
        auto matches = m_pattern.split(piece.text, stop);
        if (!matches)
            return matches.error();
        if (m_inverted)
            for (Match &match : *matches)
                match.fits = !match.fits;
        return splitAt(piece, std::move(*matches), m_behavior);
    }

  private:
    Pattern m_pattern;
    SplitBehavior m_behavior;
    bool m_inverted;
};

class PreTokenizerSequence : public PreTokenizer {
  public:
    explicit PreTokenizerSequence(std::vector<PreTokenizerPointer> parts)
        : m_parts(std::move(parts)) {}

    Result<std::vector<TextPiece>> split(TextPiece piece, StopCheck &stop) const override {
        std::vector<TextPiece> pieces;
        if (!piece.empty())
            pieces.push_back(std::move(piece));
        for (const PreTokenizerPointer &part : m_parts) {
            std::vector<TextPiece> next;
            std::size_t size = 0;
            for (TextPiece &each : pieces) {
                auto cut = part->split(std::move(each), stop);
                if (!cut)
                    return cut;
                for (TextPiece &made : *cut) {
                    size += made.size();
                    next.push_back(std::move(made));
                }
                if (size > kMaxPieceBytes)
                    return tooLongPiece();
            }
            pieces = std::move(next);
        }
        return pieces;
    }

  private:
    std::vector<PreTokenizerPointer> m_parts;
};

} // namespace

PreTokenizerPointer bertPreTokenizer() {
    return std::make_shared<BertPreTokenizer>();
}

PreTokenizerPointer whitespacePreTokenizer() {
    return std::make_shared<WhitespacePreTokenizer>();
}

PreTokenizerPointer whitespaceSplitPreTokenizer() {
    return splitting(isWhiteSpace, SplitBehavior::Removed);
}

PreTokenizerPointer delimiterPreTokenizer(char32_t delimiter) {
    return splitting([delimiter](char32_t character) { return character == delimiter; },
                     SplitBehavior::Removed);
}

PreTokenizerPointer punctuationPreTokenizer(SplitBehavior behavior) {
    return splitting(isPunctuation, behavior);
}

PreTokenizerPointer digitsPreTokenizer(bool oneByOne) {
    return splitting(isDigit, oneByOne ? SplitBehavior::Isolated : SplitBehavior::Contiguous);
}

PreTokenizerPointer scriptsPreTokenizer() {
    return std::make_shared<ScriptsPreTokenizer>();
}

PreTokenizerPointer fixedLengthPreTokenizer(std::size_t length) {
    return std::make_shared<FixedLengthPreTokenizer>(length);
}

PreTokenizerPointer splitPreTokenizer(Pattern pattern, SplitBehavior behavior, bool inverted) {
    return std::make_shared<SplitPreTokenizer>(std::move(pattern), behavior, inverted);
}

PreTokenizerPointer sequenceOf(std::vector<PreTokenizerPointer> preTokenizers) {
    return std::make_shared<PreTokenizerSequence>(std::move(preTokenizers));
}

} // namespace headlight::core
