// Tokenizers of published models in ../shared/models give the same ids as their original libraries.
// Skipped with a message if they are missing.
#include "core/formats/tokenizer/tokenizer_folder.h"
#include "core/formats/tokenizer/tokenizer_json.h"
#include "core_test.h"
#include "pieces.h"

namespace {

const std::string kModels = std::string(HEADLIGHT_TEST_DATA) + "/../../../shared/models";

bool hasModels() {
    const bool there = std::filesystem::is_directory(kModels + "/tokenizers");
    if (!there)
        MESSAGE("skipped: there are no tokenizers in ../shared/models");
    return there;
}

std::string contentOf(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    REQUIRE_MESSAGE(file, path);
    return {std::istreambuf_iterator<char>(file), {}};
}

TokenizerPointer readFolder(const std::string &path, std::optional<std::string> expression = {}) {
    return valueOf(readTokenizer({kModels + "/" + path, std::move(expression)}));
}

/// Returns the ids. Checks that every token covers whole characters.
std::vector<Index> ids(const TokenizerPointer &tokenizer, const std::string &text,
                       SpecialTokens special = SpecialTokens::LeftOut) {
    const auto tokens = valueOf(tokenizer->encode(text, special));
    const auto isEdge = [&text](Index at) {
        const auto byte = static_cast<std::size_t>(at);
        return byte == text.size() || (static_cast<unsigned char>(text[byte]) & 0xC0) != 0x80;
    };
    for (const Token &token : tokens) {
        CHECK(token.text == tokenizer->textOf(token.id.value_or(-1)));
        if (!token.span)
            continue;
        REQUIRE(token.span->begin >= 0);
        REQUIRE(token.span->begin <= token.span->end);
        REQUIRE(token.span->end <= std::ssize(text));
        CHECK(isEdge(token.span->begin));
        CHECK(isEdge(token.span->end));
    }
    return idsOf(tokens);
}

std::vector<std::string> split(const std::string &text, const std::string &between) {
    std::vector<std::string> parts;
    for (std::size_t at = 0;;) {
        const std::size_t end = text.find(between, at);
        parts.push_back(text.substr(at, end - at));
        if (end == std::string::npos)
            return parts;
        at = end + between.size();
    }
}

std::vector<Index> numbersIn(const std::string &line) {
    std::istringstream numbers(line);
    return {std::istream_iterator<Index>(numbers), {}};
}

/// Names in tests/data/tokenizers, and the tokenizers' paths.
constexpr std::pair<const char *, const char *> kPublished[] = {
    {"gpt2", "tokenizers/gpt2-byte-bpe"},
    {"bert", "tokenizers/bert-wordpiece"},
    {"llama", "stories260k"},
    {"t5", "tokenizers/t5-unigram"},
    {"albert", "tokenizers/albert-sp-unigram"},
    {"sentencepiece", "tokenizers/albert-sp-unigram/test_sentencepiece.model"}};

} // namespace

TEST_CASE("the strings and ids of llama.cpp") {
    if (!hasModels())
        return;
    for (const auto &[name, folder] :
         {std::pair("gpt-2", "gpt2-byte-bpe"), std::pair("bert-bge", "bert-wordpiece"),
          std::pair("bert-bge", "bert-wordpiece/vocab.txt")}) {
        const TokenizerPointer tokenizer = readFolder(std::string("tokenizers/") + folder);
        const std::string base = kModels + "/tokenizers/expected/ggml-vocab-" + name + ".gguf";
        const auto texts = split(contentOf(base + ".inp"), "\n__ggml_vocab_test__\n");
        const auto expected = split(contentOf(base + ".out"), "\n");
        REQUIRE(texts.size() > 40);
        REQUIRE(expected.size() >= texts.size());
        for (std::size_t i = 0; i < texts.size(); ++i) {
            CAPTURE(texts[i]);
            CHECK(ids(tokenizer, texts[i]) == numbersIn(expected[i]));
        }
    }
}

