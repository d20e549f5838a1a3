// How a normalized text is cut before the model of tokens sees it, in the words of
// `tokenizer.json`: no token reaches from one piece into the next.
#pragma once

#include "core/tokenizers/pre_tokenizers/split.h"

#include <memory>

namespace headlight::core {

class PreTokenizer {
  public:
    virtual ~PreTokenizer() = default;
    /// No piece of the result is empty. Errors: a pattern that takes too long. Throws Cancelled.
    virtual Result<std::vector<TextPiece>> split(TextPiece piece, StopCheck &stop) const = 0;
};
using PreTokenizerPointer = std::shared_ptr<const PreTokenizer>;

enum class PrependScheme { Always, Never, First };

struct Metaspace {
    char32_t replacement = U'▁';
    PrependScheme prepend = PrependScheme::Always;
    bool splits = true;
};

/// GPT-2's: cut by its expression (unless `byExpression` is false), then each byte as one of 256
/// visible characters. `prependsSpace`: to a text that begins with none.
PreTokenizerPointer byteLevelPreTokenizer(bool prependsSpace, bool byExpression);
PreTokenizerPointer bertPreTokenizer();       ///< white space goes, punctuation stands alone
PreTokenizerPointer whitespacePreTokenizer(); ///< \w+|[^\w\s]+
PreTokenizerPointer whitespaceSplitPreTokenizer();
PreTokenizerPointer metaspacePreTokenizer(Metaspace what);
PreTokenizerPointer delimiterPreTokenizer(char32_t delimiter);
PreTokenizerPointer punctuationPreTokenizer(SplitBehavior behavior);
PreTokenizerPointer digitsPreTokenizer(bool oneByOne);
/// Where the script changes. Kana counts as Han; spaces belong to what stands before them, and
/// those at the beginning go.
PreTokenizerPointer scriptsPreTokenizer();
/// So many characters, and what is left.
PreTokenizerPointer fixedLengthPreTokenizer(std::size_t length);
/// `inverted`: what does not fit is what `behavior` speaks of.
PreTokenizerPointer splitPreTokenizer(Pattern pattern, SplitBehavior behavior, bool inverted);
PreTokenizerPointer sequenceOf(std::vector<PreTokenizerPointer> preTokenizers);

} // namespace headlight::core
