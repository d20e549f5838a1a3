// The tokenizers in the metadata of GGUF files. The small ones of tests/data/gguf are compared with
// the ids that tests/reference/make_gguf.py computes. The tokenizers of published models are
// compared with their folders.
#include "core/formats/gguf/gguf_tokenizer.h"
#include "core/formats/gguf/splitters.h"
#include "core/formats/tokenizer/tokenizer_folder.h"
#include "core_test.h"
#include "gguf/gguf_bytes.h"
#include "pretrained/folders.h"
#include "scratch.h"
#include "transformer/reference_model.h"

using Json = nlohmann::json;
namespace fs = std::filesystem;

namespace {

const std::string kTokens = "tokenizer.ggml.";
const fs::path kGgufData = fs::path(HEADLIGHT_TEST_DATA) / "gguf";
const fs::path kSharedModels = fs::path(HEADLIGHT_TEST_DATA) / "../../../shared/models";

std::vector<Index> idsOfText(const Tokenizer &tokenizer, const std::string &words,
                             SpecialTokens special) {
    std::vector<Index> ids;
    for (const Token &token : valueOf(tokenizer.encode(words, special)))
        ids.push_back(token.id.value_or(-1));
    return ids;
}

Result<TokenizerPointer> tokenizerOfKeys(const std::vector<std::string> &keys) {
    GgufBytes file;
    file.keys = keys;
    const fs::path path = freshFolder("keys") / "tokens.gguf";
    put(path, file.bytes());
    return readGgufTokenizer(valueOf(GgufFile::open(path.string())));
}

std::string refusalOfKeys(const std::vector<std::string> &keys) {
    const auto read = tokenizerOfKeys(keys);
    if (read)
        return "";
    CHECK(read.error().where.find("tokens.gguf: tokenizer.ggml.") != std::string::npos);
    return read.error().text().substr(read.error().text().find("tokenizer.ggml."));
}

std::string kindList(const std::vector<int> &kinds) {
    std::vector<std::string> values;
    for (const int kind : kinds)
        values.push_back(u32(static_cast<std::uint32_t>(kind)));
    return listOf(kTokens + "token_type", GgufKind::I32, values);
}

std::string scoreList(const std::vector<float> &scores) {
    std::vector<std::string> values;
    for (const float score : scores)
        values.push_back(f32(score));
    return listOf(kTokens + "scores", GgufKind::F32, values);
}

/// Returns the texts of tests/data/tokenizers/expected.json.
std::vector<std::string> manyTexts() {
    return readReference(fs::path(HEADLIGHT_TEST_DATA) / "tokenizers/expected.json")["texts"];
}

/// Checks the ids and the decoded texts of a file's tokenizer against those of a folder.
void checkSameTokens(const TokenizerPointer &ours, const TokenizerPointer &theirs) {
    REQUIRE(ours->size() == theirs->size());
    for (const std::string &words : manyTexts())
        for (const SpecialTokens special : {SpecialTokens::Added, SpecialTokens::LeftOut}) {
            CAPTURE(words);
            const auto ids = idsOfText(*ours, words, special);
            CHECK(ids == idsOfText(*theirs, words, special));
            CHECK(valueOf(ours->decode(ids, special)) == valueOf(theirs->decode(ids, special)));
        }
    for (Index id = 0; id < ours->size(); ++id)
        REQUIRE(ours->textOf(id) == theirs->textOf(id));
}

/// GPT-2's tokens and merges, as a GGUF file has them.
struct Gpt2Lists {
    std::vector<std::string> tokens, merges;
    std::vector<int> kinds;

    explicit Gpt2Lists(const fs::path &folder) {
        const Json vocabulary = readReference(folder / "vocab.json");
        tokens.resize(vocabulary.size());
        for (const auto &[token, id] : vocabulary.items())
            tokens[id.get<std::size_t>()] = token;
        std::istringstream lines(contentOf(folder / "merges.txt"));
        for (std::string line; std::getline(lines, line);)
            if (!line.empty() && !line.starts_with("#version"))
                merges.push_back(line);
        kinds.assign(tokens.size(), 1);
        kinds.back() = 3; // <|endoftext|>
    }
    /// Returns the keys of a tokenizer with these lists, which splits texts in the named way.
    std::vector<std::string> keys(const std::string &splitter) const {
        return {keyOf(kTokens + "model", "gpt2"), keyOf(kTokens + "pre", splitter.c_str()),
                listOf(kTokens + "tokens", tokens), kindList(kinds),
                listOf(kTokens + "merges", merges)};
    }
};

bool hasShared(const std::string &name) {
    if (fs::exists(kSharedModels / name))
        return true;
    MESSAGE("skipped: ../shared/models/" << name << " is missing");
    return false;
}

} // namespace

