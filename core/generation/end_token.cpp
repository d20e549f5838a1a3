#include "core/generation/end_token.h"

namespace headlight::core {

std::optional<Index> endTokenOf(const Vocabulary &vocabulary) {
    // [SEP] comes last, because BERT's vocabularies also use it between two texts.
    for (const std::string_view word :
         {"<|endoftext|>", "<|end_of_text|>", "</s>", "[EOS]", "<eos>", "<EOS>", "[SEP]"}) {
        const std::optional<Index> id = vocabulary.idOf(word); // possibly the unknown token
        if (id && vocabulary.word(*id) == word)
            return id;
    }
    return std::nullopt;
}

} // namespace headlight::core
