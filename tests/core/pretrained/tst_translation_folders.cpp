// Folders of models that translate or summarise: the ids of their tokenizers, the texts of both
// sides, and refused folders.
#include "core/formats/tokenizer/sentence_piece_pieces.h"
#include "core/formats/tokenizer/tokenizer_folder.h"
#include "core_test.h"
#include "pretrained/folders.h"
#include "scratch.h"
#include "tokenizers/pieces.h"

using Json = nlohmann::json;
namespace fs = std::filesystem;

namespace {

using Ids = std::vector<Index>;

const fs::path kTranslators = fs::path(HEADLIGHT_TEST_DATA) / "folders";

/// Returns a SentencePiece model with the given pieces, then pieces of the letters a, b and c.
std::string piecesAfter(std::vector<ScoredPiece> first, bool joinsAb = false) {
    for (const ScoredPiece &piece :
         {ScoredPiece{"▁a", -1}, {"b", -5}, {"▁", -6}, {"a", -7}, {"c", -8}})
        first.push_back(piece);
    if (joinsAb)
        first.push_back({"▁ab", -2});
    return sentencePieceBytes(first, true);
}

std::string usualPieces(bool joinsAb = false) {
    return piecesAfter({{"<unk>", 0, PieceKind::Unknown},
                        {"<s>", 0, PieceKind::Control},
                        {"</s>", 0, PieceKind::Control}},
                       joinsAb);
}

Ids idsOfText(const TokenizerPointer &tokenizer, const std::string &text,
              SpecialTokens special = SpecialTokens::Added) {
    return idsOf(valueOf(tokenizer->encode(text, special)));
}

/// Returns the error of a folder with other fields in its config.
std::string refusalOf(const char *name, const Json &fields) {
    const fs::path copy = freshFolder("refused") / name;
    fs::copy(kTranslators / name, copy);
    Json config = readReference(copy / "config.json");
    config.update(fields);
    put(copy / "config.json", config.dump());
    const auto read = readPretrained(copy.string());
    return read ? "" : read.error().text();
}

bool hasText(const std::string &text, const std::string &part) {
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("PEGASUS numbers its pieces after the tokens of its training") {
    const fs::path folder = freshFolder("pegasus");
    put(folder / "config.json", R"({"model_type": "pegasus"})");
    put(folder / "spiece.model", piecesAfter({{"<pad>", 0, PieceKind::Control},
                                              {"</s>", 0, PieceKind::Control},
                                              {"<unk>", 0, PieceKind::Unknown}}));
    const auto tokenizer = valueOf(readTokenizer({folder.string(), {}}));
    // Piece 3 is id 106, and an unknown character is <unk>, piece 2.
    CHECK(idsOfText(tokenizer, "a abz") == Ids{106, 106, 107, 105, 1});
    CHECK(idsOfText(tokenizer, "a<mask_1>a<mask_2>") == Ids{106, 2, 106, 3, 1});
    CHECK(idsOfText(tokenizer, "<unk_2><unk_102>", SpecialTokens::LeftOut) == Ids{4, 104});
    CHECK(tokenizer->textOf(0) == "<pad>");
    CHECK(tokenizer->textOf(105) == "<unk>");
    CHECK(tokenizer->size() == 111);
    CHECK(valueOf(tokenizer->decode(Ids{106, 106, 107, 1}, SpecialTokens::LeftOut)) == "a ab");
}

TEST_CASE("M2M-100 looks its pieces up and adds a token for each language") {
    const fs::path folder = freshFolder("m2m");
    put(folder / "config.json", R"({"model_type": "m2m_100"})");
    put(folder / "sentencepiece.bpe.model", usualPieces());
    put(folder / "vocab.json", R"({"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3, "b": 4, "▁a": 5})");
    const auto tokenizer = valueOf(readTokenizer({folder.string(), {}}));
    CHECK(tokenizer->size() == 106);
    CHECK(tokenizer->textOf(6) == "__af__");
    CHECK(tokenizer->textOf(24) == "__en__");
    CHECK(tokenizer->textOf(105) == "__zu__");
    // The default language is English. The vocabulary lacks c.
    CHECK(idsOfText(tokenizer, "a abc") == Ids{24, 5, 5, 4, 3, 2});
    CHECK(idsOfText(tokenizer, "__fr__a", SpecialTokens::LeftOut) == Ids{30, 5});
    CHECK(valueOf(tokenizer->decode(Ids{30, 5, 5, 4, 2}, SpecialTokens::LeftOut)) == "a ab");

    put(folder / "tokenizer_config.json", R"({"src_lang": "fr"})");
    CHECK(idsOfText(valueOf(readTokenizer({folder.string(), {}})), "a") == Ids{30, 5, 2});
    put(folder / "tokenizer_config.json", R"({"src_lang": "xx"})");
    CHECK(readTokenizer({folder.string(), {}}).error().text().find("\"xx\"") != std::string::npos);
    put(folder / "tokenizer_config.json", R"({"language_codes": "wmt21"})");
    CHECK(valueOf(readTokenizer({folder.string(), {}}))->size() == 14);
}

TEST_CASE("NLLB's pieces alone do not give ids") {
    const fs::path folder = freshFolder("nllb");
    put(folder / "config.json", R"({"model_type": "m2m_100"})");
    put(folder / "tokenizer_config.json", R"({"tokenizer_class": "NllbTokenizer"})");
    put(folder / "sentencepiece.bpe.model", usualPieces());
    const auto read = readTokenizer({folder.string(), {}});
    REQUIRE_FALSE(read.ok());
    CHECK(hasText(read.error().text(), "tokenizer.json"));
}

TEST_CASE("Marian's two sides have separate pieces in one vocabulary") {
    const fs::path folder = freshFolder("marian");
    for (const char *name : {"config.json", "model.safetensors"})
        fs::copy_file(kTranslators / "marian" / name, folder / name);
    Json words{{"</s>", 0}, {"<unk>", 1},   {"▁a", 2},    {"b", 3},
               {"▁ab", 4},  {">>fra<<", 5}, {"<pad>", 22}};
    for (int id = 6; id < 22; ++id)
        words["word" + std::to_string(id)] = id;
    put(folder / "vocab.json", words.dump());
    put(folder / "source.spm", usualPieces());
    put(folder / "target.spm", usualPieces(true));
    const PretrainedPointer marian = opened(folder);
    CHECK(marian->warnings.empty());
    const auto idsOfSide = [&](Stack side, const std::string &text) {
        Ids ids;
        for (const Token &token : valueOf(tokenized(marian->model, side, text)).tokens)
            ids.push_back(marian->model.vocabularyOf(side)->idOf(token).value_or(-1));
        return ids;
    };
    CHECK(idsOfSide(Stack::Encoder, "ab") == Ids{2, 3, 0});
    CHECK(idsOfSide(Stack::Encoder, ">>fra<<ab") == Ids{5, 2, 3, 0});
    // The decoder's text begins with the padding token, and has no end token yet.
    CHECK(idsOfSide(Stack::Decoder, "ab") == Ids{22, 4});
    CHECK(marian->model.reader->textOf(Stack::Decoder, Ids{4, 2}) == "ab a");
}

TEST_CASE("other variants of the stack are refused by name") {
    for (const auto &[name, field, value] :
         {std::tuple("marian", "share_encoder_decoder_embeddings", Json(false)),
          {"marian", "normalize_before", Json(true)},
          {"marian", "decoder_vocab_size", Json(24)},
          {"marian", "activation_function", Json("tanh")},
          {"pegasus", "normalize_before", Json(false)},
          {"pegasus", "normalize_embedding", Json(true)},
          {"pegasus", "static_position_embeddings", Json(false)},
          {"m2m-100", "normalize_embedding", Json(true)},
          {"bart", "share_encoder_decoder_embeddings", Json(false)}}) {
        CAPTURE(name);
        CAPTURE(field);
        CHECK(hasText(refusalOf(name, {{field, value}}), field));
    }
}

TEST_CASE("hostile sizes are refused before anything is allocated") {
    CHECK(hasText(refusalOf("m2m-100", {{"max_position_embeddings", 131072}}),
                  "max_position_embeddings: 131074 positions"));
    CHECK(hasText(refusalOf("m2m-100", {{"max_position_embeddings", 100000}, {"d_model", 12288}}),
                  "max_position_embeddings"));
    CHECK(hasText(refusalOf("m2m-100", {{"pad_token_id", 1 << 20}}), "max_position_embeddings"));
    CHECK(hasText(refusalOf("m2m-100", {{"d_model", 3}, {"encoder_attention_heads", 3}}),
                  "d_model: 3 dimensions"));
    for (const char *field : {"d_model", "encoder_layers", "decoder_attention_heads",
                              "encoder_ffn_dim", "vocab_size", "max_position_embeddings"})
        for (const Json &value : {Json(0), Json(-1), Json(1e300), Json("many"), Json(1.5)}) {
            CAPTURE(field);
            CAPTURE(value.dump());
            CHECK(hasText(refusalOf("pegasus", {{field, value}}), field));
        }
}