TEST_CASE("small tokenizers give the ids of the reference code") {
    const Json cases = readReference(kGgufData / "tokens.json");
    for (const char *name : {"llama", "gpt2", "qwen2", "bert"}) {
        const PretrainedPointer folder = opened(kGgufData / (std::string(name) + ".gguf"));
        REQUIRE(folder->tokenizer);
        REQUIRE(cases.at(name).size() > 3);
        for (const Json &each : cases.at(name)) {
            CAPTURE(name);
            const std::string words = each[0];
            CAPTURE(words);
            CHECK(idsOfText(*folder->tokenizer, words, SpecialTokens::Added) ==
                  each[1].get<std::vector<Index>>());
        }
    }
}

TEST_CASE("the model's own text reader and vocabulary") {
    const PretrainedPointer folder = opened(kGgufData / "llama.gguf");
    const auto read = valueOf(tokenized(folder->model, Stack::Main, "ab cde"));
    REQUIRE(read.tokens.size() == 4);
    CHECK(read.tokens[1].text == " ab");
    CHECK(folder->model.vocabulary->word(2) == "</s>");
    CHECK(valueOf(folder->tokenizer->decode(std::vector<Index>{1, 11, 16, 15},
                                            SpecialTokens::LeftOut)) == "ab cde");
    // Without a tokenizer, tokens are their ids.
    CHECK(opened(kGgufData / "llama-3.gguf")->model.vocabulary->word(7) == "7");
}

TEST_CASE("a pair of texts has two token types in BERT") {
    const PretrainedPointer folder = opened(kGgufData / "bert.gguf");
    const auto pair = valueOf(folder->tokenizer->encodePair("the cat", "a", SpecialTokens::Added));
    CHECK(pair.types == std::vector<Index>{0, 0, 0, 0, 1, 1});
    CHECK(pair.tokens[3].text == "[SEP]");
}

TEST_CASE("GPT-2's published tokenizer, as a GGUF file has it") {
    if (!hasShared("tokenizers/gpt2-byte-bpe"))
        return;
    const fs::path folder = kSharedModels / "tokenizers/gpt2-byte-bpe";
    const Gpt2Lists lists(folder);
    for (const char *splitter : {"gpt-2", "mpt"}) {
        const auto ours = valueOf(tokenizerOfKeys(lists.keys(splitter)));
        checkSameTokens(ours, valueOf(readTokenizer({folder.string(), {}})));
    }
    // The text gets the start token if the file requests it.
    std::vector<std::string> keys = lists.keys("llama-bpe");
    keys.push_back(keyOf(kTokens + "bos_token_id", 50256u));
    const auto begins = valueOf(tokenizerOfKeys(keys));
    CHECK(idsOfText(*begins, "Hello", SpecialTokens::Added) == std::vector<Index>{50256, 15496});
    CHECK(idsOfText(*begins, "a<|endoftext|>", SpecialTokens::Added) ==
          std::vector<Index>{50256, 64, 50256});
}

// The ids are from tests/reference/make_tokenizers.py, for the pre-tokenizers in the models' own
// tokenizer.json.
TEST_CASE("DeepSeek's and Falcon's splitters match the makers' own library") {
    if (!hasShared("tokenizers/gpt2-byte-bpe"))
        return;
    const Gpt2Lists lists(kSharedModels / "tokenizers/gpt2-byte-bpe");
    const Json all = readReference(fs::path(HEADLIGHT_TEST_DATA) / "tokenizers/variants.json");
    const std::vector<std::string> texts = manyTexts();
    for (const char *splitter : {"deepseek-llm", "deepseek-coder", "deepseek-v3", "falcon"}) {
        CAPTURE(splitter);
        const auto ours = valueOf(tokenizerOfKeys(lists.keys(splitter)));
        const Json &expected = all.at(splitter).at("ids");
        REQUIRE(expected.size() == texts.size());
        for (std::size_t i = 0; i < texts.size(); ++i) {
            CAPTURE(texts[i]);
            CHECK(idsOfText(*ours, texts[i], SpecialTokens::LeftOut) ==
                  expected[i].get<std::vector<Index>>());
        }
    }
}

