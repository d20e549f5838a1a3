// SentencePiece models: two small ones compared with the original library, and damaged ones.
#include "core/formats/tokenizer/sentence_piece.h"
#include "core_test.h"

#include "core/formats/tokenizer/sentence_piece_check.h"
#include "core/random.h"
#include "core/tokenizers/text/unicode.h"
#include "pieces.h"

namespace {

std::string contentOfModel(const std::string &name) {
    std::ifstream file(std::string(HEADLIGHT_TEST_DATA) + "/tokenizers/" + name, std::ios::binary);
    REQUIRE_MESSAGE(file, name);
    return {std::istreambuf_iterator<char>(file), {}};
}

TokenizerPointer readModel(const std::string &model, SentencePieceSettings settings = {}) {
    return valueOf(readSentencePiece(model, settings));
}

/// Checks that a damaged model is refused or still works without harm.
void tryOut(const std::string &model) {
    const auto tokenizer = readSentencePiece(model, {});
    if (!tokenizer) {
        CHECK_FALSE(tokenizer.error().what.empty());
        return;
    }
    const std::string text = "The cAt é <mask> ①ﬁ";
    const auto tokens = valueOf((*tokenizer)->encode(text, SpecialTokens::Added));
    for (const Token &token : tokens) {
        REQUIRE(token.id.value_or(-1) >= 0);
        CHECK(*token.id < (*tokenizer)->size());
        CHECK((!token.span || (token.span->begin >= 0 && token.span->begin <= token.span->end &&
                               token.span->end <= std::ssize(text))));
    }
    Ids all = idsOf(tokens);
    for (Index id = 0; id < std::min<Index>((*tokenizer)->size(), 30); ++id)
        all.push_back(id);
    const auto decoded = valueOf((*tokenizer)->decode(all, SpecialTokens::Added));
    CHECK_FALSE(firstInvalidByte(decoded));
}

/// Returns a normalization table with one block of trie units.
std::string tableOf(const std::vector<std::uint32_t> &units, const std::string &texts) {
    std::string table(4 + 4 * units.size(), '\0');
    const auto size = static_cast<std::uint32_t>(4 * units.size());
    std::memcpy(table.data(), &size, 4);
    if (!units.empty()) // memcpy() must not read from a null pointer
        std::memcpy(table.data() + 4, units.data(), 4 * units.size());
    return table + texts;
}

std::string field(int number, const std::string &bytes) {
    std::string message{static_cast<char>(number << 3 | 2)};
    for (std::size_t left = bytes.size();; left >>= 7) {
        message += static_cast<char>((left & 0x7F) | (left > 0x7F ? 0x80 : 0));
        if (left <= 0x7F)
            return message + bytes;
    }
}

bool isSound(const std::string &table) {
    return hasSoundTables(field(3, field(2, table)));
}

} // namespace

TEST_CASE("two small models, as their library reads them") {
    const nlohmann::json expected = nlohmann::json::parse(contentOfModel("small.json"));
    const std::vector<std::string> texts = expected["texts"];
    for (const char *kind : {"unigram", "bpe"}) {
        const TokenizerPointer tokenizer = readModel(contentOfModel(std::string(kind) + ".model"));
        for (std::size_t i = 0; i < texts.size(); ++i) {
            CAPTURE(kind);
            CAPTURE(texts[i]);
            const auto tokens = valueOf(tokenizer->encode(texts[i], SpecialTokens::LeftOut));
            CHECK(idsOf(tokens) == expected[kind]["ids"][i].get<Ids>());
            const auto text = valueOf(tokenizer->decode(idsOf(tokens), SpecialTokens::Added));
            CHECK(text == expected[kind]["decoded"][i].get<std::string>());
        }
    }
}

