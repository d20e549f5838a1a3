// Decoding tokens to text, one decoder at a time.
#include "core/formats/tokenizer/tokenizer_json.h"
#include "core/tokenizers/decoders/decoder.h"
#include "core/tokenizers/text/unicode.h"
#include "core_test.h"
#include "pieces.h"

using Json = nlohmann::ordered_json;

namespace {

Texts decoded(const DecoderPointer &decoder, Texts tokens) {
    StopCheck stop{{}};
    return valueOf(decoder->decoded(std::move(tokens), stop));
}

/// Returns a tokenizer with this vocabulary and this decoder.
Json withDecoder(const Json &decoder, const Texts &texts) {
    Json vocabulary;
    for (std::size_t i = 0; i < texts.size(); ++i)
        vocabulary[texts[i]] = i;
    return {{"model", {{"type", "WordLevel"}, {"vocab", vocabulary}, {"unk_token", texts[0]}}},
            {"decoder", decoder}};
}

/// Returns the concatenated text of all tokens.
std::string textOf(const Json &decoder, const Texts &texts) {
    const auto tokenizer = valueOf(readTokenizerJson(withDecoder(decoder, texts).dump()));
    Ids ids;
    for (std::size_t i = 0; i < texts.size(); ++i)
        ids.push_back(static_cast<Index>(i));
    return valueOf(tokenizer->decode(ids, SpecialTokens::Added));
}

std::string refusalOf(const Json &decoder) {
    const auto tokenizer = readTokenizerJson(withDecoder(decoder, {"a"}).dump());
    REQUIRE_FALSE(tokenizer.ok());
    return tokenizer.error().text();
}

} // namespace

TEST_CASE("bytes as visible characters") {
    const DecoderPointer decoder = byteLevelDecoder();
    CHECK(decoded(decoder, {"Hello", "Ġmy", "Ċ", "Ã", "©"}) == Texts{"Hello my\né"});
    CHECK(decoded(decoder, {"Ã", "a"}) == Texts{"\uFFFDa"});
    CHECK(decoded(decoder, {"âĤ", "x"}) ==
          Texts{"\uFFFDx"}); // both bytes form one invalid sequence
    CHECK(decoded(decoder, {"a", "漢 Ġ"}) == Texts{"a漢 Ġ"}); // 漢 is not in the byte alphabet
    CHECK(decoded(decoder, {}) == Texts{""});
}

TEST_CASE("bytes by their numbers") {
    const DecoderPointer decoder = byteFallbackDecoder();
    CHECK(decoded(decoder, {"Hey", "friend!"}) == Texts{"Hey", "friend!"});
    CHECK(decoded(decoder, {"<0x61>"}) == Texts{"a"});
    CHECK(decoded(decoder, {"<0xE5>"}) == Texts{"\uFFFD"});
    CHECK(decoded(decoder, {"<0xE5>", "<0x8f>"}) == Texts{"\uFFFD", "\uFFFD"});
    CHECK(decoded(decoder, {"<0xE5>", "<0x8f>", "<0xab>", "a"}) == Texts{"叫", "a"});
    CHECK(decoded(decoder, {"<0xE5>", "<0x8f>", "a"}) == Texts{"\uFFFD", "\uFFFD", "a"});
    CHECK(decoded(decoder, {"<0x6G>", "<0x612>", "<1x61>"}) ==
          Texts{"<0x6G>", "<0x612>", "<1x61>"});
}

TEST_CASE("invalid UTF-8 becomes readable") {
    CHECK(asUtf8("aé漢") == "aé漢");
    CHECK(asUtf8("a\xFF\xC3\xE2\x82z") == "a\uFFFD\uFFFD\uFFFDz"); // one for the last two bytes
    CHECK(asUtf8("\xF0\x9F\x99") == "\uFFFD");
    CHECK(asUtf8("").empty());
    CHECK(asUtf8(std::string(1'000'000, '\xFF')).size() == 3'000'000);
}

TEST_CASE("pieces of words") {
    CHECK(decoded(wordPieceDecoder("##", false), {"##uelo", "Ara", "##új", "##o", "No"}) ==
          Texts{"##uelo", " Ara", "új", "o", " No"});
    CHECK(decoded(wordPieceDecoder("##", true), {"it", "'s", "fine", ",", "do", "n't", "."}) ==
          Texts{"it", "'s", " fine", ",", " do", "n't", "."});
    CHECK(decoded(metaspaceDecoder(U'▁', true), {"▁Hey", "▁fri▁end"}) == Texts{"Hey", " fri end"});
    CHECK(decoded(metaspaceDecoder(U'▁', false), {"▁Hey", "x"}) == Texts{" Hey", "x"});
    CHECK(decoded(bpeDecoder("</w>"), {"a", "b</w>", "c</w>"}) == Texts{"a", "b ", "c"});
    CHECK(decoded(spacedDecoder(), {"a", "b"}) == Texts{"a", " b"});
}

TEST_CASE("changes of every token") {
    CHECK(decoded(stripDecoder('H', 1, 0), {"Hey", " friend!", "HHH"}) ==
          Texts{"ey", " friend!", "HH"});
    CHECK(decoded(stripDecoder('y', 0, 1), {"Hey", "yy", "y"}) == Texts{"He", "y", ""});
    CHECK(decoded(stripDecoder(U'漢', 2, 2), {"漢漢漢a漢漢漢", "漢漢"}) == Texts{"漢a漢", ""});
    CHECK(decoded(fuseDecoder(), {"a", "b", ""}) == Texts{"ab"});
    CHECK(decoded(replaceDecoder(Pattern::literal("▁"), " "), {"▁a▁", "b"}) == Texts{" a ", "b"});
    CHECK(decoded(sequenceOf({fuseDecoder(), stripDecoder(' ', 1, 0)}), {" ", " a"}) ==
          Texts{" a"});
    const Texts heard{"<pad>", "h", "h", "e", "<pad>", "l", "<pad>", "l", "o", "|", "|", "w"};
    std::string all;
    for (const std::string &part : decoded(ctcDecoder({}), heard))
        all += part;
    CHECK(all == "hello w");
}