TEST_CASE("BERT's published tokenizer, as a GGUF file has it") {
    if (!hasShared("tokenizers/bert-wordpiece"))
        return;
    const fs::path folder = kSharedModels / "tokenizers/bert-wordpiece";
    std::istringstream lines(contentOf(folder / "vocab.txt"));
    std::vector<std::string> tokens;
    std::vector<int> kinds;
    std::map<std::string, Index> ids;
    for (std::string line; std::getline(lines, line);) {
        ids[line] = std::ssize(tokens);
        const bool isSpecial = line == "[PAD]" || line == "[UNK]" || line == "[CLS]" ||
                               line == "[SEP]" || line == "[MASK]";
        kinds.push_back(isSpecial ? 3 : 1);
        const bool isMark = line.size() > 2 && line.starts_with('[') && line.ends_with(']');
        tokens.push_back(isMark                   ? line
                         : line.starts_with("##") ? line.substr(2)
                                                  : "\xE2\x96\x81" + line);
    }
    const auto idKey = [&ids](const char *name, const char *token) {
        return keyOf(kTokens + name, static_cast<std::uint32_t>(ids.at(token)));
    };
    const auto ours = valueOf(tokenizerOfKeys(
        {keyOf(kTokens + "model", "bert"), listOf(kTokens + "tokens", tokens), kindList(kinds),
         idKey("cls_token_id", "[CLS]"), idKey("seperator_token_id", "[SEP]"),
         idKey("unknown_token_id", "[UNK]"), idKey("mask_token_id", "[MASK]")}));
    checkSameTokens(ours, valueOf(readTokenizer({(folder / "vocab.txt").string(), {}})));
}

TEST_CASE("a published SentencePiece tokenizer, as a GGUF file has it") {
    if (!hasShared("stories260k"))
        return;
    const Json json = readReference(kSharedModels / "stories260k/tokenizer.json");
    const Json &vocabulary = json["model"]["vocab"];
    std::vector<std::string> tokens(vocabulary.size());
    std::vector<int> kinds(tokens.size(), 1);
    std::vector<float> scores;
    for (const auto &[token, id] : vocabulary.items()) {
        tokens[id.get<std::size_t>()] = token;
        if (token.size() == 6 && token.starts_with("<0x"))
            kinds[id.get<std::size_t>()] = 6;
    }
    kinds[0] = 2;
    kinds[1] = kinds[2] = 3;
    for (std::size_t id = 0; id < tokens.size(); ++id)
        scores.push_back(-static_cast<float>(id)); // ids follow the order of the merges
    const auto ours = valueOf(tokenizerOfKeys(
        {keyOf(kTokens + "model", "llama"), listOf(kTokens + "tokens", tokens), kindList(kinds),
         scoreList(scores), keyOf(kTokens + "bos_token_id", 1u),
         keyOf(kTokens + "eos_token_id", 2u), keyOf(kTokens + "unknown_token_id", 0u)}));
    const auto theirs = valueOf(readTokenizer({(kSharedModels / "stories260k").string(), {}}));
    REQUIRE(ours->size() == theirs->size());
    for (const std::string &words : manyTexts()) {
        CAPTURE(words);
        CHECK(idsOfText(*ours, words, SpecialTokens::Added) ==
              idsOfText(*theirs, words, SpecialTokens::Added));
    }
}

TEST_CASE("every splitter has valid expressions and is documented") {
    const std::string page = contentOf(fs::path(HEADLIGHT_TEST_DATA) / "../../docs/pretrained.md");
    for (const Splitter &splitter : allSplitters()) {
        CAPTURE(splitter.name);
        CHECK(preTokenizerOf(splitter).ok());
        CHECK(findSplitter(splitter.name) == &splitter); // names are unique
        CHECK(page.find("`" + std::string(splitter.name) + "`") != std::string::npos);
    }
    CHECK(findSplitter("") == nullptr);
}

