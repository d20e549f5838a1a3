// Pre-tokenizers of `tokenizer.json`, which split a normalized text into pieces for the token
// model. No token crosses the boundary of a piece.
#pragma once

#include "core/tokenizers/pre_tokenizers/split.h"

#include <memory>

namespace headlight::core {

class PreTokenizer {
  public:
    virtual ~PreTokenizer() = default;
    /// Returns non-empty pieces only. Errors: a pattern that takes too long. Throws Cancelled.
    virtual Result<std::vector<TextPiece>> split(TextPiece piece, StopCheck &stop) const = 0;
};
using PreTokenizerPointer = std::shared_ptr<const PreTokenizer>;

enum class PrependScheme { Always, Never, First };

struct Metaspace {
    char32_t replacement = U'▁';
    PrependScheme prepend = PrependScheme::Always;
    bool splits = true;
};

/// As in GPT-2: splits by its expression (unless `byExpression` is false), then replaces each byte
/// with one of 256 visible characters. `prependsSpace`: puts a space before a text that does not
/// start with one.
PreTokenizerPointer byteLevelPreTokenizer(bool prependsSpace, bool byExpression);
PreTokenizerPointer bertPreTokenizer();       ///< removes white space, separates punctuation
PreTokenizerPointer whitespacePreTokenizer(); ///< matches \w+|[^\w\s]+
PreTokenizerPointer whitespaceSplitPreTokenizer();
PreTokenizerPointer metaspacePreTokenizer(Metaspace what);
PreTokenizerPointer delimiterPreTokenizer(char32_t delimiter);
PreTokenizerPointer punctuationPreTokenizer(SplitBehavior behavior);
PreTokenizerPointer digitsPreTokenizer(bool oneByOne);
/// Splits at changes of the script. Kana counts as Han. A space belongs to the piece before it;
/// leading spaces are dropped.
PreTokenizerPointer scriptsPreTokenizer();
/// Splits into pieces of `length` characters; the last may be shorter.
PreTokenizerPointer fixedLengthPreTokenizer(std::size_t length);
/// Splits at the matches of a pattern. If `inverted`, `behavior` applies to the text between
/// matches.
PreTokenizerPointer splitPreTokenizer(Pattern pattern, SplitBehavior behavior, bool inverted);
PreTokenizerPointer sequenceOf(std::vector<PreTokenizerPointer> preTokenizers);

} // namespace headlight::core
