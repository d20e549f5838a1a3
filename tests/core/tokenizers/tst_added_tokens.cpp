// Added tokens, which are found in a text before any other processing.
#include "core/tokenizers/added_tokens.h"
#include "pieces.h"

using namespace headlight::core;
using namespace headlight::core::test;

namespace {

std::string split(std::vector<AddedToken> tokens, std::string_view text,
                  const Normalizer *normalizer = nullptr, bool isNormalized = false) {
    StopCheck stop{{}};
    const auto added = AddedTokens::from(std::move(tokens), normalizer, stop);
    REQUIRE(added.ok());
    std::string shown;
    for (const AddedTokens::Part &part : added->split(pieceOf(text), isNormalized, stop))
        shown +=
            (shown.empty() ? "" : "|") +
            (part.id ? "(" + part.piece.text + ")" + std::to_string(*part.id) : part.piece.text);
    return shown;
}

} // namespace

TEST_CASE("the longest token from the left") {
    CHECK(split({{"<s>", 1}, {"<s>>", 2}, {"s", 3}}, "a<s>b<s>>s") == "a|(<s>)1|b|(<s>>)2|(s)3");
    CHECK(split({}, "a b") == "a b");
    CHECK(split({{"", 1}, {"中", 2}}, "a中中") == "a|(中)2|(中)2");
    CHECK(split({{"<s>", 1}}, "").empty());
}

TEST_CASE("white space beside a token, and whole words") {
    AddedToken mask{"<mask>", 5};
    mask.stripsLeft = true;
    CHECK(split({mask}, "a  <mask> b") == "a|(  <mask>)5| b");
    mask.stripsRight = true;
    CHECK(split({mask}, "a <mask> <mask>  b") == "a|( <mask> )5|(<mask>  )5|b");
    AddedToken word{"cat", 7};
    word.isWholeWord = true;
    CHECK(split({word}, "cat concat cats (cat) écat") == "(cat)7| concat cats (|(cat)7|) écat");
}

TEST_CASE("in the normalized text, by what the token is there") {
    AddedToken token{"ÉTÉ", 3};
    token.isNormalized = true;
    const auto lower = lowercaseNormalizer();
    CHECK(split({token}, "un été", lower.get(), true) == "un |(été)3");
    CHECK(split({token}, "un ÉTÉ", lower.get(), false) == "un ÉTÉ");
}