TEST_CASE("splitters differ in digits and line ends") {
    std::vector<std::string> tokens;
    for (const char *token : {"a", "1", "2", "3", "12", "23", "123", "\xC4\x8A", "\xC4\xA0",
                              "\xC4\xA0\x61", "\xC4\x8A\xC4\x8A", "A", "aA", ".", ".\xC4\x8A"})
        tokens.push_back(token);
    const std::vector<std::string> merges{
        "1 2", "2 3", "12 3", "\xC4\xA0 a", "\xC4\x8A \xC4\x8A", "a A", ". \xC4\x8A"};
    const auto ids = [&](const char *splitter, const std::string &words) {
        const auto tokenizer = valueOf(tokenizerOfKeys(
            {keyOf(kTokens + "model", "gpt2"), keyOf(kTokens + "pre", splitter),
             listOf(kTokens + "tokens", tokens), listOf(kTokens + "merges", merges)}));
        return idsOfText(*tokenizer, words, SpecialTokens::Added);
    };
    using Ids = std::vector<Index>;
    CHECK(ids("gpt-2", "123123 a") == Ids{6, 6, 9});
    CHECK(ids("llama-bpe", "12312 a") == Ids{6, 4, 9}); // groups of at most three digits
    CHECK(ids("qwen2", "123 a") == Ids{1, 2, 3, 9});
    CHECK(ids("starcoder", "123 a") == Ids{1, 2, 3, 9});
    CHECK(ids("gpt-2", "a\n\na") == Ids{0, 7, 7, 0});
    CHECK(ids("llama-bpe", "a\n\na") == Ids{0, 10, 0});
    CHECK(ids("qwen2", "a\n\na") == Ids{0, 10, 0});
    for (const char *name : {"mellum", "a.x-4.0", "trillion"}) {
        CAPTURE(name);
        CHECK(ids(name, "123123 a") == Ids{6, 6, 9});
        CHECK(ids(name, "a\n\na") == Ids{0, 7, 7, 0});
    }
    for (const char *name : {"deepseek-r1-qwen", "megrez", "seed-coder", "viking"}) {
        CAPTURE(name);
        CHECK(ids(name, "123 a") == Ids{1, 2, 3, 9});
        CHECK(ids(name, "a\n\na") == Ids{0, 10, 0});
        CHECK(ids(name, "aA") == Ids{12});
    }
    CHECK(ids("minerva-7b", "123 a\n\na") == Ids{1, 2, 3, 9, 7, 7, 0});
    // A line end is part of the punctuation before it, or a separate piece.
    for (const char *name : {"qwen2", "deepseek-r1-qwen", "megrez"})
        CHECK(ids(name, ".\na") == Ids{14, 0});
    for (const char *name : {"seed-coder", "gpt-2"})
        CHECK(ids(name, ".\na") == Ids{13, 7, 0});
    CHECK(ids("viking", ".\na.a") == Ids{14, 0, 13, 0}); // its expression matches neither . nor \n
    for (const char *name : {"dbrx", "smaug-bpe", "gpt-4o"}) {
        CAPTURE(name);
        CHECK(ids(name, "12312 a") == Ids{6, 4, 9});
        CHECK(ids(name, "a\n\na") == Ids{0, 10, 0});
    }
    CHECK(ids("tekken", "123 a") == Ids{1, 2, 3, 9});
    CHECK(ids("deepseek-llm", "123 a\n\na") == Ids{1, 2, 3, 9, 7, 7, 0});
    CHECK(ids("deepseek-coder", "123 a\n\na") == Ids{1, 2, 3, 9, 7, 7, 0});
    CHECK(ids("deepseek-v3", "12312 a\n\na") == Ids{6, 4, 9, 10, 0});
    CHECK(ids("falcon", "12312 a\n\na") == Ids{6, 4, 9, 7, 7, 0});
    // Only some splitters begin a new word at a capital letter.
    for (const char *name : {"gpt-4o", "tekken"})
        CHECK(ids(name, "aA") == Ids{0, 11});
    for (const char *name : {"gpt-2", "dbrx", "smaug-bpe", "qwen2"})
        CHECK(ids(name, "aA") == Ids{12});
}

TEST_CASE("some splitters compose accents") {
    // As one character, "é" is the bytes C3 A9. As two, it is "e", CC and 81. Each byte has a
    // character.
    const std::vector<std::string> tokens{"e", "\xC3\x83", "\xC2\xA9", "\xC3\x8C", "\xC4\xA3"};
    const auto ids = [&](const char *splitter) {
        const auto tokenizer = valueOf(
            tokenizerOfKeys({keyOf(kTokens + "model", "gpt2"), keyOf(kTokens + "pre", splitter),
                             listOf(kTokens + "tokens", tokens), listOf(kTokens + "merges", {})}));
        return idsOfText(*tokenizer, "e\xCC\x81", SpecialTokens::Added);
    };
    using Ids = std::vector<Index>;
    for (const char *name : {"qwen2", "olmo", "command-r"}) { // as in these models' own tokenizers
        CAPTURE(name);
        CHECK(ids(name) == Ids{1, 2});
    }
    for (const char *name : {"gpt-2", "starcoder"}) {
        CAPTURE(name);
        CHECK(ids(name) == Ids{0, 3, 4});
    }
}