TEST_CASE("texts in many scripts, by the makers' own libraries") {
    if (!hasModels())
        return;
    const nlohmann::json expected = nlohmann::json::parse(
        contentOf(std::string(HEADLIGHT_TEST_DATA) + "/tokenizers/expected.json"));
    const std::vector<std::string> texts = expected["texts"];
    REQUIRE(texts.size() > 50);
    for (const auto &[name, path] : kPublished) {
        const TokenizerPointer tokenizer = readFolder(path);
        std::size_t compared = 0;
        for (std::size_t i = 0; i < texts.size(); ++i) {
            if (expected[name][i].is_null())
                continue;
            CAPTURE(name);
            CAPTURE(texts[i]);
            CHECK(ids(tokenizer, texts[i]) == expected[name][i].get<std::vector<Index>>());
            ++compared;
        }
        CHECK(compared > 50);
    }
}

TEST_CASE("ids as texts again, by the makers' own libraries") {
    if (!hasModels())
        return;
    const nlohmann::json expected = nlohmann::json::parse(
        contentOf(std::string(HEADLIGHT_TEST_DATA) + "/tokenizers/decoded.json"));
    for (const auto &[name, path] : kPublished) {
        const TokenizerPointer tokenizer = readFolder(path);
        REQUIRE(expected[name].size() > 60);
        for (const nlohmann::json &each : expected[name]) {
            const std::vector<Index> given = each[0];
            CAPTURE(name);
            CAPTURE(given);
            const auto without = valueOf(tokenizer->decode(given, SpecialTokens::LeftOut));
            CHECK(without == each[1].get<std::string>());
            if (each.size() < 3)
                continue;
            const auto with = valueOf(tokenizer->decode(given, SpecialTokens::Added));
            CHECK(with == each[2].get<std::string>());
        }
    }
}

TEST_CASE("pairs of texts, by the makers' own library") {
    if (!hasModels())
        return;
    const nlohmann::json expected = nlohmann::json::parse(
        contentOf(std::string(HEADLIGHT_TEST_DATA) + "/tokenizers/pairs.json"));
    std::size_t compared = 0;
    for (const auto &[name, path] : kPublished) {
        if (!expected.contains(name))
            continue;
        const TokenizerPointer tokenizer = readFolder(path);
        for (std::size_t i = 0; i < expected["texts"].size(); ++i) {
            const std::string first = expected["texts"][i][0], second = expected["texts"][i][1];
            CAPTURE(name);
            CAPTURE(first);
            const auto pair = valueOf(tokenizer->encodePair(first, second, SpecialTokens::Added));
            CHECK(pair.types.size() == pair.tokens.size());
            CHECK(pair.texts.size() == pair.tokens.size());
            for (std::size_t t = 0; t < pair.tokens.size(); ++t)
                CHECK((pair.texts[t] < 0) == !pair.tokens[t].span);
            const nlohmann::json &wanted = expected[name][i];
            if (wanted.is_null())
                continue;
            CHECK(idsOf(pair.tokens) == wanted[0].get<std::vector<Index>>());
            if (!wanted[1].is_null())
                CHECK(pair.types == wanted[1].get<std::vector<Index>>());
            ++compared;
        }
    }
    CHECK(compared == 16);
}

/// Settings of other families with the vocabularies above.
TEST_CASE("variants of published tokenizers, by the makers' own library") {
    if (!hasModels())
        return;
    const auto json = [](const std::string &path) {
        return nlohmann::json::parse(contentOf(path));
    };
    const std::string data = std::string(HEADLIGHT_TEST_DATA) + "/tokenizers/";
    const std::vector<std::string> texts = json(data + "expected.json")["texts"];
    std::map<std::string, nlohmann::json> bases{
        {"bert", json(kModels + "/tokenizers/bert-wordpiece/tokenizer.json")},
        {"t5", json(kModels + "/tokenizers/t5-unigram/tokenizer.json")}};
    nlohmann::json &gpt2 = bases["gpt2"];
    gpt2["model"] = {{"type", "BPE"},
                     {"vocab", json(kModels + "/tokenizers/gpt2-byte-bpe/vocab.json")},
                     {"merges", nlohmann::json::array()}};
    for (const std::string &line :
         split(contentOf(kModels + "/tokenizers/gpt2-byte-bpe/merges.txt"), "\n"))
        if (!line.empty() && !line.starts_with("#version"))
            gpt2["model"]["merges"].push_back(line);
    gpt2["added_tokens"] = nlohmann::json::parse(
        R"([{"id": 50256, "content": "<|endoftext|>", "special": true, "normalized": false}])");
    gpt2["pre_tokenizer"] = {{"type", "ByteLevel"}, {"add_prefix_space", false}};
    std::size_t variants = 0;
    const nlohmann::json all = json(data + "variants.json");
    for (const auto &[name, variant] : all.items()) {
        nlohmann::json tokenizerJson = bases.at(variant["base"]);
        for (const auto &[place, value] : variant["fields"].items())
            tokenizerJson[nlohmann::json::json_pointer(place)] = value;
        const auto tokenizer = valueOf(readTokenizerJson(tokenizerJson.dump()));
        std::size_t compared = 0;
        for (std::size_t i = 0; i < texts.size(); ++i) {
            if (variant["ids"][i].is_null())
                continue;
            CAPTURE(name);
            CAPTURE(texts[i]);
            CHECK(ids(tokenizer, texts[i]) == variant["ids"][i].get<std::vector<Index>>());
            ++compared;
        }
        CHECK(compared > 20);
        ++variants;
    }
    CHECK(variants >= 12);
}

