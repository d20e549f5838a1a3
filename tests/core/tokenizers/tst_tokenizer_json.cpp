// Reading tokenizer.json, and its errors.
#include "core/formats/tokenizer/tokenizer_json.h"
#include "core_test.h"

#include "pieces.h"

using Json = nlohmann::ordered_json;

namespace {

/// Returns a tokenizer that has bytes, an added token and a template.
Json small() {
    return Json::parse(R"({
        "version": "1.0", "truncation": null, "padding": null,
        "added_tokens": [{"id": 7, "content": "<end>", "special": true, "single_word": false,
                          "lstrip": false, "rstrip": false, "normalized": false}],
        "normalizer": {"type": "Lowercase"},
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false, "use_regex": true},
        "post_processor": {"type": "TemplateProcessing",
            "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}},
                       {"Sequence": {"id": "A", "type_id": 0}},
                       {"SpecialToken": {"id": "<end>", "type_id": 0}}],
            "special_tokens": {"<s>": {"id": "<s>", "ids": [6], "tokens": ["<s>"]},
                               "<end>": {"id": "<end>", "ids": [7], "tokens": ["<end>"]}}},
        "decoder": {"type": "Sequence", "decoders": [{"type": "ByteLevel"},
            {"type": "Strip", "content": " ", "start": 1, "stop": 0}]},
        "model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "Ġ": 2, "ab": 3, "Ġa": 4, "c": 5,
                                           "<s>": 6},
                  "merges": ["a b", "Ġ a"]}})");
}

TokenizerPointer read(const Json &json) {
    return valueOf(readTokenizerJson(json.dump()));
}

std::vector<Token> tokensOf(const TokenizerPointer &tokenizer, std::string_view text,
                            SpecialTokens special = SpecialTokens::LeftOut) {
    return valueOf(tokenizer->encode(text, special));
}

std::string refusal(const Json &json) {
    const auto tokenizer = readTokenizerJson(json.dump());
    REQUIRE_FALSE(tokenizer.ok());
    return tokenizer.error().text();
}

/// Returns the tokenizer with one value changed.
Json changed(const char *place, const Json &value) {
    Json json = small();
    json[Json::json_pointer(place)] = value;
    return json;
}

} // namespace

TEST_CASE("ids, texts and positions") {
    const TokenizerPointer tokenizer = read(small());
    const std::string text = "AB a<end>c";
    const std::vector<Token> tokens = tokensOf(tokenizer, text);
    CHECK(idsOf(tokens) == Ids{3, 4, 7, 5});
    CHECK(headlight::core::textsOf(tokens) == Texts{"ab", "Ġa", "<end>", "c"});
    CHECK(placesOf(tokens, text) == Texts{"AB", " a", "<end>", "c"});
    CHECK(idsOf(tokensOf(tokenizer, text, SpecialTokens::Added)) == Ids{6, 3, 4, 7, 5, 7});
    CHECK(tokensOf(tokenizer, "").empty());
    CHECK(idsOf(tokensOf(tokenizer, "", SpecialTokens::Added)) == Ids{6, 7});
    CHECK(tokenizer->size() == 8);
    CHECK(tokenizer->textOf(7) == "<end>");
    CHECK(tokenizer->textOf(2) == "Ġ");
    CHECK(tokenizer->textOf(8).empty());
    CHECK(tokenizer->textOf(-1).empty());
}

TEST_CASE("merges as pairs, and a model without its type") {
    CHECK(idsOf(tokensOf(read(changed("/model/merges", Json::array({Json::array({"a", "b"}),
                                                                    Json::array({"Ġ", "a"})}))),
                         "ab")) == Ids{3});
    Json old = small();
    old["model"].erase("type");
    CHECK(idsOf(tokensOf(read(old), "ab")) == Ids{3});
    const Json pieces = {{"vocab", {{"[UNK]", 0}, {"a", 1}, {"##b", 2}}},
                         {"max_input_chars_per_word", 10}};
    Json wordPiece = changed("/model", pieces);
    wordPiece["pre_tokenizer"] = {{"type", "BertPreTokenizer"}};
    CHECK(idsOf(tokensOf(read(wordPiece), "ab x")) == Ids{1, 2, 0});
    Json unigram = changed(
        "/model", {{"vocab", Json::array({Json::array({"<unk>", 0.0}), Json::array({"a", -1.0})})},
                   {"unk_id", 0}});
    unigram["pre_tokenizer"] = nullptr;
    CHECK(idsOf(tokensOf(read(unigram), "axa")) == Ids{1, 0, 1});
    Json words = changed("/model", {{"vocab", {{"ab", 3}, {"?", 4}}}, {"unk_token", "?"}});
    words["pre_tokenizer"] = {{"type", "WhitespaceSplit"}};
    CHECK(idsOf(tokensOf(read(words), "ab cd")) == Ids{3, 4});
}

