// Normalizers of `tokenizer.json`, applied before a text is split into pieces.
#pragma once

#include "core/cancelled.h"
#include "core/tokenizers/text/pattern.h"
#include "core/tokenizers/text/piece.h"

#include <memory>
#include <vector>

namespace headlight::core {

class Normalizer {
  public:
    virtual ~Normalizer() = default;
    /// Returns the normalized piece. Errors: a pattern that takes too long. Throws Cancelled.
    virtual Result<TextPiece> normalized(TextPiece piece, StopCheck &stop) const = 0;
};
using NormalizerPointer = std::shared_ptr<const Normalizer>;

enum class UnicodeForm { Nfc, Nfd, Nfkc, Nfkd };

struct BertNormalization {
    bool cleans = true;        ///< removes control characters and converts white space to spaces
    bool partsChinese = true;  ///< puts spaces around Chinese characters
    bool stripsAccents = true; ///< decomposes (NFD), then removes nonspacing marks
    bool lowers = true;
};

NormalizerPointer unicodeNormalizer(UnicodeForm form);
NormalizerPointer lowercaseNormalizer();
/// Removes all marks, which are the accents if the text is decomposed.
NormalizerPointer stripAccentsNormalizer();
NormalizerPointer stripNormalizer(bool left, bool right);
NormalizerPointer replaceNormalizer(Pattern pattern, std::string with);
/// Puts `text` before every text that is not empty.
NormalizerPointer prependNormalizer(std::string text);
NormalizerPointer bertNormalizer(BertNormalization what);
/// SentencePiece's rule "nmt": removes control characters and unifies spaces.
NormalizerPointer nmtNormalizer();
/// Replaces each byte with one of 256 visible characters (core/tokenizers/text/byte_alphabet.h).
NormalizerPointer byteLevelNormalizer();
/// Applies SentencePiece's compiled table of replacements. Error: an invalid table.
Result<NormalizerPointer> precompiledNormalizer(std::string_view table);
NormalizerPointer sequenceOf(std::vector<NormalizerPointer> normalizers);

} // namespace headlight::core
