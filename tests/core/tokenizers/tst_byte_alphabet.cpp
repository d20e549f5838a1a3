// GPT-2's byte alphabet.
#include "core/tokenizers/text/byte_alphabet.h"

#include "core/tokenizers/text/piece.h"

#include <doctest/doctest.h>
#include <set>

using namespace headlight::core;

TEST_CASE("each byte has a visible character of its own, and back") {
    std::set<std::string> characters;
    for (int byte = 0; byte < 256; ++byte) {
        const std::string &text = characterOfByte(static_cast<unsigned char>(byte));
        characters.insert(text);
        const Character character = characterAt(text, 0);
        CHECK(character.size == text.size());
        CHECK(byteOfCharacter(character.code) == static_cast<unsigned char>(byte));
    }
    CHECK(characters.size() == 256);
    CHECK(characterOfByte('A') == "A");
    CHECK(characterOfByte(' ') == "Ġ");
    CHECK(characterOfByte('\n') == "Ċ");
    CHECK_FALSE(byteOfCharacter(U' '));
    CHECK_FALSE(byteOfCharacter(U'中'));
}
