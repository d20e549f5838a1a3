// Words of a vocabulary that a user names without the space before a word.
#include "core/analysis/named_word.h"

#include "tests/core/core_test.h"

using namespace headlight::core;

namespace {

VocabularyPointer wordsToFind() {
    const auto made =
        Vocabulary::create({"theatre", " the", "the", "Ġcat", "▁dog", "Ġcats", "a b"});
    REQUIRE(made.ok());
    return *made;
}

} // namespace

TEST_CASE("A word is found without its word-start mark, but a token without the mark comes first") {
    const VocabularyPointer words = wordsToFind();
    CHECK(wordNamed(*words, "the") == 2);
    CHECK(wordNamed(*words, " the") == 1);
    CHECK(wordNamed(*words, "cat") == 3);
    CHECK(wordNamed(*words, "dog") == 4);
    CHECK(wordNamed(*words, "a b") == 6);
    CHECK(!wordNamed(*words, "th"));
    CHECK(!wordNamed(*words, "The"));
    CHECK(!wordNamed(*words, ""));
}

TEST_CASE("Suggestions begin with the text: the word itself first, then by id, up to the limit") {
    const VocabularyPointer words = wordsToFind();
    CHECK(wordsBeginningWith(*words, "the", 9) == std::vector<Index>{1, 2, 0});
    CHECK(wordsBeginningWith(*words, "the", 1) == std::vector<Index>{1});
    CHECK(wordsBeginningWith(*words, "ca", 9) == std::vector<Index>{3, 5});
    CHECK(wordsBeginningWith(*words, "ca", 1) == std::vector<Index>{3});
    CHECK(wordsBeginningWith(*words, "Ġ", 9) == std::vector<Index>{3, 5});
    CHECK(wordsBeginningWith(*words, "x", 9).empty());
    CHECK(wordsBeginningWith(*words, "", 9).empty());
}
