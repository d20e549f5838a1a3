// Token models on vocabularies small enough to verify by hand.
#include "core/tokenizers/models/token_model.h"
#include "core_test.h"
#include "pieces.h"

namespace {

/// Returns a list of tokens whose ids are their indices.
TokenList listOf(const std::vector<std::string> &texts) {
    std::vector<std::pair<std::string, Index>> all;
    for (const std::string &text : texts)
        all.emplace_back(text, std::ssize(all));
    return valueOf(TokenList::from(std::move(all)));
}

/// Returns the tokens as "a:0|bc:1", with their texts and ids.
std::string cut(const TokenModelPointer &model, std::string_view text) {
    StopCheck stop{{}};
    const auto tokens = valueOf(model->tokenize(text, stop));
    std::string shown;
    for (const PieceToken &token : tokens)
        shown += (shown.empty() ? "" : "|") +
                 std::string(text.substr(token.begin, token.end - token.begin)) + ":" +
                 std::to_string(token.id);
    return shown;
}

BpeRules mergesOf(const TokenList &tokens,
                  const std::vector<std::pair<std::string, std::string>> &pairs,
                  const std::string &prefix = {}) {
    BpeRules rules;
    rules.continuingPrefix = prefix;
    for (const auto &[left, right] : pairs) {
        const auto merge = valueOf(mergeOf(left, right, tokens, prefix));
        rules.merges.push_back(merge);
    }
    return rules;
}

} // namespace

TEST_CASE("a list finds every text and no other") {
    std::vector<std::string> texts{""};
    for (int i = 0; i < 5000; ++i)
        texts.push_back("t" + std::to_string(i * 7919));
    const TokenList list = listOf(texts);
    for (std::size_t i = 0; i < texts.size(); ++i)
        CHECK(list.idOf(texts[i]) == static_cast<Index>(i));
    CHECK_FALSE(list.idOf("t"));
    CHECK_FALSE(list.idOf("t1"));
    CHECK_FALSE(TokenList().idOf("t"));
    // Ids with gaps, and a duplicate text, for which the last id is used.
    const auto gaps = TokenList::from({{"a", 5}, {"b", 9}, {"a", 2}});
    REQUIRE(gaps.ok());
    CHECK(gaps->idOf("a") == 2);
    CHECK(gaps->idOf("b") == 9);
    CHECK_FALSE(gaps->idOf("")); // ids in gaps have no text
    CHECK(gaps->textOf(5) == "a");
}

TEST_CASE("the first merge goes first, then the leftmost") {
    TokenList tokens = listOf({"a", "b", "c", "ab", "bc", "abc", "aa", "aaa"});
    BpeRules rules =
        mergesOf(tokens, {{"b", "c"}, {"a", "b"}, {"a", "bc"}, {"a", "a"}, {"aa", "a"}});
    const auto model = bpeModel(std::move(tokens), std::move(rules));
    CHECK(cut(model, "abc") == "abc:5");
    CHECK(cut(model, "ab") == "ab:3");
    CHECK(cut(model, "aaaa") == "aa:6|aa:6");
    CHECK(cut(model, "aaaaa") == "aa:6|aaa:7");
    CHECK(cut(model, "abab") == "ab:3|ab:3");
    CHECK(cut(model, "abab") == "ab:3|ab:3"); // now from the cache
    CHECK(cut(model, "x").empty());           // unknown characters are dropped silently
}

TEST_CASE("characters that a byte-pair model does not know") {
    const std::vector<std::string> texts{"a", "b", "<unk>"};
    TokenList one = listOf(texts);
    CHECK(cut(bpeModel(std::move(one), {{}, {2, false, false}, "", "", false}), "axyb") ==
          "a:0|x:2|y:2|b:1");
    TokenList two = listOf(texts);
    CHECK(cut(bpeModel(std::move(two), {{}, {2, false, true}, "", "", false}), "axyb中") ==
          "a:0|xy:2|b:1|中:2");
    std::vector<std::string> bytes{"a"};
    for (int byte = 0; byte < 256; ++byte) {
        char name[8];
        std::snprintf(name, sizeof name, "<0x%02X>", static_cast<unsigned>(byte));
        bytes.emplace_back(name);
    }
    TokenList three = listOf(bytes);
    StopCheck stop{{}};
    const auto model = bpeModel(std::move(three), {{}, {std::nullopt, true, false}, "", "", false});
    const auto tokens = valueOf(model->tokenize("é", stop));
    CHECK(tokens == std::vector<PieceToken>{{1 + 0xC3, 0, 1}, {1 + 0xA9, 1, 2}});
}