/// SentencePiece models in folders of families that renumber the pieces.
TEST_CASE("XLM-R, CamemBERT and Marian have their own ids") {
    if (!hasModels())
        return;
    const nlohmann::json expected = nlohmann::json::parse(
        contentOf(std::string(HEADLIGHT_TEST_DATA) + "/tokenizers/expected.json"));
    const std::vector<std::string> texts = expected["texts"];
    const std::string model = kModels + "/tokenizers/albert-sp-unigram/test_sentencepiece.model";
    const auto folderOf = [&](const std::string &config, const char *name) {
        const std::filesystem::path folder =
            std::filesystem::path(HEADLIGHT_TEST_SCRATCH) / "families";
        std::filesystem::remove_all(folder);
        std::filesystem::create_directories(folder);
        std::ofstream(folder / "config.json") << config;
        std::filesystem::copy_file(model, folder / name);
        return folder.string();
    };
    const auto readFrom = [](const std::string &folder) {
        return valueOf(readTokenizer({folder, {}}));
    };
    for (const std::string family : {"xlm-roberta", "camembert"}) {
        const TokenizerPointer tokenizer =
            readFrom(folderOf(R"({"model_type": ")" + family + "\"}", "sentencepiece.bpe.model"));
        const Index first = family == "camembert" ? 5 : 0;
        for (std::size_t i = 0; i < texts.size(); ++i) {
            CAPTURE(texts[i]);
            if (texts[i].find("<s>") ==
                std::string::npos) // special tokens in texts are found, as in the original library
                CHECK(ids(tokenizer, texts[i], SpecialTokens::Added) ==
                      expected[family][i].get<std::vector<Index>>());
        }
        CHECK(tokenizer->textOf(1) == "<pad>");
        CHECK(tokenizer->textOf(3) == "<unk>");
        CHECK(tokenizer->textOf(first) == "<s>");
        CHECK(tokenizer->textOf(tokenizer->size() - 1) == "<mask>");
        CHECK(tokenizer->size() == (family == "camembert" ? 1005 : 1002));
        const std::vector<Index> masked = ids(tokenizer, "I <mask>the", SpecialTokens::LeftOut);
        REQUIRE(masked.size() == 3);
        CHECK(masked[1] == tokenizer->size() - 1);
        const auto pair = valueOf(tokenizer->encodePair("the", "I", SpecialTokens::Added));
        CHECK(tokenizer->betweenPair().size() == 2);
        CHECK(*tokenizer->decode(idsOf(pair.tokens), SpecialTokens::LeftOut) == "the I");
    }
    // T5's extra ids come after its pieces, counted from the last one.
    const TokenizerPointer t5 = readFrom(folderOf(R"({"model_type": "t5"})", "spiece.model"));
    CHECK(t5->size() == 1100);
    CHECK(ids(t5, "I <extra_id_0>", SpecialTokens::Added) == Ids{8, 1099, 2});
    CHECK(readFrom(folderOf(R"({"model_type": "mt5"})", "spiece.model"))->size() == 1000);
    CHECK(readFrom(folderOf(R"({"model_type": "t5", "extra_ids": 7})", "spiece.model"))->size() ==
          1007);
    // Llama adds its start token before each text of a pair.
    const TokenizerPointer llama =
        readFrom(folderOf(R"({"model_type": "llama", "add_eos_token": true})", "tokenizer.model"));
    CHECK(ids(llama, "I", SpecialTokens::Added) == Ids{1, 8, 2});
    CHECK(idsOf(llama->encodePair("I", "the", SpecialTokens::Added)->tokens) ==
          Ids{1, 8, 2, 1, 5, 2});

    const std::string folder = folderOf("{}", "source.spm");
    std::filesystem::copy_file(model, folder + "/target.spm");
    const TokenizerPointer plain =
        readFolder("tokenizers/albert-sp-unigram/test_sentencepiece.model");
    nlohmann::json words = {{"</s>", 0}, {"<unk>", 1}};
    for (Index piece = plain->size() - 1; piece > 2; --piece)
        if (piece != 8) // its vocabulary lacks "▁I"
            words[plain->textOf(piece)] = words.size();
    words["<pad>"] = words.size();
    std::ofstream(folder + "/vocab.json") << words;
    const TokenizerPointer marian = readFrom(folder);
    for (const std::string &text : texts) {
        CAPTURE(text);
        std::vector<Index> wanted;
        if (text.find("<pad>") != std::string::npos)
            continue;
        for (const Index piece : ids(plain, text))
            wanted.push_back(words.value(plain->textOf(piece), Index(1)));
        wanted.push_back(0);
        CHECK(ids(marian, text, SpecialTokens::Added) == wanted);
    }
    CHECK(*marian->decode(ids(marian, "the cat", SpecialTokens::Added), SpecialTokens::LeftOut) ==
          "the cat");
}

