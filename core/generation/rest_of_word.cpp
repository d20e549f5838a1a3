#include "core/generation/rest_of_word.h"

#include "core/generation/written_text.h"
#include "core/tokenizers/text/unicode.h"

namespace headlight::core {

bool continuesWord(std::string_view before, std::string_view piece) {
    return endsWithWord(before) && beginsWithWord(piece);
}

Result<RestOfWord> restOfWord(Generator generator, Index first, const std::stop_token &stop) {
    RestOfWord rest;
    if (!generator.readsText())
        return rest;
    WrittenText written = generator.writtenText();
    std::string word = written.add(first);
    generator.append(first);
    while (word.empty() || endsWithWord(word)) { // empty for a token that is part of a character
        if (rest.ids.size() == kMaxPieces) {
            rest.isWhole = false;
            break;
        }
        const auto token = generator.next(stop);
        if (!token)
            return token.error();
        if (!*token || (*token)->isEnd)
            break;
        const std::string piece = written.add((*token)->id);
        if (!word.empty() && !piece.empty() && !continuesWord(word, piece))
            break;
        rest.ids.push_back((*token)->id);
        rest.text += piece;
        word += piece;
    }
    return rest;
}

} // namespace headlight::core