TEST_CASE("prefixes, suffixes, whole words") {
    TokenList tokens = listOf({"a", "##b", "##b</w>", "a</w>", "ab", "ab</w>"});
    BpeRules rules = mergesOf(tokens, {{"a", "##b</w>"}}, "##");
    rules.endSuffix = "</w>";
    CHECK(cut(bpeModel(std::move(tokens), std::move(rules)), "ab") == "ab:5");
    TokenList again = listOf({"a", "b", "ab"});
    CHECK(cut(bpeModel(std::move(again), {{}, {}, "", "", true}), "ab") == "ab:2");
}

TEST_CASE("a merge needs all its tokens") {
    const TokenList tokens = listOf({"a", "b", "ab"});
    CHECK(mergeOf("a", "b", tokens, "").ok());
    const auto missing = mergeOf("b", "a", tokens, "");
    REQUIRE_FALSE(missing.ok());
    CHECK(missing.error().what ==
          "the merge of \"b\" and \"a\" needs the token \"ba\", which is missing");
    CHECK_FALSE(mergeOf("x", "a", tokens, "").ok());
}

TEST_CASE("a long word without spaces does not take quadratic time") {
    TokenList tokens = listOf({"a", "aa", "aaaa"});
    BpeRules rules = mergesOf(tokens, {{"a", "a"}, {"aa", "aa"}});
    const auto model = bpeModel(std::move(tokens), std::move(rules));
    StopCheck stop{{}};
    const auto made = valueOf(model->tokenize(std::string(400'000, 'a'), stop));
    CHECK(made.size() == 100'000);
}

TEST_CASE("the longest piece that fits, from the left") {
    const auto model = [](std::size_t longest) {
        return wordPieceModel(
            listOf({"[UNK]", "un", "##aff", "##able", "##a", "una", "##ff", "é", "##é"}),
            {.unknown = 0, .longestWord = longest});
    };
    CHECK(cut(model(100), "unaffable") == "una:5|ff:6|able:3");
    CHECK(cut(model(100), "éé") == "é:7|é:8");
    CHECK(cut(model(100), "unaffx") == "unaffx:0"); // an unknown rest makes the whole word unknown
    CHECK(cut(model(2), "éé") == "é:7|é:8");        // characters are counted, not bytes
    CHECK(cut(model(1), "éé") == "éé:0");
}

TEST_CASE("the tokens whose scores have the largest sum") {
    const auto model = [](Unknowns unknowns) {
        return unigramModel(listOf({"<unk>", "a", "b", "ab", "abc", "c"}),
                            {0, -1, -1, -1.5, -9, -1}, unknowns);
    };
    CHECK(cut(model({0, false, true}), "abc") == "ab:3|c:5");
    CHECK(cut(model({0, false, true}), "ab") == "ab:3");
    CHECK(cut(model({0, false, true}), "xyab") == "xy:0|ab:3");
    CHECK(cut(model({0, false, false}), "xya") == "x:0|y:0|a:1");
    StopCheck stop{{}};
    const auto refused = model({})->tokenize("a中", stop);
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().what == "there is no token for 中");
}

TEST_CASE("among splits with equal scores, the first one found is kept") {
    // "a" + "b" scores the same as "ab", which is found first.
    const auto model =
        unigramModel(listOf({"<unk>", "a", "b", "ab"}), {0, -1, -1, -2}, {0, false, true});
    CHECK(cut(model, "ab") == "ab:3");
}

TEST_CASE("whole pieces") {
    CHECK(cut(wordLevelModel(listOf({"?", "a b"}), 0), "a b") == "a b:1");
    CHECK(cut(wordLevelModel(listOf({"?", "a b"}), 0), "b") == "b:0");
    StopCheck stop{{}};
    CHECK_FALSE(wordLevelModel(listOf({"a"}), std::nullopt)->tokenize("b", stop).ok());
}

TEST_CASE("lists of tokens") {
    CHECK_FALSE(TokenList::from({{"a", -1}}).ok());
    CHECK_FALSE(TokenList::from({{"a", kMaxTokens}}).ok());
    CHECK_FALSE(TokenList::from({{"a", 3}, {"b", 3}}).ok());
    const auto list = valueOf(TokenList::from({{"b", 4}, {"a", 1}, {"a", 2}}));
    CHECK(list.size() == 5);
    CHECK(list.idOf("a") == 2);
    CHECK(list.textOf(1) == "a");
    CHECK(list.textOf(0).empty());
    CHECK(list.textOf(-1).empty());
    CHECK_FALSE(list.idOf(""));
}
