// Texts read with a folder's own tokenizer: pairs with token types, decoder start tokens, decoding,
// and readable texts of tokens.
#include "core/tokenizers/token_words.h"
#include "core/transformer/plan/computable.h"
#include "core_test.h"
#include "pretrained/folders.h"
#include "scratch.h"

namespace fs = std::filesystem;
using Json = nlohmann::json;

namespace {

/// Opens a copy of the family's small random folder with another tokenizer.
PretrainedPointer withTokenizer(const std::string &family, const std::string &file,
                                const std::string &bytes, const std::string &generation = {}) {
    const fs::path folder = freshFolder(family);
    const fs::path from = fs::path(HEADLIGHT_TEST_DATA) / "folders" / family;
    for (const char *name : {"config.json", "model.safetensors"})
        fs::copy_file(from / name, folder / name);
    put(folder / file, bytes);
    if (!generation.empty()) {
        // Newer versions of Transformers store these two fields in generation_config.json.
        Json config = Json::parse(contentOf(folder / "config.json"));
        config.erase("decoder_start_token_id");
        config.erase("forced_bos_token_id");
        put(folder / "config.json", config.dump());
        put(folder / "generation_config.json", generation);
    }
    return opened(folder);
}

const std::string kBertWords = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nab\n##c\nd\ne\n.\n";

/// Returns a vocabulary of 23 tokens: <s>, <pad>, </s>, <unk> and letters.
std::string bartWords() {
    Json words{{"<s>", 0}, {"<pad>", 1}, {"</s>", 2}, {"<unk>", 3}};
    for (char letter = 'a'; letter < 'a' + 19; ++letter)
        words[std::string(1, letter)] = 4 + letter - 'a';
    return words.dump();
}

std::vector<std::string> textsIn(const TokenizedText &text) {
    return textsOf(text.tokens);
}

using Texts = std::vector<std::string>;
using Ids = std::vector<Index>;

} // namespace

TEST_CASE("two texts with the separator between them are a pair") {
    const PretrainedPointer bert = withTokenizer("bert", "vocab.txt", kBertWords);
    const Model &model = bert->model;
    const auto read = [&](const std::string &text) {
        return valueOf(tokenized(model, Stack::Main, text));
    };
    CHECK(model.reader->betweenPair(Stack::Main) == "[SEP]");
    const std::string text = "abc d[SEP]e .";
    const TokenizedText pair = read(text);
    CHECK(textsIn(pair) == Texts{"[CLS]", "ab", "##c", "d", "[SEP]", "e", ".", "[SEP]"});
    CHECK(pair.types == Ids{0, 0, 0, 0, 0, 1, 1, 1});
    CHECK(pair.text == text);
    REQUIRE(pair.tokens[5].span);
    CHECK(*pair.tokens[5].span == TextSpan{10, 11}); // spans refer to the text as typed
    CHECK(*pair.tokens[3].span == TextSpan{4, 5});
    const TokenizedText single = read("abc d");
    CHECK(single.types.empty());
    CHECK(textsIn(single) == Texts{"[CLS]", "ab", "##c", "d", "[SEP]"});
    CHECK(read("[SEP]d").types == Ids{0, 0, 1, 1});
    CHECK(read("d[SEP]d[SEP]e").types ==
          Ids{0, 0, 0, 1, 1, 1, 1}); // tokens after the first [SEP] have type 1

    // The forward pass uses the token types.
    const auto input = valueOf(inputOf(*bert, pair));
    CHECK((*input.batch)[0].tokenTypes == pair.types);
    CHECK(Computable::of(model, input).ok());
    TokenizedText untyped = pair;
    untyped.types.clear();
    const auto other = valueOf(inputOf(*bert, untyped));
    const Tensor typed = traceOf(*bert, input)->stage(Stage::AttentionWeights, {});
    const Tensor plain = traceOf(*bert, other)->stage(Stage::AttentionWeights, {});
    CHECK(typed.values().size() == plain.values().size());
    CHECK_FALSE(std::ranges::equal(typed.values(), plain.values()));
}