TEST_CASE("positions of pieces, and of bytes") {
    const TokenizerPointer tokenizer = readModel(contentOfModel("bpe.model"));
    const std::string text = "the é";
    const auto tokens = valueOf(tokenizer->encode(text, SpecialTokens::LeftOut));
    CHECK(placesOf(tokens, text) ==
          Texts{"the", " ", "", "é"}); // the last byte's token has the whole character
}

TEST_CASE("special tokens are found in texts where the family finds them") {
    SentencePieceSettings llama;
    llama.family = SentencePieceFamily::Llama;
    const std::string model = contentOfModel("bpe.model");
    const auto idsIn = [](const TokenizerPointer &tokenizer, std::string_view text) {
        return idsOf(*tokenizer->encode(text, SpecialTokens::LeftOut));
    };
    const Ids found = idsIn(readModel(model, llama), "cat</s>");
    REQUIRE_FALSE(found.empty());
    CHECK(found.back() == 2);
    CHECK(idsIn(readModel(model), "cat</s>").back() !=
          2); // not found, as in SentencePiece's own library
    const auto kept = valueOf(readModel(model, llama)->decode(Ids{1, 0, 2}, SpecialTokens::Added));
    CHECK(kept.starts_with("<s>"));
    CHECK(kept.ends_with("</s>"));
}

TEST_CASE("damaged models are refused, or do no harm") {
    for (const char *name : {"unigram.model", "bpe.model"}) {
        const std::string whole = contentOfModel(name);
        for (std::size_t length = 0; length < whole.size(); length += length < 1500 ? 1 : 37)
            tryOut(whole.substr(0, length));
        // A zero byte in a piece, and pieces that are invalid UTF-8, one of them special.
        for (const auto &[piece, byte] : {std::pair("the", '\0'), std::pair("the", '\xFF'),
                                          std::pair("</s>", '\xFF'), std::pair("<unk>", '\xC3')}) {
            std::string spoiled = whole;
            spoiled[spoiled.find(piece) + 1] = byte;
            tryOut(spoiled);
        }
        Random random(11);
        for (int i = 0; i < 3000; ++i) {
            std::string spoiled = whole;
            for (int changes = 1 + i % 4; changes > 0; --changes)
                spoiled[static_cast<std::size_t>(random.uniform() *
                                                 static_cast<double>(spoiled.size()))] =
                    static_cast<char>(random.uniform() * 256);
            tryOut(spoiled);
        }
    }
}

TEST_CASE("a table with offsets outside itself is refused") {
    std::vector<std::uint32_t> units(256, 0);
    const std::string texts("a\0", 2);
    CHECK(isSound(""));
    CHECK(isSound(tableOf(units, texts)));
    CHECK_FALSE(isSound("abc"));
    CHECK_FALSE(isSound(tableOf(units, "")));
    CHECK_FALSE(isSound(tableOf(units, "a"))); // no terminator
    CHECK_FALSE(isSound(tableOf({}, texts)));
    CHECK_FALSE(isSound(tableOf(std::vector<std::uint32_t>(255, 0), texts)));
    units[7] = 256u << 10; // offset beyond the last block
    CHECK_FALSE(isSound(tableOf(units, texts)));
    units[7] |= 1u << 31; // a value has no offset
    CHECK(isSound(tableOf(units, texts)));
    units[7] = 1u << 8; // a leaf whose value is unit 7 itself: offset 256 of the texts
    CHECK_FALSE(isSound(tableOf(units, texts)));
    CHECK_FALSE(isSound(tableOf(units, std::string(256, '\0'))));
    CHECK(isSound(tableOf(units, std::string(257, '\0'))));
    // Bytes that are not a protobuf message.
    CHECK_FALSE(hasSoundTables("\x1B")); // begins a group
    CHECK_FALSE(hasSoundTables("\x1A\xFF"));
    CHECK_FALSE(hasSoundTables(std::string(11, '\xFF')));
    CHECK(hasSoundTables(std::string("\x08\x01\x15\0\0\0\0", 7)));
}
