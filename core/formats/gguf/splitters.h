// The rules by which the byte-level tokenizers of GGUF files split texts into words before merging.
// A file contains only the name of a rule. The rules themselves come from the models' own
// tokenizer.json.
#pragma once

#include "core/tokenizers/pre_tokenizers/pre_tokenizer.h"

#include <span>
#include <string_view>

namespace headlight::core {

struct Splitter {
    enum class Rule {
        Gpt2,
        SingleDigits, ///< each digit is a word; the rest is split as in GPT-2
        Expressions,  ///< each expression splits the previous pieces, which then become bytes
        Falcon        ///< the expressions come last and split characters that represent bytes
    };

    std::string_view name; ///< the value of tokenizer.ggml.pre
    Rule rule = Rule::Gpt2;
    std::span<const char *const> expressions{}; ///< in Oniguruma's syntax
    bool takesWholeWords = false; ///< a word that is in the vocabulary is not merged from pieces
    bool addsFirst = false;       ///< adds a first token, unless the file specifies otherwise
    bool composes = false;        ///< composes accents (NFC)
};

std::span<const Splitter> allSplitters();
/// Returns null if the name is unknown.
const Splitter *findSplitter(std::string_view name);
/// Error: an invalid expression. A test ensures that there is none.
Result<PreTokenizerPointer> preTokenizerOf(const Splitter &splitter);

} // namespace headlight::core