TEST_CASE("positions without the white space that belongs to a token") {
    Json json = small();
    json["post_processor"] = {{"type", "ByteLevel"}, {"trim_offsets", true}};
    const std::string text = "ab a";
    CHECK(placesOf(tokensOf(read(json), text), text) == Texts{"ab", "a"});
    json["post_processor"] = {{"type", "RobertaProcessing"},
                              {"sep", {"<end>", 7}},
                              {"cls", {"<s>", 6}},
                              {"trim_offsets", false}};
    const std::vector<Token> tokens = tokensOf(read(json), text, SpecialTokens::Added);
    CHECK(idsOf(tokens) == Ids{6, 3, 4, 7});
    CHECK(placesOf(tokens, text) == Texts{"-", "ab", " a", "-"});
}

TEST_CASE("errors name their field") {
    CHECK(refusal(changed("/model/merges/0", "ab")) ==
          "model.merges[0]: expected two tokens with a space between them, found \"ab\"");
    CHECK(refusal(changed("/model/merges/1", "b a")) ==
          "model.merges[1]: the merge of \"b\" and \"a\" needs the token \"ba\", which is missing; "
          "the vocabulary and the merges belong to different tokenizers");
    CHECK(
        refusal(changed("/model/vocab/a", -1)).starts_with("model.vocab[\"a\"]: expected a whole"));
    CHECK(refusal(changed("/model/vocab/a", 1)).find("have the same id, 1") != std::string::npos);
    CHECK(refusal(changed("/model/vocab/a", 1e300)).starts_with("model.vocab[\"a\"]: expected"));
    CHECK(refusal(changed("/model/type", "Magic")).starts_with("model.type: expected \"BPE\""));
    CHECK(refusal(changed("/model/unk_token", "x")) ==
          "model.unk_token: \"x\" is not in the vocabulary");
    CHECK(refusal(changed("/normalizer/type", "Magic")).starts_with("normalizer.type: expected"));
    CHECK(refusal(changed("/pre_tokenizer/type", 3)).starts_with("pre_tokenizer.type: expected"));
    CHECK(
        refusal(changed("/post_processor/type", "")).starts_with("post_processor.type: expected"));
    CHECK(refusal(changed("/added_tokens/0/id", 1.5)).starts_with("added_tokens[0].id: expected"));
    CHECK(
        refusal(changed("/normalizer", {{"type", "Precompiled"}, {"precompiled_charsmap", "%"}})) ==
        "normalizer.precompiled_charsmap: expected base64, found \"%\"");
    const Json split = {{"type", "Split"}, {"pattern", {{"Regex", "("}}}, {"behavior", "Removed"}};
    CHECK(refusal(changed("/pre_tokenizer", split))
              .starts_with("pre_tokenizer.pattern.Regex: the expression is invalid"));
    CHECK_FALSE(readTokenizerJson("").ok());
    CHECK_FALSE(readTokenizerJson("[]").ok());
    CHECK_FALSE(readTokenizerJson("{}").ok());
}

TEST_CASE("a cycle of merges is refused") {
    Json json = changed("/model/vocab/", 9); // a token with empty text
    json["model"]["merges"] = Json::array({Json::array({"a", ""})});
    CHECK(refusal(json) == "model.merges[0]: the merge of \"a\" and \"\" yields \"a\" again, which "
                           "never ends; get the file again");
    json["model"]["merges"] = Json::array({Json::array({"", "a"})});
    CHECK(refusal(json).starts_with("model.merges[0]: the merge of \"\" and \"a\" yields \"a\""));
    // "##" is empty without its continuation prefix.
    json = changed("/model/vocab/##", 9);
    json["model"]["continuing_subword_prefix"] = "##";
    json["model"]["merges"] = Json::array({"a ##"});
    CHECK(refusal(json).starts_with("model.merges[0]: the merge of \"a\" and \"##\" yields \"a\""));
}