TEST_CASE("a model without token types reads its separator as typed") {
    const PretrainedPointer roberta = withTokenizer("roberta", "tokenizer.json",
                                                    Json::parse(R"({
        "added_tokens": [{"id": 0, "content": "<s>", "special": true},
                         {"id": 2, "content": "</s>", "special": true}],
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false},
        "post_processor": {"type": "RobertaProcessing", "sep": ["</s>", 2], "cls": ["<s>", 0]},
        "decoder": {"type": "ByteLevel"},
        "model": {"type": "BPE", "merges": [],
                  "vocab": {"<s>": 0, "<pad>": 1, "</s>": 2, "a": 3, "b": 4, "Ġ": 5}}})")
                                                        .dump());
    CHECK(roberta->model.reader->betweenPair(Stack::Main) == "</s></s>");
    const auto pair = valueOf(tokenized(roberta->model, Stack::Main, "a</s></s>b"));
    CHECK(textsIn(pair) == Texts{"<s>", "a", "</s>", "</s>", "b", "</s>"});
    CHECK(pair.types.empty());
    CHECK(roberta->model.reader->textOf(Stack::Main, Ids{0, 3, 5, 4, 2}) == "a b");
}

TEST_CASE("a decoder's text begins with the forced tokens") {
    const PretrainedPointer bart = withTokenizer("bart", "source_vocab.json", bartWords());
    CHECK(bart->decoderStart == Ids{2, 0});
    const auto written = valueOf(tokenized(bart->model, Stack::Decoder, "ab"));
    CHECK(textsIn(written) == Texts{"</s>", "<s>", "a", "b"});
    const auto read = valueOf(tokenized(bart->model, Stack::Encoder, "ab"));
    CHECK(textsIn(read) == Texts{"<s>", "a", "b", "</s>"});
    CHECK(bart->model.reader->textOf(Stack::Decoder, Ids{2, 0, 4, 3, 5, 2}) == "a<unk>b");
    CHECK(bart->model.reader->betweenPair(Stack::Decoder).empty());
    const auto first = valueOf(firstComputable(*bart));
    CHECK((*first.input().batch)[0].length == 2);

    // As in transformers, generation_config.json takes precedence.
    put(fs::path(bart->path) / "generation_config.json", R"({"decoder_start_token_id": 5})");
    CHECK(opened(bart->path)->decoderStart == Ids{5, 0});

    const auto startOf = [](const std::string &generation) {
        return withTokenizer("bart", "source_vocab.json", bartWords(), generation)->decoderStart;
    };
    CHECK(startOf(R"({"decoder_start_token_id": 5, "forced_bos_token_id": 6})") == Ids{5, 6});
    CHECK(startOf(R"({"forced_bos_token_id": null, "max_length": 3})") == Ids{2});
    CHECK(startOf("{") == Ids{2});
    const PretrainedPointer odd = withTokenizer("bart", "source_vocab.json", bartWords(), "[1]");
    REQUIRE(odd->warnings.size() == 1);
    CHECK(odd->warnings[0].where.ends_with("generation_config.json"));
}

namespace {

class Listed final : public Tokenizer {
  public:
    explicit Listed(std::vector<std::string> words) : m_words(std::move(words)) {}
    Result<std::vector<Token>> encode(std::string_view, SpecialTokens,
                                      std::stop_token) const override {
        return std::vector<Token>();
    }
    Result<TokenPair> encodePair(std::string_view, std::string_view, SpecialTokens,
                                 std::stop_token) const override {
        return TokenPair();
    }
    std::vector<Index> betweenPair() const override { return {}; }
    Result<std::string> decode(std::span<const Index>, SpecialTokens,
                               std::stop_token) const override {
        return std::string();
    }
    Index size() const override { return static_cast<Index>(m_words.size()); }
    std::string textOf(Index id) const override { return m_words[static_cast<std::size_t>(id)]; }

  private:
    std::vector<std::string> m_words;
};

} // namespace

TEST_CASE("rows after the tokenizer's last token have names and logits") {
    // Some published models pad their embeddings. Pythia, for example, pads 50277 rows to 50304.
    const PretrainedPointer padded = withTokenizer("llama", "tokenizer.json", R"({
        "added_tokens": [], "normalizer": null, "pre_tokenizer": null, "post_processor": null,
        "decoder": null,
        "model": {"type": "BPE", "merges": [], "vocab": {"<s>": 0, "a": 1, "b": 2, "c": 3}}})");
    CHECK(padded->warnings.empty());
    const Model &model = padded->model;
    REQUIRE(model.vocabulary->size() == 23);
    CHECK(model.vocabulary->word(3) == "c");
    CHECK(model.vocabulary->word(4) == "<4>");
    CHECK(model.vocabulary->word(22) == "<22>");
    CHECK_FALSE(model.vocabulary->hasWordsAlike());
    const TokenizedText text = valueOf(tokenized(model, Stack::Main, "cab"));
    CHECK(textsIn(text) == Texts{"c", "a", "b"});
    CHECK(model.reader->textOf(Stack::Main, Ids{3, 22, 1}) == "c a"); // as in transformers

    // The logits of all rows match the folder without a tokenizer.
    const auto logits = [](const PretrainedFolder &folder, const TokenizedText &tokens) {
        return traceOf(folder, valueOf(inputOf(folder, tokens)))->stage(Stage::Logits);
    };
    const PretrainedPointer bare = opened(fs::path(HEADLIGHT_TEST_DATA) / "folders" / "llama");
    const Tensor found = logits(*padded, text);
    const Tensor expected = logits(*bare, tokensOfIds(*bare, Stack::Main, {3, 1, 2}));
    CHECK(found.shape()[found.shape().rank() - 1] == 23);
    CHECK(std::ranges::equal(found.values(), expected.values()));
    // A padding row can be read by its id.
    CHECK(logits(*padded, tokensOfIds(*padded, Stack::Main, {1, 22})).values().size() == 2 * 23);
}

