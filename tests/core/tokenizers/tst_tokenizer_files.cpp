// Folders with a tokenizer: which file is used, and errors.
#include "core/formats/tokenizer/tokenizer_folder.h"
#include "core_test.h"

#include "core/formats/tokenizer/sentence_piece.h"
#include "core/formats/tokenizer/tokenizer_json.h"
#include "pieces.h"

namespace {

/// Returns an empty folder with these files.
std::string folderWith(const std::vector<std::pair<std::string, std::string>> &files) {
    const std::filesystem::path folder =
        std::filesystem::path(HEADLIGHT_TEST_SCRATCH) / "tokenizer_files";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    for (const auto &[name, bytes] : files)
        std::ofstream(folder / name, std::ios::binary) << bytes;
    return folder.string();
}

TokenizerPointer readSource(const TokenizerSource &source) {
    return valueOf(readTokenizer(source));
}

std::vector<Index> ids(const TokenizerSource &source, std::string_view text,
                       SpecialTokens special = SpecialTokens::LeftOut) {
    const auto tokens = valueOf(readSource(source)->encode(text, special));
    return idsOf(tokens);
}

std::string refusal(const std::string &folder, std::optional<std::string> expression = {}) {
    const auto tokenizer = readTokenizer({folder, std::move(expression)});
    REQUIRE_FALSE(tokenizer.ok());
    std::string text = tokenizer.error().text();
    const std::string beginning = folder;
    REQUIRE(text.starts_with(beginning));
    return text.substr(beginning.size());
}

const std::string kBert = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nab\n##c\nÉ\n";

} // namespace

TEST_CASE("vocab.json with merges.txt") {
    const std::string vocabulary = R"({"a": 0, "b": 1, "ab": 2, "Ġ": 3, "<s>": 4, "</s>": 5,
                                       "<|endoftext|>": 6, "<mask>": 7, "Ġa": 8})";
    const std::string folder =
        folderWith({{"vocab.json", vocabulary}, {"merges.txt", "#version: 0.2\na b\r\nĠ a\n\n"}});
    CHECK(ids({folder, {}}, "ab a<|endoftext|> <mask>") == Ids{2, 8, 6, 7});
    CHECK(ids({folder, {}}, "ab", SpecialTokens::Added) == Ids{4, 2, 5});
    CHECK(ids({folderWith({{"vocab.json", vocabulary},
                           {"merges.txt", "Ġ a"},
                           {"tokenizer_config.json", R"({"add_prefix_space": true})"}}),
               {}},
              "a") == Ids{8});
    CHECK(refusal(folderWith({{"vocab.json", vocabulary}, {"merges.txt", "a b\nab"}})) ==
          "/vocab.json: line 2: expected two tokens with a space between them");
    CHECK(refusal(folderWith({{"vocab.json", vocabulary}, {"merges.txt", "b a"}}))
              .find("needs the token \"ba\"") != std::string::npos);
    CHECK(refusal(folderWith({{"vocab.json", "{"}, {"merges.txt", ""}}))
              .starts_with("/vocab.json: "));
}

TEST_CASE("Qwen 2's expression, and tokens that tokenizer_config.json adds") {
    const std::string vocabulary = R"({"a": 0, "b": 1, "1": 2, "Ġ": 3, "Ċ": 4, "11": 5, "Ġa": 6,
                                       "ĊĊ": 7})";
    const std::string merges = "1 1\nĠ a\nĊ Ċ";
    const std::string added = R"({"added_tokens_decoder": {
        "20": {"content": "<|im_start|>", "special": true}, "x": {"content": "no"},
        "21": {"content": "<b>", "special": false, "lstrip": true}, "99999999": {"content": "no"}}})";
    const std::string qwen = folderWith({{"vocab.json", vocabulary},
                                         {"merges.txt", merges},
                                         {"config.json", R"({"model_type": "qwen2"})"},
                                         {"tokenizer_config.json", added}});
    CHECK(ids({qwen, {}}, "11 a") == Ids{2, 2, 6}); // digits are split
    CHECK(ids({qwen, {}}, "a\n\n") == Ids{0, 7});
    CHECK(ids({qwen, {}}, "<|im_start|>a <b>b") == Ids{20, 0, 21, 1});
    CHECK(readSource({qwen, {}})->size() == 22);
    CHECK(*readSource({qwen, {}})->decode(Ids{20, 0, 21, 1}, SpecialTokens::LeftOut) == "a<b>b");
    const std::string plain =
        folderWith({{"vocab.json", vocabulary}, {"merges.txt", merges}, {"config.json", "{}"}});
    CHECK(ids({plain, {}}, "11 a") == Ids{5, 6});
}