TEST_CASE("ALBERT's own normalization, before its SentencePiece model") {
    if (!hasModels())
        return;
    const std::filesystem::path folder = std::filesystem::path(HEADLIGHT_TEST_SCRATCH) / "albert";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "config.json") << R"({"model_type": "albert"})";
    std::filesystem::copy_file(kModels + "/tokenizers/albert-sp-unigram/spiece.model",
                               folder / "spiece.model");
    const auto tokenizer = valueOf(readTokenizer({folder.string(), {}}));
    const TokenizerPointer plain = readFolder("tokenizers/albert-sp-unigram");
    CHECK(ids(tokenizer, "Ein Café, ``so''") == ids(plain, "ein cafe, \"so\""));
    CHECK(ids(tokenizer, "the [MASK]", SpecialTokens::Added) == Ids{2, 14, 4, 3});
}

TEST_CASE("the ids that the trained models were given") {
    if (!hasModels())
        return;
    const auto golden = [](const char *name) {
        return nlohmann::json::parse(contentOf(kModels + "/golden/" + name + ".json"));
    };
    const nlohmann::json story = golden("stories260k");
    std::string text = story["text"];
    text.erase(0, text.find_first_not_of(' '));
    const std::vector<Index> told = story["input_ids"];
    std::vector<Index> begun = ids(readFolder("stories260k"), text, SpecialTokens::Added);
    REQUIRE(begun.size() > 10);
    // The golden text ends within a word, so its last token may differ.
    begun.pop_back();
    REQUIRE(begun.size() <= told.size());
    CHECK(std::equal(begun.begin(), begun.end(), told.begin()));

    const std::string smiles = R"((\[[^\]]+]|Br?|Cl?|N|O|S|P|F|I|b|c|n|o|s|p|\(|\)|\.|=|#|-|\+|\\|)"
                               R"(\/|:|~|@|\?|>>?|\*|\$|\%[0-9]{2}|[0-9]))";
    const nlohmann::json reaction = golden("rxnmapper-albert");
    CHECK(ids(readFolder("rxnmapper-albert", smiles), reaction["reaction"], SpecialTokens::Added) ==
          reaction["input_ids"].get<std::vector<Index>>());
    const nlohmann::json word = golden("bart-g2p-us");
    CHECK(ids(readFolder("bart-g2p-us"), word["word"], SpecialTokens::Added) ==
          word["encoder_ids"].get<std::vector<Index>>());
    const nlohmann::json words = golden("english-lm");
    std::string sentence;
    for (std::size_t i = 1; i < words["tokens"].size(); ++i)
        sentence += (i > 1 ? " " : "") + words["tokens"][i].get<std::string>();
    std::vector<Index> expected = words["input_ids"];
    expected.erase(expected.begin());
    CHECK(ids(readFolder("english-lm"), sentence) == expected);
}