TEST_CASE("unsupported tokenizers are named") {
    const std::string tokens = listOf(kTokens + "tokens", {"a", "b"});
    const std::string merges = listOf(kTokens + "merges", {"a b"});
    const auto model = [](const char *name) { return keyOf(kTokens + "model", name); };
    const auto splitter = [](const char *name) { return keyOf(kTokens + "pre", name); };
    CHECK(refusalOfKeys({model("t5"), tokens})
              .starts_with("tokenizer.ggml.model: Headlight does not read tokenizers of the kind "
                           "\"t5\""));
    CHECK(refusalOfKeys({model("gpt2"), splitter("poro-chat"), tokens, merges})
              .starts_with(
                  "tokenizer.ggml.pre: Headlight does not support the way \"poro-chat\" splits"));
    CHECK(refusalOfKeys({model("gpt2"), tokens, merges})
              .starts_with("tokenizer.ggml.pre: the file does not specify how"));
    CHECK(refusalOfKeys({model("gpt2"), splitter("gpt-2"), tokens})
              .starts_with("tokenizer.ggml.merges: it is missing"));
    CHECK(refusalOfKeys({model("gpt2"), splitter("gpt-2"), tokens, merges})
              .starts_with("tokenizer.ggml.merges: number 0: "));
    CHECK(refusalOfKeys(
              {model("gpt2"), splitter("gpt-2"), tokens, listOf(kTokens + "merges", {"ab"})})
              .starts_with("tokenizer.ggml.merges: number 0: expected two tokens"));
    CHECK(refusalOfKeys({model("llama"), tokens, scoreList({1})})
              .starts_with("tokenizer.ggml.scores: it has 1 entries, but there are 2 tokens"));
    CHECK(refusalOfKeys({model("llama"), tokens, scoreList({1, 2})})
              .starts_with("tokenizer.ggml.unknown_token_id: it is missing"));
    CHECK(refusalOfKeys({model("llama"), tokens, kindList({1, 1, 1})})
              .starts_with("tokenizer.ggml.token_type: it has 3 entries, but there are 2"));
    CHECK(refusalOfKeys({model("bert"), tokens, keyOf(kTokens + "unknown_token_id", 2u)})
              .starts_with("tokenizer.ggml.unknown_token_id: it is outside the 2 tokens"));
    CHECK(refusalOfKeys({model("bert"), tokens, keyOf(kTokens + "unknown_token_id", "a")})
              .starts_with("tokenizer.ggml.unknown_token_id: it has the wrong type: a text"));
    CHECK(refusalOfKeys({model("bert"), tokens}).starts_with("tokenizer.ggml.unknown_token_id"));
    CHECK(refusalOfKeys({model("bert"), keyOf(kTokens + "tokens", 3u)})
              .starts_with("tokenizer.ggml.tokens: it has the wrong type: a whole number"));
    CHECK(refusalOfKeys({model("bert")}).starts_with("tokenizer.ggml.tokens: it has no tokens"));
    // Two pieces with the same text, which SentencePiece does not accept.
    CHECK(refusalOfKeys({model("llama"), listOf(kTokens + "tokens", {"u", "a", "a"}),
                         scoreList({1, 2, 3}), keyOf(kTokens + "unknown_token_id", 0u)})
              .starts_with("tokenizer.ggml.tokens: SentencePiece cannot read these tokens"));
}

TEST_CASE("a model with an unknown tokenizer takes ids") {
    std::string bytes = contentOf(kGgufData / "gpt2.gguf");
    const std::string known = keyOf("tokenizer.ggml.model", "gpt2");
    bytes.replace(bytes.find(known), known.size(), keyOf("tokenizer.ggml.model", "rwkv"));
    const fs::path path = freshFolder("ids") / "x.gguf";
    put(path, bytes);
    const PretrainedPointer folder = opened(path);
    REQUIRE(folder->warnings.size() == 1);
    CHECK(folder->warnings[0].text().find("\"rwkv\"") != std::string::npos);
    CHECK(folder->model.vocabulary->word(7) == "7");
    const auto read = tokenized(folder->model, Stack::Main, "a");
    CHECK_FALSE(read.ok());
    CHECK(forward(folder->model, valueOf(firstComputable(*folder)).input()).ok());
}
