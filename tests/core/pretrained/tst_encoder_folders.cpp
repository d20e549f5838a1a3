// Folders of ELECTRA and ModernBERT that do not match their family are refused with the name of the
// field. XLM-R's texts get the ids and positions of the original.
#include "core/formats/tokenizer/sentence_piece_pieces.h"
#include "core_test.h"
#include "pretrained/folders.h"
#include "scratch.h"

using Json = nlohmann::json;
namespace fs = std::filesystem;

namespace {

/// Returns the error of the folder with changed fields in its config; empty if it can be read.
std::string errorOf(const char *name, const Json &fields) {
    const fs::path copy = freshFolder("encoders") / name;
    fs::copy(fs::path(HEADLIGHT_TEST_DATA) / "folders" / name, copy);
    Json config = readReference(copy / "config.json");
    config.update(fields);
    put(copy / "config.json", config.dump());
    const auto read = readPretrained(copy.string());
    return read ? "" : read.error().text();
}

void checkNames(const std::string &error, const std::string &part) {
    CAPTURE(error);
    CAPTURE(part);
    CHECK(error.find(part) != std::string::npos);
}

/// Opens XLM-R's random folder with a tokenizer.
PretrainedPointer xlmRoberta(const char *file, const std::string &bytes) {
    const fs::path folder = freshFolder("xlm-roberta");
    for (const char *name : {"config.json", "model.safetensors"})
        fs::copy_file(fs::path(HEADLIGHT_TEST_DATA) / "folders" / "xlm-roberta" / name,
                      folder / name);
    put(folder / file, bytes);
    return opened(folder);
}

/// Checks ids and token types. Positions begin after the padding's id.
void checkXlmRoberta(const PretrainedPointer &folder, const std::string &text,
                     const std::vector<Index> &wanted) {
    CAPTURE(text);
    const Model &model = folder->model;
    CHECK(folder->warnings.empty());
    CHECK(model.config.positionOffset == 2);
    const TokenizedText read = valueOf(tokenized(model, Stack::Main, text));
    std::vector<Index> ids;
    for (const Token &token : read.tokens)
        ids.push_back(model.vocabulary->idOf(token).value_or(-1));
    CHECK(ids == wanted);
    CHECK(std::ranges::all_of(read.types, [](Index type) { return type == 0; }));
}

} // namespace

TEST_CASE("XLM-R's texts, masks and pairs by SentencePiece") {
    const PretrainedPointer folder =
        xlmRoberta("sentencepiece.bpe.model", sentencePieceBytes({{"<unk>", 0, PieceKind::Unknown},
                                                                  {"<s>", 0, PieceKind::Control},
                                                                  {"</s>", 0, PieceKind::Control},
                                                                  {"▁a", -1},
                                                                  {"b", -5},
                                                                  {"▁", -6},
                                                                  {"a", -7}},
                                                                 true));
    // A piece's id is its number plus 1: the first one, piece 3, has id 4. <mask> follows the last
    // piece.
    checkXlmRoberta(folder, "a abz", {0, 4, 4, 5, 3, 2});
    checkXlmRoberta(folder, "a <mask>", {0, 4, 8, 2});
    checkXlmRoberta(folder, "a</s></s>ab", {0, 4, 2, 2, 4, 5, 2});
}

TEST_CASE("XLM-R's pairs by tokenizer.json") {
    // The tokenizer adds a space only at the beginning of a text, so the second text needs its own
    // space.
    const Json tokenizer = Json::parse(R"({
        "normalizer": null,
        "added_tokens": [
            {"id": 0, "content": "<s>", "special": true}, {"id": 2, "content": "</s>", "special": true}],
        "pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first",
                          "split": true},
        "post_processor": {"type": "TemplateProcessing",
            "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}},
                       {"Sequence": {"id": "A", "type_id": 0}},
                       {"SpecialToken": {"id": "</s>", "type_id": 0}}],
            "pair": [{"SpecialToken": {"id": "<s>", "type_id": 0}},
                     {"Sequence": {"id": "A", "type_id": 0}},
                     {"SpecialToken": {"id": "</s>", "type_id": 0}},
                     {"SpecialToken": {"id": "</s>", "type_id": 0}},
                     {"Sequence": {"id": "B", "type_id": 0}},
                     {"SpecialToken": {"id": "</s>", "type_id": 0}}],
            "special_tokens": {"<s>": {"id": "<s>", "ids": [0], "tokens": ["<s>"]},
                               "</s>": {"id": "</s>", "ids": [2], "tokens": ["</s>"]}}},
        "decoder": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first",
                    "split": true},
        "model": {"type": "Unigram", "unk_id": 3,
                  "vocab": [["<s>", 0], ["<pad>", 0], ["</s>", 0], ["<unk>", 0], ["▁a", -1],
                            ["b", -2], ["▁", -3], ["a", -4]]}})");
    const PretrainedPointer folder = xlmRoberta("tokenizer.json", tokenizer.dump());
    checkXlmRoberta(folder, "a ab", {0, 4, 4, 5, 2});
    checkXlmRoberta(folder, "a</s></s>ab", {0, 4, 2, 2, 4, 5, 2});
}