TEST_CASE("CLIP's words end with a mark, in both of its formats") {
    // The ids are those of tests/reference/make_clip_tokenizer.py.
    const std::string folder = HEADLIGHT_TEST_DATA "/tokenizers/";
    std::ifstream reference(folder + "clip.json");
    REQUIRE(reference);
    const auto expected = nlohmann::json::parse(reference);
    const TokenizerPointer whole = readSource({folder + "clip", {}});
    const TokenizerPointer merges = readSource({folder + "clip-merges", {}});
    const auto &texts = expected.at("texts");
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const std::string text = texts[i];
        CAPTURE(text);
        for (const TokenizerPointer &tokenizer : {whole, merges}) {
            const auto idsWith = [&](SpecialTokens special) {
                return idsOf(valueOf(tokenizer->encode(text, special)));
            };
            CHECK(idsWith(SpecialTokens::LeftOut) == expected["ids"][i].get<Ids>());
            CHECK(idsWith(SpecialTokens::Added) == expected["special"][i].get<Ids>());
        }
        CHECK(valueOf(merges->decode(expected["special"][i].get<Ids>(), SpecialTokens::LeftOut)) ==
              expected["decoded"][i].get<std::string>());
    }
    CHECK(texts.size() > 15);
    // The model's type is enough.
    const std::string vocabulary =
        R"({"a": 0, "a</w>": 1, "aa</w>": 2, "<|startoftext|>": 3, "<|endoftext|>": 4})";
    const std::string own = folderWith({{"vocab.json", vocabulary},
                                        {"merges.txt", "#version: 0.2\na a</w>\n"},
                                        {"config.json", R"({"model_type": "clip_text_model"})"}});
    CHECK(ids({own, {}}, "A  AA", SpecialTokens::Added) == Ids{3, 1, 2, 4});
}

TEST_CASE("vocab.txt is BERT's") {
    CHECK(ids({folderWith({{"vocab.txt", kBert}}), {}}, "ABC é [MASK]", SpecialTokens::Added) ==
          Ids{2, 5, 6, 1, 4, 3});
    const std::string cased = folderWith(
        {{"vocab.txt", kBert}, {"tokenizer_config.json", R"({"do_lower_case": false})"}});
    CHECK(ids({cased, {}}, "ab É") == Ids{5, 7});
    CHECK(refusal(folderWith({{"vocab.txt", "a\nb\n"}})) ==
          "/vocab.txt: it has no token [UNK]; use the vocabulary of a BERT model");
    CHECK(refusal(folderWith({{"vocab.txt", ""}})) ==
          "/vocab.txt: it has no tokens; get the file again");
    CHECK(refusal(folderWith({{"vocab.txt", "a\n\xFF\n"}})).find("UTF-8") != std::string::npos);
}

TEST_CASE("an expression defines the tokens") {
    const std::string folder =
        folderWith({{"vocab.txt", "[UNK]\n[CLS]\n[SEP]\nCl\nC\n(\n"}, {"tokenizer.json", "{"}});
    CHECK(ids({folder, "Cl?|\\("}, "CCl (x", SpecialTokens::Added) == Ids{1, 4, 3, 5, 2});
    CHECK(refusal(folder, "(").starts_with("/vocab.txt: the expression is invalid"));
}

TEST_CASE("lists of words and of characters") {
    const std::string words =
        folderWith({{"vocabulary.json", R"(["<unk>", "The", "cat", "&x;"])"}});
    CHECK(ids({words, {}}, "The  cat\n&x; dog") == Ids{1, 2, 3, 0});
    const std::string characters = folderWith(
        {{"source_vocab.json", R"({"<s>": 0, "</s>": 1, "<unk>": 2, "a": 3, "é": 4, "'": 5})"},
         {"config.json", R"({"bos_token_id": 0, "eos_token_id": 1, "is_encoder_decoder": true})"}});
    CHECK(ids({characters, {}}, "aé'b", SpecialTokens::Added) == Ids{0, 3, 4, 5, 2, 1});
    CHECK(ids({characters, {}}, "aé") == Ids{3, 4});
    CHECK(refusal(folderWith({{"vocabulary.json", R"(["a", 1])"}})) ==
          "/vocabulary.json: [1]: expected text in quotes");
    CHECK(refusal(folderWith({{"vocabulary.json", "[]"}}))
              .starts_with("/vocabulary.json: expected a list of tokens"));
}

TEST_CASE("a folder without a tokenizer, and an invalid path") {
    CHECK(refusal(folderWith({{"config.json", "{}"}}))
              .starts_with(": it has no tokenizer that Headlight supports"));
    const auto nowhere = readTokenizer({std::string(HEADLIGHT_TEST_SCRATCH) + "/nowhere.json", {}});
    REQUIRE_FALSE(nowhere.ok());
    CHECK(nowhere.error().text().find("No such file") != std::string::npos);
}

TEST_CASE("a file that is larger than any published one is not read") {
    const std::string folder = folderWith({{"tokenizer.json", "{}"}});
    std::filesystem::resize_file(folder + "/tokenizer.json", kMaxTokenizerBytes + 1);
    CHECK(refusal(folder) == "/tokenizer.json: it is larger than 64 MB");
}

TEST_CASE("files that are not SentencePiece models") {
    for (const std::string &bytes :
         {std::string(), std::string("model"), std::string(1000, '\0'), std::string(1000, '\xFF'),
          std::string("\x0A\xFF\xFF\xFF\x7F")})
        CHECK_FALSE(readSentencePiece(bytes, {}).ok());
    CHECK(refusal(folderWith({{"spiece.model", "no"}})) ==
          "/spiece.model: it is not a SentencePiece model, or it is damaged; get it again");
}
