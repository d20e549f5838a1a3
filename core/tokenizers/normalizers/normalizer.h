// What is done to a text before it is cut into pieces, in the words of `tokenizer.json`.
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
    /// Errors: a pattern that takes too long. Throws Cancelled.
    virtual Result<TextPiece> normalized(TextPiece piece, StopCheck &stop) const = 0;
};
using NormalizerPointer = std::shared_ptr<const Normalizer>;

enum class UnicodeForm { Nfc, Nfd, Nfkc, Nfkd };

struct BertNormalization {
    bool cleans = true;        ///< control characters go, white space becomes spaces
    bool partsChinese = true;  ///< spaces around Chinese characters
    bool stripsAccents = true; ///< taken apart (NFD), then without nonspacing marks
    bool lowers = true;
};

NormalizerPointer unicodeNormalizer(UnicodeForm form);
NormalizerPointer lowercaseNormalizer();
/// Takes all marks away; of a text that was taken apart, its accents.
NormalizerPointer stripAccentsNormalizer();
NormalizerPointer stripNormalizer(bool left, bool right);
NormalizerPointer replaceNormalizer(Pattern pattern, std::string with);
/// In front of every text that is not empty.
NormalizerPointer prependNormalizer(std::string text);
NormalizerPointer bertNormalizer(BertNormalization what);
/// SentencePiece's "nmt" rule: control characters go, spaces of all kinds become one kind.
NormalizerPointer nmtNormalizer();
/// Each byte as one of 256 visible characters (core/tokenizers/byte_alphabet.h).
NormalizerPointer byteLevelNormalizer();
/// SentencePiece's compiled table of replacements. Error: it is not one.
Result<NormalizerPointer> precompiledNormalizer(std::string_view table);
NormalizerPointer sequenceOf(std::vector<NormalizerPointer> normalizers);

} // namespace headlight::core