TEST_CASE("DeBERTa's tokens, by its SentencePiece model and by tokenizer.json") {
    const fs::path data = fs::path(HEADLIGHT_TEST_DATA) / "folders" / "deberta-v2";
    const Json tokenizer = Json::parse(R"({
        "normalizer": {"type": "Sequence", "normalizers": [
            {"type": "Strip", "strip_left": true, "strip_right": true},
            {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "}]},
        "added_tokens": [
            {"id": 0, "content": "[PAD]", "special": true}, {"id": 1, "content": "[CLS]", "special": true},
            {"id": 2, "content": "[SEP]", "special": true}, {"id": 3, "content": "[UNK]", "special": true},
            {"id": 7, "content": "[MASK]", "special": true}],
        "pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always",
                          "split": true},
        "post_processor": {"type": "TemplateProcessing",
            "single": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}},
                       {"Sequence": {"id": "A", "type_id": 0}},
                       {"SpecialToken": {"id": "[SEP]", "type_id": 0}}],
            "pair": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}},
                     {"Sequence": {"id": "A", "type_id": 0}},
                     {"SpecialToken": {"id": "[SEP]", "type_id": 0}},
                     {"Sequence": {"id": "B", "type_id": 1}},
                     {"SpecialToken": {"id": "[SEP]", "type_id": 1}}],
            "special_tokens": {"[CLS]": {"id": "[CLS]", "ids": [1], "tokens": ["[CLS]"]},
                               "[SEP]": {"id": "[SEP]", "ids": [2], "tokens": ["[SEP]"]}}},
        "decoder": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always",
                    "split": true},
        "model": {"type": "Unigram", "unk_id": 3,
                  "vocab": [["[PAD]", 0], ["[CLS]", 0], ["[SEP]", 0], ["[UNK]", 0], ["▁a", -1],
                            ["b", -5], ["▁", -6]]}})");
    const std::string pieces = sentencePieceBytes({{"[PAD]", 0, PieceKind::Control},
                                                   {"[CLS]", 0, PieceKind::Control},
                                                   {"[SEP]", 0, PieceKind::Control},
                                                   {"[UNK]", 0, PieceKind::Unknown},
                                                   {"▁a", -1},
                                                   {"b", -5},
                                                   {"▁", -6}},
                                                  true);
    const std::pair<const char *, std::string> files[] = {{"tokenizer.json", tokenizer.dump()},
                                                          {"spm.model", pieces}};
    for (const auto &[file, bytes] : files) {
        CAPTURE(file);
        const fs::path copy = freshFolder("deberta");
        for (const char *name : {"config.json", "model.safetensors"})
            fs::copy_file(data / name, copy / name);
        put(copy / file, bytes);
        const PretrainedPointer folder = opened(copy);
        CHECK(folder->warnings.empty());
        const auto idsOf = [&](const char *text) {
            const TokenizedText read = valueOf(tokenized(folder->model, Stack::Main, text));
            std::vector<Index> ids;
            for (const Token &token : read.tokens)
                ids.push_back(folder->model.vocabulary->idOf(token).value_or(-1));
            return ids;
        };
        if (file == files[0].first) // this SentencePiece model keeps all spaces
            CHECK(idsOf("a  ab") == std::vector<Index>{1, 4, 4, 5, 2});
        CHECK(idsOf("a b") == std::vector<Index>{1, 4, 6, 5, 2});
        CHECK(idsOf("a[MASK]") == std::vector<Index>{1, 4, 7, 2});
    }
}

TEST_CASE("ELECTRA's fields") {
    checkNames(errorOf("electra", {{"embedding_size", 0}}), "embedding_size");
    checkNames(errorOf("electra", {{"embedding_size", 9}}), "electra.embeddings");
    checkNames(errorOf("electra", {{"num_attention_heads", 5}}), "num_attention_heads");
    checkNames(errorOf("electra", {{"position_embedding_type", "relative_key"}}),
               "position_embedding_type");
    checkNames(errorOf("electra", {{"tie_word_embeddings", false}}), "generator_lm_head.weight");
}

TEST_CASE("ModernBERT's fields") {
    for (const char *field :
         {"hidden_size", "num_attention_heads", "num_hidden_layers", "intermediate_size",
          "vocab_size", "local_attention", "global_attn_every_n_layers", "global_rope_theta"})
        for (const Json &value : {Json(0), Json(-1), Json(1e300), Json("many")})
            checkNames(errorOf("modernbert", {{field, value}}), field);
    checkNames(errorOf("modernbert", {{"rope_scaling", {{"rope_type", "linear"}}}}),
               "rope_scaling");
    checkNames(errorOf("modernbert", {{"layer_types", {"full_attention"}}}), "layer_types");
    checkNames(errorOf("modernbert", {{"norm_bias", true}}), "norm.bias");
    checkNames(errorOf("modernbert", {{"tie_word_embeddings", false}}), "decoder.weight");
    // Every layer but the first needs its norm.
    checkNames(errorOf("modernbert", {{"num_hidden_layers", 5}}), "model.layers.4");
}

TEST_CASE("ModernBERT's windows and bases") {
    const PretrainedPointer folder =
        opened(fs::path(HEADLIGHT_TEST_DATA) / "folders" / "modernbert");
    const Config &config = folder->model.config;
    CHECK(config.windows == std::vector<Index>{0, 3, 3, 0}); // the token and 2 on each side
    CHECK(config.rotaryOf(0).base == 160000);
    CHECK(config.rotaryOf(1).base == 10000);
    CHECK(config.norm.skipsFirst);
    CHECK(folder->declaredPositions == 64);
    const LayerParameters &first = folder->model.parameters.main.layers[0];
    CHECK_FALSE(first.selfAttention.norm.gain);
    CHECK(folder->model.parameters.main.layers[1].selfAttention.norm.gain);
    // Layers with a window use the common base if the config sets none for them.
    const fs::path copy = freshFolder("one-base") / "modernbert";
    fs::copy(fs::path(HEADLIGHT_TEST_DATA) / "folders" / "modernbert", copy);
    Json fields = readReference(copy / "config.json");
    fields["local_rope_theta"] = nullptr;
    put(copy / "config.json", fields.dump());
    CHECK(opened(copy)->model.config.rotaryOf(1).base == 160000);
}