TEST_CASE("templates around one text and two") {
    const auto pairOf = [](const TokenizerPointer &tokenizer, SpecialTokens special) {
        return valueOf(tokenizer->encodePair("ab", "c", special));
    };
    // Without a template, the texts are concatenated.
    Json json = changed("/post_processor", nullptr);
    TokenPair pair = pairOf(read(json), SpecialTokens::Added);
    CHECK(idsOf(pair.tokens) == Ids{3, 5});
    CHECK(pair.types == Ids{0, 1});
    CHECK(read(json)->betweenPair().empty());

    const Json::json_pointer place("/post_processor");
    json[place] = {{"type", "BertProcessing"}, {"sep", {"<end>", 7}}, {"cls", {"<s>", 6}}};
    pair = pairOf(read(json), SpecialTokens::Added);
    CHECK(idsOf(pair.tokens) == Ids{6, 3, 7, 5, 7});
    CHECK(pair.types == Ids{0, 0, 0, 1, 1});
    CHECK(pair.texts == std::vector<int>{-1, 0, -1, 1, -1});
    CHECK(read(json)->betweenPair() == Ids{7});
    pair = pairOf(read(json), SpecialTokens::LeftOut);
    CHECK(idsOf(pair.tokens) == Ids{3, 5});
    CHECK(pair.types == Ids{0, 1});

    json[place]["type"] = "RobertaProcessing";
    pair = pairOf(read(json), SpecialTokens::Added);
    CHECK(idsOf(pair.tokens) == Ids{6, 3, 7, 7, 5, 7});
    CHECK(pair.types == Ids{0, 0, 0, 0, 0, 0});
    CHECK(read(json)->betweenPair() == Ids{7, 7});

    // A special token of several ids, in a sequence after a processor that only changes spans.
    json[place] = Json::parse(R"({"type": "Sequence", "processors": [{"type": "ByteLevel"},
        {"type": "TemplateProcessing",
         "single": [{"Sequence": {"id": "A", "type_id": 0}}],
         "pair": [{"Sequence": {"id": "B", "type_id": 2}}, {"SpecialToken": {"id": "x", "type_id": 3}},
                  {"Sequence": {"id": "A", "type_id": 1}}],
         "special_tokens": {"x": {"id": "x", "ids": [6, 7], "tokens": ["<s>", "<end>"]}}}]})");
    pair = pairOf(read(json), SpecialTokens::Added);
    CHECK(idsOf(pair.tokens) == Ids{5, 6, 7, 3});
    CHECK(pair.types == Ids{2, 3, 3, 1});
    CHECK(read(json)->betweenPair().empty()); // the second text comes first

    const auto wrong = [&](const char *at, const Json &value) {
        json["post_processor"]["processors"][1][Json::json_pointer(at)] = value;
        return refusal(json);
    };
    CHECK(wrong("/pair/0/Sequence/id", "A")
              .starts_with("post_processor.processors[1].pair: expected the sequences A and B"));
    CHECK(wrong("/single", Json::array())
              .starts_with("post_processor.processors[1].single: expected the sequence A, once"));
}