TEST_CASE("rows after the tokenizer's last token have logits in every family of decoders") {
    const std::string tokenizer = R"({
        "added_tokens": [], "normalizer": null, "pre_tokenizer": null, "post_processor": null,
        "decoder": null,
        "model": {"type": "BPE", "merges": [], "vocab": {"<s>": 0, "a": 1, "b": 2, "c": 3}}})";
    for (const char *family :
         {"gpt2",    "gpt-neo", "gpt-neox", "gptj",       "opt",   "bloom",   "falcon",
          "phi",     "phi3",    "llama",    "mistral",    "qwen2", "qwen3",   "qwen3-moe",
          "gemma",   "gemma2",  "gemma3",   "olmo2",      "olmoe", "granite", "smollm3",
          "mixtral", "gpt-oss", "llama4",   "deepseek-v3"}) {
        CAPTURE(family);
        const PretrainedPointer padded = withTokenizer(family, "tokenizer.json", tokenizer);
        const PretrainedPointer bare = opened(fs::path(HEADLIGHT_TEST_DATA) / "folders" / family);
        const Index rows = bare->model.vocabulary->size();
        REQUIRE(rows > 4);
        REQUIRE(padded->model.vocabulary->size() == rows);
        CHECK(padded->model.vocabulary->word(rows - 1) == "<" + std::to_string(rows - 1) + ">");
        const TokenizedText text = valueOf(tokenized(padded->model, Stack::Main, "cab"));
        Ids ids;
        for (const Token &token : text.tokens)
            ids.push_back(padded->model.vocabulary->idOf(token).value_or(-1));
        REQUIRE(ids == Ids{3, 1, 2});
        const auto logits = [](const PretrainedFolder &folder, const TokenizedText &tokens) {
            return traceOf(folder, valueOf(inputOf(folder, tokens)))->stage(Stage::Logits);
        };
        const Tensor found = logits(*padded, text);
        CHECK(found.shape().last(0) == rows);
        CHECK(std::ranges::equal(found.values(),
                                 logits(*bare, tokensOfIds(*bare, Stack::Main, ids)).values()));
    }
}

TEST_CASE("bytes are read as text") {
    const Listed tokens({"\u0120the", "caf\u00C3\u00A9", "\u00E4\u00BD\u0142", "\u00E4\u00BD",
                         "\u010A", "<|endoftext|>", "\u0100"});
    CHECK(wordsOf(&tokens, 8) == std::vector<std::string>{" the", "café", "你", "<0xE4><0xBD>",
                                                          "\n", "<|endoftext|>", "<0x00>", "<7>"});
}

TEST_CASE("SentencePiece's spaces are spaces") {
    const Listed tokens({"<s>", "\u2581Once", "\u2581", "<0x0A>", "", "\xFF"});
    CHECK(wordsOf(&tokens, 6) ==
          std::vector<std::string>{"<s>", " Once", " ", "<0x0A>", "<4>", "<0xFF>"});
}

TEST_CASE("words in any language stay as they are") {
    std::vector<std::string> words{"caf\u00E9", "\u0120uda",
                                   "##ing"}; // Ġ is also a letter of Maltese
    for (int i = 0; i < 200; ++i)
        words.push_back("w" + std::to_string(i));
    CHECK(wordsOf(std::make_unique<Listed>(words).get(), 203) == words);
}

TEST_CASE("without a tokenizer words are ids") {
    CHECK(wordsOf(nullptr, 3) == std::vector<std::string>{"0", "1", "2"});
}
