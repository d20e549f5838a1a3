// Decoders, which convert tokens back to text, as defined by `tokenizer.json`.
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
    /// Returns the decoded texts of the tokens, whose concatenation is the complete text. The
    /// result is valid UTF-8 if `tokens` are. Errors: a pattern that takes too long. Throws
    /// Cancelled.
    virtual Result<std::vector<std::string>> decoded(std::vector<std::string> tokens,
                                                     StopCheck &stop) const = 0;
};
using DecoderPointer = std::shared_ptr<const Decoder>;

/// Maps each of 256 visible characters to its byte (core/tokenizers/text/byte_alphabet.h). Tokens
/// with other characters stay unchanged. Invalid UTF-8 becomes U+FFFD.
DecoderPointer byteLevelDecoder();
/// Puts a space before every token, except the first and tokens that start with `prefix`, which is
/// removed. `cleansUp`: removes spaces before punctuation and English contractions.
DecoderPointer wordPieceDecoder(std::string prefix, bool cleansUp);
/// Replaces `replacement` with a space. If `wasPrepended`, removes it from the first token.
DecoderPointer metaspaceDecoder(char32_t replacement, bool wasPrepended);
/// Replaces `suffix`, which marks the end of a word, with a space; removes it from the last token.
/// `suffix` must not be empty.
DecoderPointer bpeDecoder(std::string suffix);
DecoderPointer replaceDecoder(Pattern pattern, std::string with);
DecoderPointer fuseDecoder(); ///< joins all tokens
/// Removes at most `atBegin` and `atEnd` occurrences of `character` from the ends of every token.
DecoderPointer stripDecoder(char32_t character, std::size_t atBegin, std::size_t atEnd);
/// Converts "<0xE2>" to a byte. If consecutive bytes are not valid UTF-8 together, each becomes
/// U+FFFD.
DecoderPointer byteFallbackDecoder();
/// Graves et al. 2006: collapses repeated tokens, then removes padding.
struct CtcRules {
    std::string padding = "<pad>";
    std::string betweenText = "|";
    bool cleansUp = true; ///< as in wordPieceDecoder(); also replaces `betweenText` with a space
};
DecoderPointer ctcDecoder(CtcRules rules);
/// Joins tokens with spaces, for vocabularies of whole words.
DecoderPointer spacedDecoder();
DecoderPointer sequenceOf(std::vector<DecoderPointer> decoders);

} // namespace headlight::core