TEST_CASE("the steps that change a text are limited before any is applied") {
    // Two hundred Prepends of 1 MB would turn one letter into 200 MB, copied in each step. So the
    // total length is limited.
    Json prepends = Json::array();
    for (int i = 0; i < 4; ++i)
        prepends.push_back({{"type", "Prepend"}, {"prepend", std::string(40'000, 'x')}});
    const Json sequence = {{"type", "Sequence"}, {"normalizers", prepends}};
    CHECK(refusal(changed("/normalizer", sequence)) ==
          "normalizer: its texts are longer than 131072 bytes; use a tokenizer that you trust");
    prepends.erase(0);
    CHECK(readTokenizerJson(
              changed("/normalizer", {{"type", "Sequence"}, {"normalizers", prepends}}).dump())
              .ok());
    // Many steps that do not make the text longer.
    for (const auto &[part, list, step] :
         {std::tuple("normalizer", "normalizers", "Lowercase"),
          std::tuple("pre_tokenizer", "pretokenizers", "Whitespace"),
          std::tuple("decoder", "decoders", "Fuse"),
          std::tuple("post_processor", "processors", "ByteLevel")}) {
        Json steps = Json::array();
        for (int i = 0; i < 3000; ++i)
            steps.push_back({{"type", step}});
        CHECK(refusal(changed(("/" + std::string(part)).c_str(),
                              {{"type", "Sequence"}, {list, steps}})) ==
              std::string(part) + ": it has more than 4096 values; use a tokenizer that you trust");
    }
    // SentencePiece's table is not a text, so only its content is an error here, not its length.
    CHECK(refusal(changed("/normalizer", {{"type", "Precompiled"},
                                          {"precompiled_charsmap", std::string(200'000, 'A')}}))
              .find("131072") == std::string::npos);
}

TEST_CASE("a template is limited, however often it repeats a token of many ids") {
    Json json = small();
    Json ids = Json::array(), parts = Json::array();
    for (int i = 0; i < 100; ++i) {
        ids.push_back(6);
        parts.push_back({{"SpecialToken", {{"id", "<s>"}, {"type_id", 0}}}});
    }
    parts.push_back({{"Sequence", {{"id", "A"}, {"type_id", 0}}}});
    json["post_processor"]["special_tokens"]["<s>"]["ids"] = ids;
    json["post_processor"]["single"] = parts;
    CHECK(refusal(json).starts_with("post_processor.single: expected at most 4096 tokens"));
}

TEST_CASE("any damaged field gives a message or a tokenizer") {
    const Json whole = small().flatten();
    const Json values[] = {nullptr,
                           true,
                           -1,
                           9007199254740993.0,
                           "",
                           "x",
                           Json::array(),
                           Json::object(),
                           Json::array({1, 2}),
                           std::string(5000, 'a')};
    for (const auto &[place, old] : whole.items())
        for (std::size_t cut = place.size(); cut != std::string::npos && cut > 0;
             cut = place.rfind('/', cut - 1)) {
            const std::string at = place.substr(0, cut);
            for (const Json &value : values) {
                const auto tokenizer = readTokenizerJson(changed(at.c_str(), value).dump());
                if (!tokenizer)
                    CHECK_FALSE(tokenizer.error().what.empty());
                else if (const auto tokens =
                             (*tokenizer)->encode("Ab c<end>é", SpecialTokens::Added))
                    for (const Token &token : *tokens)
                        CHECK(token.id.value_or(-1) >= 0);
                else
                    CHECK_FALSE(tokens.error().what.empty());
                if (!tokenizer)
                    continue;
                const auto text = (*tokenizer)->decode(Ids{0, 1, 3, 7}, SpecialTokens::Added);
                CHECK((text.ok() || !text.error().what.empty()));
            }
        }
    const std::string text = small().dump();
    for (std::size_t length = 0; length < text.size(); ++length)
        CHECK_FALSE(readTokenizerJson(text.substr(0, length)).ok());
}

TEST_CASE("reading and encoding can be stopped, and a bad text is refused") {
    std::stop_source source;
    source.request_stop();
    const auto stopped = readTokenizerJson(small().dump(), source.get_token());
    REQUIRE_FALSE(stopped.ok());
    CHECK(isCancelled(stopped.error()));
    const TokenizerPointer tokenizer = read(small());
    const auto none = tokenizer->encode("ab", SpecialTokens::LeftOut, source.get_token());
    REQUIRE_FALSE(none.ok());
    CHECK(isCancelled(none.error()));
    const auto bad = tokenizer->encode("ab\xFF", SpecialTokens::LeftOut);
    REQUIRE_FALSE(bad.ok());
    CHECK(bad.error().what == "it is not valid UTF-8 at byte 2");
}

TEST_CASE("more merges than any tokenizer has are refused before the vocabulary is read") {
    std::string merges = R"("a b")";
    for (int i = 0; i < 800'000; ++i)
        merges += R"(,"a b")";
    const auto many =
        readTokenizerJson(R"({"model": {"type": "BPE", "vocab": 3, "merges": [)" + merges + "]}}");
    REQUIRE_FALSE(many.ok());
    CHECK(many.error().text().starts_with(
        "model.merges: it has 800001 merges; at most 800000 are read"));
}

TEST_CASE("prefixes and suffixes of parts of words are short") {
    for (const char *name : {"continuing_subword_prefix", "end_of_word_suffix"})
        CHECK(refusal(changed((std::string("/model/") + name).c_str(), std::string(300, '#')))
                  .starts_with(std::string("model.") + name + ": it is longer than 256 bytes"));
}
