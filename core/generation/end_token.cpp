#include "core/generation/end_token.h"

namespace headlight::core {

std::optional<Index> endTokenOf(const Vocabulary &vocabulary) {
    // [SEP] last: BERT's vocabularies have it between two texts as well.
    for (const std::string_view word :
         {"<|endoftext|>", "<|end_of_text|>", "</s>", "[EOS]", "<eos>", "<EOS>", "[SEP]"}) {
        const std::optional<Index> id = vocabulary.idOf(word); // or that of unknown words
        if (id && vocabulary.word(*id) == word)
            return id;
    }
    return std::nullopt;
}

} // namespace headlight::core
