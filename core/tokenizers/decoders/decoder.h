// How the tokens of a vocabulary become a text again, in the words of `tokenizer.json`.
#pragma once

#include "core/cancelled.h"
#include "core/tokenizers/text/pattern.h"

#include <memory>
#include <string>
#include <vector>

namespace headlight::core {

class Decoder {
  public:
    virtual ~Decoder() = default;
    /// What becomes of the texts of tokens; one behind the other they are the text. All of it is
    /// valid UTF-8 where `tokens` are. Errors: a pattern that takes too long. Throws Cancelled.
    virtual Result<std::vector<std::string>> decoded(std::vector<std::string> tokens,
                                                     StopCheck &stop) const = 0;
};
using DecoderPointer = std::shared_ptr<const Decoder>;

/// Each of 256 visible characters as the byte that it stands for (core/tokenizers/byte_alphabet.h);
/// a token with another character is as it is. What is no UTF-8 becomes U+FFFD.
DecoderPointer byteLevelDecoder();
/// A space in front of every token but the first and those that begin with `prefix`, which goes.
/// `cleansUp`: none in front of punctuation and English contractions.
DecoderPointer wordPieceDecoder(std::string prefix, bool cleansUp);
/// `replacement` is a space; in the first token it is nothing where it was put in front of texts.
DecoderPointer metaspaceDecoder(char32_t replacement, bool wasPrepended);
/// `suffix` ends a word: a space, but for the last token. Not empty.
DecoderPointer bpeDecoder(std::string suffix);
DecoderPointer replaceDecoder(Pattern pattern, std::string with);
DecoderPointer fuseDecoder(); ///< all in one
/// Up to so many of a character go from the beginning and the end of every token.
DecoderPointer stripDecoder(char32_t character, std::size_t atBegin, std::size_t atEnd);
/// "<0xE2>" is a byte. Bytes in a row that are no UTF-8 together become a U+FFFD each.
DecoderPointer byteFallbackDecoder();
/// Graves et al. 2006: of equal tokens in a row one is left, and padding is nothing.
struct CtcRules {
    std::string padding = "<pad>";
    std::string betweenWords = "|";
    bool cleansUp = true; ///< as of wordPieceDecoder(), and a space is put between words
};
DecoderPointer ctcDecoder(CtcRules rules);
/// A space between two tokens: for vocabularies of whole words.
DecoderPointer spacedDecoder();
DecoderPointer sequenceOf(std::vector<DecoderPointer> decoders);

} // namespace headlight::core