TEST_CASE("decoders of a file") {
    CHECK(textOf(nullptr, {"a", "b"}) == "a b");
    CHECK(textOf({{"type", "ByteLevel"}}, {"aĠ", "Ã", "¼"}) == "a ü");
    CHECK(textOf({{"type", "WordPiece"}, {"prefix", "##"}, {"cleanup", true}}, {"a", "##b", "."}) ==
          "ab.");
    CHECK(textOf({{"type", "Metaspace"}, {"replacement", "▁"}, {"add_prefix_space", true}},
                 {"▁a", "▁b"}) == "a b");
    CHECK(textOf({{"type", "Metaspace"}, {"replacement", "▁"}, {"prepend_scheme", "never"}},
                 {"▁a", "▁b"}) == " a b");
    CHECK(textOf({{"type", "BPEDecoder"}, {"suffix", "</w>"}}, {"a", "b</w>", "c</w>"}) == "ab c");
    CHECK(textOf({{"type", "BPEDecoder"}, {"suffix", ""}}, {"a", "b"}) == "ab");
    CHECK(textOf({{"type", "CTC"}, {"pad_token", "_"}, {"word_delimiter_token", "|"}},
                 {"a", "_", "|", "b"}) == "a b");
    const Json llama = Json::parse(R"({"type": "Sequence", "decoders": [
        {"type": "Replace", "pattern": {"String": "▁"}, "content": " "}, {"type": "ByteFallback"},
        {"type": "Fuse"}, {"type": "Strip", "content": " ", "start": 1, "stop": 0}]})");
    CHECK(textOf(llama, {"▁a", "<0xC3>", "<0xA9>", "▁b"}) == "aé b");
}

TEST_CASE("special tokens, and ids that no token has") {
    Json json = withDecoder({{"type", "WordPiece"}, {"prefix", "##"}}, {"a", "##b"});
    json["added_tokens"] = Json::parse(R"([{"id": 2, "content": "[SEP]", "special": true},
                                           {"id": 3, "content": "<b>", "special": false}])");
    const auto tokenizer = valueOf(readTokenizerJson(json.dump()));
    const auto decode = [&](const Ids &ids, SpecialTokens special) {
        return *tokenizer->decode(ids, special);
    };
    CHECK(decode({0, 1, 2, 3}, SpecialTokens::Added) == "ab [SEP] <b>");
    CHECK(decode({2, 0, 1, 3}, SpecialTokens::LeftOut) == "ab <b>");
    CHECK(decode({0, 9, -1, 1}, SpecialTokens::Added) == "ab");
    CHECK(decode({}, SpecialTokens::Added).empty());
}

TEST_CASE("errors of a decoder name its field") {
    CHECK(refusalOf({{"type", "Magic"}}).starts_with("decoder.type: expected \"BPEDecoder\""));
    CHECK(refusalOf({{"type", "Strip"}, {"content", "ab"}, {"start", 1}, {"stop", 0}})
              .starts_with("decoder.content: expected one character"));
    CHECK(refusalOf({{"type", "Strip"}, {"content", " "}, {"start", -1}, {"stop", 0}})
              .starts_with("decoder.start: expected"));
    CHECK(refusalOf({{"type", "Sequence"}, {"decoders", Json::array({{{"type", "X"}}})}})
              .starts_with("decoder.decoders[0].type: expected"));
    CHECK(refusalOf({{"type", "Replace"}, {"pattern", {{"Regex", "("}}}, {"content", ""}})
              .starts_with("decoder.pattern.Regex: the expression is invalid"));
}

TEST_CASE("the text that a small file can produce is limited") {
    const std::string much(40'000, 'a');
    Json again = Json::array();
    for (int i = 0; i < 3; ++i)
        again.push_back({{"type", "Replace"}, {"pattern", {{"String", "a"}}}, {"content", much}});
    Json json = withDecoder({{"type", "Sequence"}, {"decoders", again}}, {"a"});
    const auto decoding = valueOf(readTokenizerJson(json.dump()));
    const auto text = decoding->decode(Ids{0}, SpecialTokens::Added);
    REQUIRE_FALSE(text.ok());
    CHECK(text.error().what == "the tokenizer turns it into more than 32 MB");

    json["normalizer"] = {{"type", "Sequence"}, {"normalizers", again}};
    const auto encoding = valueOf(readTokenizerJson(json.dump()));
    const auto tokens = encoding->encode("a", SpecialTokens::Added);
    REQUIRE_FALSE(tokens.ok());
    CHECK(tokens.error().what == text.error().what);

    json["normalizer"] = nullptr;
    Json doubled = Json::array();
    for (int i = 0; i < 40; ++i)
        doubled.push_back({{"type", "ByteLevel"}, {"use_regex", false}});
    json["pre_tokenizer"] = {{"type", "Sequence"}, {"pretokenizers", doubled}};
    const auto cutting = valueOf(readTokenizerJson(json.dump()));
    const auto pieces = cutting->encode(" ", SpecialTokens::Added);
    REQUIRE_FALSE(pieces.ok());
    CHECK(pieces.error().what == text.error().what);
}
