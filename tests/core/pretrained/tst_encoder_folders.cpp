// Folders of ELECTRA and ModernBERT that do not match their family are refused by name.
#include "core_test.h"
#include "pretrained/folders.h"
#include "scratch.h"

using Json = nlohmann::json;
namespace fs = std::filesystem;

namespace {

/// Returns the error of a folder with other fields in its config; empty: it was read.
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

} // namespace

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
    // Layers after the first need their norm.
    checkNames(errorOf("modernbert", {{"num_hidden_layers", 5}}), "model.layers.4");
}

TEST_CASE("ModernBERT's windows and bases") {
    const PretrainedPointer folder =
        opened(fs::path(HEADLIGHT_TEST_DATA) / "folders" / "modernbert");
    const Config &config = folder->model.config;
    CHECK(config.windows == std::vector<Index>{0, 3, 3, 0}); // 2 tokens to both sides
    CHECK(config.rotaryOf(0).base == 160000);
    CHECK(config.rotaryOf(1).base == 10000);
    CHECK(config.norm.skipsFirst);
    CHECK(folder->positionsSaid == 64);
    const LayerParameters &first = folder->model.parameters.main.layers[0];
    CHECK_FALSE(first.selfAttention.norm.gain);
    CHECK(folder->model.parameters.main.layers[1].selfAttention.norm.gain);
    // Without a base of their own, the windows have that of all layers.
    const fs::path copy = freshFolder("one-base") / "modernbert";
    fs::copy(fs::path(HEADLIGHT_TEST_DATA) / "folders" / "modernbert", copy);
    Json fields = readReference(copy / "config.json");
    fields["local_rope_theta"] = nullptr;
    put(copy / "config.json", fields.dump());
    CHECK(opened(copy)->model.config.rotaryOf(1).base == 160000);
}
