// Folders that do not match their family are refused with a message that names the field or the
// tensor. None gives wrong numbers.
#include "core/formats/capture/capture.h"
#include "core/formats/session/data/session.h"
#include "core/glob.h"
#include "core_test.h"
#include "pretrained/folders.h"
#include "scratch.h"
#include "tests/support/long.h"

#include <array>

using Json = nlohmann::json;
namespace fs = std::filesystem;

namespace {

const fs::path kFolders = fs::path(HEADLIGHT_TEST_DATA) / "folders";

/// A copy of a random folder that tests can damage.
class SpoiledFolder {
  public:
    explicit SpoiledFolder(const std::string &name) : m_path(freshFolder("spoiled") / name) {
        fs::copy(kFolders / name, m_path);
        m_config = readReference(m_path / "config.json");
    }

    const Json &config() const { return m_config; }
    Result<PretrainedPointer> withConfig(const Json &config) const {
        put(m_path / "config.json", config.dump());
        return readPretrained(m_path.string());
    }
    Result<PretrainedPointer> with(const std::string &field, const Json &value) const {
        Json config = m_config;
        config[field] = value;
        return withConfig(config);
    }
    Result<PretrainedPointer> without(const std::string &field) const {
        Json config = m_config;
        config.erase(field);
        return withConfig(config);
    }

    /// Returns the header of model.safetensors without "__metadata__".
    Json header() const {
        const std::string bytes = contentOf(kFolders / m_path.filename() / "model.safetensors");
        Json header = Json::parse(bytes.substr(8, sizeIn(bytes)));
        header.erase("__metadata__");
        return header;
    }
    Result<PretrainedPointer> withHeader(const Json &header) const {
        const std::string bytes = contentOf(kFolders / m_path.filename() / "model.safetensors");
        put(m_path / "model.safetensors",
            safetensors(header.dump(), bytes.substr(8 + sizeIn(bytes))));
        return readPretrained(m_path.string());
    }

  private:
    static std::size_t sizeIn(const std::string &bytes) {
        std::size_t size = 0;
        for (int byte = 7; byte >= 0; --byte)
            size = size << 8 | static_cast<unsigned char>(bytes[static_cast<std::size_t>(byte)]);
        return size;
    }

    fs::path m_path;
    Json m_config;
};

/// Returns the error, or an empty string if the folder could be read.
std::string refusal(const Result<PretrainedPointer> &read) {
    return read.ok() ? std::string() : read.error().text();
}

/// Returns the name of one folder of each family.
std::vector<std::string> oneOfEach() {
    std::vector<fs::path> paths;
    for (const auto &entry : fs::directory_iterator(kFolders))
        if (fs::exists(entry.path() / "model.safetensors"))
            paths.push_back(entry.path());
    std::ranges::sort(paths);
    std::set<const Family *> families;
    std::vector<std::string> names;
    for (const fs::path &path : paths)
        if (families.insert(opened(path)->family).second)
            names.push_back(path.filename().string());
    return names;
}

/// Checks that a forward pass succeeds or returns an error message.
void tryOut(const PretrainedFolder &folder) {
    const auto first = firstComputable(folder);
    const auto trace = first ? forward(*first) : Result<TracePointer>(first.error());
    CHECK((trace.ok() || !trace.error().text().empty()));
}

} // namespace

TEST_CASE("a GGUF file in a folder, or under another name, is named") {
    const fs::path folder = freshFolder("gguf");
    put(folder / "model.Q4_0.gguf", std::string("GGUF\3\0\0\0", 8) + std::string(64, '\0'));
    const auto read = readPretrained(folder.string());
    REQUIRE_FALSE(read.ok());
    CHECK(read.error().what == "there is no config.json next to this GGUF file");
    CHECK(read.error().where.ends_with("model.Q4_0.gguf"));
    CHECK(read.error().remedy == "open the GGUF file itself");
    // GGUF files are detected by their first bytes, whatever their name.
    fs::rename(folder / "model.Q4_0.gguf", folder / "model.headlight");
    const auto session = readSessionFile((folder / "model.headlight").string());
    REQUIRE_FALSE(session.ok());
    CHECK(session.error().what == "it is a GGUF file with a model, not a session");
    CHECK_FALSE(session.error().remedy.empty());
    // The session is also refused under the name of the safetensors file, in a folder and as a
    // capture.
    put(folder / "config.json", R"({"model_type": "gpt2", "n_embd": 4, "n_head": 1})");
    fs::rename(folder / "model.headlight", folder / "model.safetensors");
    for (const std::string &said :
         {readPretrained(folder.string()).error().text(),
          readCapture((folder / "model.safetensors").string()).error().text()}) {
        CAPTURE(said);
        CHECK(said.find("model.safetensors: it is a GGUF file, not safetensors") !=
              std::string::npos);
        CHECK(said.find("give it a name that ends with .gguf") != std::string::npos);
    }
    // Other files next to a readable model do not matter.
    const SpoiledFolder usual("gpt2");
    CHECK(usual.withConfig(usual.config()).ok());
    put(fs::path((*usual.withConfig(usual.config()))->path) / "other.gguf", "GGUF");
    CHECK(usual.withConfig(usual.config()).ok());
}

TEST_CASE("quantised weights are refused by the name of their method") {
    const SpoiledFolder folder("llama");
    for (const char *method : {"gptq", "awq", "bitsandbytes", "compressed-tensors"}) {
        const std::string said =
            refusal(folder.with("quantization_config", {{"quant_method", method}, {"bits", 4}}));
        CAPTURE(said);
        CHECK(said.find("config.json: quantization_config: its weights are quantised by \"" +
                        std::string(method) + "\"") != std::string::npos);
    }
    CHECK(refusal(folder.with("quantization_config", Json::object()))
              .find("quantised in a way that Headlight does not read") != std::string::npos);
    for (const Json &odd : {Json("gptq"), Json(true), Json::array({1})})
        CHECK(refusal(folder.with("quantization_config", odd))
                  .find("quantised in a way that Headlight does not read") != std::string::npos);
    CHECK(refusal(folder.with("quantization_config", nullptr)).empty());
    CHECK(refusal(folder.with("quantization", {{"group_size", 64}, {"bits", 4}}))
              .find("config.json: quantization: its weights are quantised by MLX") !=
          std::string::npos);
    CHECK(refusal(folder.with("quantization", nullptr)).empty());
}

TEST_CASE("quantised weights are refused by name, even if the config does not mention them") {
    // AutoGPTQ and AutoAWQ store packed numbers instead of the matrix. Files of bitsandbytes and
    // compressed-tensors are recognised by the names of related tensors.
    const std::string matrix = "model.layers.1.self_attn.q_proj.";
    const std::pair<const char *, const char *> cases[] = {
        {"qweight", "GPTQ or AWQ"},
        {"SCB", "bitsandbytes"},
        {"weight.absmax", "bitsandbytes"},
        {"weight_packed", "compressed-tensors"},
    };
    const SpoiledFolder folder("llama");
    for (const auto &[ending, method] : cases) {
        CAPTURE(ending);
        Json header = folder.header();
        REQUIRE(header.contains(matrix + "weight"));
        header[matrix + ending] = header.at(matrix + "weight");
        header.erase(matrix + "weight");
        const std::string message = refusal(folder.withHeader(header));
        CAPTURE(message);
        CHECK(message.find(std::string("its weights are quantised by ") + method) != message.npos);
        CHECK(message.find("model.safetensors: \"" + matrix + ending) != message.npos);
        CHECK(message.find("GGUF") != message.npos);
    }
}

TEST_CASE("what Headlight does not compute is refused by the name of its field") {
    const struct {
        const char *folder, *field;
        Json value;
    } cases[] = {
        {"bert", "position_embedding_type", "relative_key"},
        {"bert", "is_decoder", true},
        {"bert", "add_cross_attention", true},
        {"bert", "hidden_act", "tanh"},
        {"bert", "num_attention_heads", 5},
        {"bert", "pruned_heads", {{"0", {1}}}},
        {"roberta", "position_embedding_type", "relative_key_query"},
        {"distilbert", "n_heads", 5},
        {"distilbert", "activation", "mish"},
        {"albert", "embedding_size", 12},
        {"albert", "num_hidden_groups", 3},
        {"albert", "inner_group_num", 2},
        {"whisper", "scale_embedding", true},
        {"whisper", "num_mel_bins", 513},
        {"whisper", "activation_function", "tanh"},
        {"whisper", "decoder_attention_heads", 5},
        {"bart", "normalize_before", true},
        {"bart", "normalize_embedding", false},
        {"bart", "add_final_layer_norm", true},
        {"bart", "static_position_embeddings", true},
        {"bart", "extra_pos_embeddings", 1},
        {"bart", "encoder_attention_heads", 5},
        {"qwen3", "mlp_bias", true},
        {"qwen3", "layer_types", {"sliding_attention", "full_attention"}},
        {"phi3", "rope_scaling", {{"type", "longrope"}, {"long_factor", {1}}}},
        {"phi3", "lm_head_bias", true},
        {"gemma", "use_bidirectional_attention", true},
        {"gemma2", "layer_types", {"full_attention"}},
        {"gemma3", "rope_parameters", {{"sliding_attention", {{"rope_type", "linear"}}}}},
        {"gemma3", "use_bidirectional_attention", true},
        {"granite", "logits_scaling", 0},
        {"smollm3", "no_rope_layers", {1, 1}},
        {"smollm3", "no_rope_layers", {1, 1, 2, 0}},
        {"olmo2", "mlp_bias", true},
        {"mixtral", "num_experts_per_tok", 6},
        {"mixtral", "num_experts_per_tok", 0},
        {"mixtral", "num_local_experts", 0},
        {"mixtral", "num_local_experts", 1e9},
        {"olmoe", "clip_qkv", 8.0},
        {"olmoe", "num_experts_per_tok", 8},
        {"qwen3-moe", "decoder_sparse_step", 2},
        {"qwen3-moe", "mlp_only_layers", {0}},
        {"qwen3-moe", "mlp_only_layers", "none"},
        {"qwen3-moe", "num_experts", -1},
        {"deepseek-v3", "scoring_func", "softmax"},
        {"deepseek-v3", "topk_method", "greedy"},
        {"deepseek-v3", "moe_layer_freq", 2},
        {"deepseek-v3", "n_group", 4},
        {"deepseek-v3", "topk_group", 3},
        {"deepseek-v3", "num_experts_per_tok", 7},
        {"deepseek-v3", "num_key_value_heads", 1},
        {"deepseek-v3", "qk_rope_head_dim", 0},
        {"deepseek-v3", "qk_rope_head_dim", 1},
        {"deepseek-v3", "qk_rope_head_dim", 3},
        {"deepseek-v3", "kv_lora_rank", -1},
        {"deepseek-v3", "quantization_config", {{"quant_method", "fp8"}}},
        {"llama4", "attention_chunk_size", nullptr},
        {"llama4", "attention_chunk_size", 0},
        {"llama4", "attn_scale", -1},
        {"llama4", "floor_scale", 0},
        {"llama4", "head_dim", 7},
        {"llama4", "hidden_act", "mish"},
        {"llama4", "layer_types", {"full_attention"}},
        {"llama4", "moe_layers", {-1}},
        {"llama4", "moe_layers", "all"},
        {"llama4", "no_rope_layers", {1, 0}},
        {"llama4", "no_rope_layers", {1, 0, 2, 1}},
        {"llama4", "num_experts_per_tok", 5},
        {"llama4", "num_local_experts", 1e9},
        {"llama4", "partial_rotary_factor", 0.34},
        {"llama4", "quantization_config", {{"quant_method", "compressed-tensors"}}},
        {"deberta-v2", "conv_kernel_size", 3},
        {"deberta-v2", "pos_att_type", "c2p|p2p"},
        {"deberta-v2", "pos_att_type", Json::array()},
        {"deberta-v2", "norm_rel_ebd", "batch_norm"},
        {"deberta-v2", "embedding_size", 6},
        {"deberta-v2", "position_buckets", 1e9},
        {"deberta-v2", "position_buckets", 3},
        {"deberta-v2", "position_buckets", 30},
        {"deberta-v2-classifier", "pooler_hidden_act", "maxout"},
        {"clip-text", "eos_token_id", 7},
        {"clip-text", "hidden_act", "maxout"},
        {"clip-text", "num_attention_heads", 5},
        {"clip-vision", "num_channels", 1},
        {"clip-vision", "image_size", 3},
        {"deit", "num_channels", 4},
        {"deit", "hidden_act", "maxout"},
        {"deit", "image_size", 2},
        {"deit", "num_attention_heads", 5},
        {"gpt-oss", "swiglu_alpha", 1.5},
        {"gpt-oss", "swiglu_limit", 0},
        {"gpt-oss", "hidden_act", "gelu"},
        {"gpt-oss", "num_experts_per_tok", 6},
        {"gpt-oss", "layer_types", {"sliding_attention"}},
        {"gpt-oss", "sliding_window", 0},
        {"gpt-oss-plain", "quantization_config", {{"quant_method", "gptq"}}},
        {"mixtral", "quantization_config", {{"quant_method", "mxfp4"}}},
        {"gpt-neox", "rotary_pct", 0.4},
        {"gpt-neox", "num_attention_heads", 5},
        {"phi", "partial_rotary_factor", 2},
        {"gptj", "rotary_dim", nullptr},
        {"gptj", "scale_attn_weights", false},
        {"opt", "word_embed_proj_dim", 6},
        {"bloom", "apply_residual_connection_post_layernorm", true},
        {"falcon", "alibi", true},
        {"falcon-new", "parallel_attn", false},
        {"t5", "feed_forward_proj", "gated-mish"},
        {"t5", "feed_forward_proj", 1},
    };
    for (const auto &[folder, field, value] : cases) {
        CAPTURE(folder);
        CAPTURE(field);
        const std::string message = refusal(SpoiledFolder(folder).with(field, value));
        CAPTURE(message);
        CHECK(message.find(std::string("config.json: ") + field) != message.npos);
    }
}

TEST_CASE("fields that change nothing, state the usual value or are missing are accepted") {
    const struct {
        const char *folder, *field;
        Json value;
    } cases[] = {
        {"bert", "pruned_heads", Json::object()},
        {"bert", "position_embedding_type", "absolute"},
        {"bert", "hidden_dropout_prob", 0.5},
        {"distilbert", "sinusoidal_pos_embds", true},
        {"albert", "net_structure_type", 7},
        {"phi3", "sliding_window", nullptr},
        {"phi3", "rope_scaling", {{"type", "default"}}},
        {"gemma", "hidden_activation", nullptr},
        {"gemma2", "final_logit_softcapping", nullptr},
        {"gemma2", "sliding_window", nullptr},
        {"gemma3", "sliding_window_pattern", nullptr},
        {"smollm3", "no_rope_layers", nullptr},
        {"mixtral", "router_jitter_noise", 0.5},
        {"mixtral", "num_experts_per_tok", nullptr},
        {"qwen3-moe", "mlp_only_layers", nullptr},
        {"qwen3-moe", "decoder_sparse_step", nullptr},
        {"llama4", "attn_temperature_tuning", nullptr},
        {"llama4", "layer_types", nullptr},
        {"llama4", "moe_layers", nullptr},
        {"llama4", "moe_layers", {1, 3, 48}},
        {"llama4", "no_rope_layers", nullptr},
        {"llama4", "no_rope_layers", {1, 1, 1, 0, 1}},
        {"llama4-two-experts", "interleave_moe_layer_step", 3},
        {"deberta-v2", "pooler_hidden_act", "tanh"},
        {"deberta-v2-own-keys", "tie_word_embeddings", false},
        {"gpt-neox", "rope_parameters", {{"partial_rotary_factor", 0.5}, {"rope_theta", 500}}},
        {"falcon", "num_kv_heads", 4},
        {"bart", "extra_pos_embeddings", 2},
        {"bart", "init_std", 1},
        {"t5", "dense_act_fn", "relu"},
        {"t5", "relative_attention_max_distance", nullptr},
        {"t5", "scale_decoder_outputs", true},
    };
    for (const auto &[folder, field, value] : cases) {
        CAPTURE(folder);
        CAPTURE(field);
        const auto read = SpoiledFolder(folder).with(field, value);
        CHECK(refusal(read) == "");
        if (read)
            CHECK((*read)->warnings.empty());
    }
}

TEST_CASE("DeBERTa's pooler may use tanh, as other classifiers do") {
    const auto read =
        valueOf(SpoiledFolder("deberta-v2-classifier").with("pooler_hidden_act", "tanh"));
    CHECK(read->model.config.outputLayer.kind == OutputLayerKind::Classifier);
    CHECK_FALSE(read->model.config.outputLayer.activatesPooled);
}

TEST_CASE("numbers of 8 bits are refused by name, even if the config does not mention them") {
    const SpoiledFolder folder("deepseek-v3");
    const std::string tensor = "model.layers.1.mlp.experts.0.up_proj.weight";
    Json header = folder.header();
    Json &info = header.at(tensor);
    REQUIRE(info.at("dtype") == "F32");
    const auto begin = info.at("data_offsets").at(0).get<std::uint64_t>();
    const auto end = info.at("data_offsets").at(1).get<std::uint64_t>();
    info["dtype"] = "F8_E4M3";
    info["data_offsets"] = {begin, begin + (end - begin) / 4};
    const std::string message = refusal(folder.withHeader(header));
    CAPTURE(message);
    CHECK(message.find(tensor) != message.npos);
    CHECK(message.find("F8_E4M3") != message.npos);
}

TEST_CASE("an unknown field is named") {
    for (const std::string &name : oneOfEach()) {
        CAPTURE(name);
        const auto read = valueOf(SpoiledFolder(name).with("use_magic", true));
        REQUIRE(read->warnings.size() == 1);
        CHECK(read->warnings[0].where.ends_with("use_magic"));
    }
}

TEST_CASE("any field may be missing, of another type, huge or negative") {
    const Json values = Json::parse(R"([null, true, "x", "", -1, 0, 1, 3, 2.5, 1e300, -1e-300,
        9223372036854775807, [], [1, "x"], {}, {"rope_type": 3, "factor": -1}])");
    std::size_t refused = 0, tries = 0, turn = 0;
    for (const std::string &name : oneOfEach()) {
        CAPTURE(name);
        const SpoiledFolder folder(name);
        for (const auto &[field, was] : folder.config().items()) {
            CAPTURE(field);
            std::vector<Result<PretrainedPointer>> reads{folder.without(field)};
            for (const Json &value : values)
                if (headlight::test::isTried(turn++, 3)) // each value in one of three fields
                    reads.push_back(folder.with(field, value));
            for (const auto &read : reads) {
                ++tries;
                if (read)
                    tryOut(**read);
                else
                    CHECK_FALSE(refusal(read).empty());
                refused += !read.ok();
            }
        }
    }
    std::printf("%zu of %zu spoiled configs are refused\n", refused, tries);
    CHECK(refused > tries / 10);
}

TEST_CASE("a tensor that is missing, misshapen or of an unsuitable type is named") {
    constexpr std::array kNotNeeded{"*attn.bias",
                                    "*attention.bias",
                                    "*masked_bias",
                                    "*inv_freq",
                                    "*position_ids",
                                    "*pooler.*",
                                    "*final_logits_bias",
                                    "*predictions.decoder.*",
                                    "encoder.embed_tokens.weight",
                                    "decoder.embed_tokens.weight",
                                    "proj_out.weight",
                                    "vision_model.*", // CLIP is read as its text model
                                    "visual_projection.weight",
                                    "logit_scale",
                                    "*EncDecAttention.relative_attention_bias.weight"};
    std::size_t turn = 0;
    for (const std::string &name : oneOfEach()) {
        CAPTURE(name);
        const SpoiledFolder folder(name);
        const Json header = folder.header();
        for (const auto &[tensor, info] : header.items()) {
            if (!headlight::test::isTried(turn++, 3))
                continue;
            CAPTURE(tensor);
            if (std::ranges::any_of(kNotNeeded,
                                    [&](const char *glob) { return matchesGlob(glob, tensor); }))
                continue;
            Json missing = header;
            missing.erase(tensor);
            // In a tied model, the output matrix is the token embeddings.
            const bool isThereTwice = tensor == "shared.weight" || tensor == "predictions.bias" ||
                                      tensor == "albert.embeddings.word_embeddings.weight";
            CHECK(refusal(folder.withHeader(missing)).empty() == isThereTwice);
            Json misshapen = header;
            misshapen[tensor]["shape"].insert(misshapen[tensor]["shape"].begin(), 1);
            misshapen[tensor]["shape"].push_back(1);
            const std::string shapes = refusal(folder.withHeader(misshapen));
            CAPTURE(shapes);
            CHECK(shapes.find(tensor) != shapes.npos);
            CHECK(shapes.find("expected") != shapes.npos);
            Json retyped = header;
            retyped[tensor]["dtype"] = info.at("dtype") == "F32" ? "I32" : "I16";
            CHECK(refusal(folder.withHeader(retyped)).find(tensor) != std::string::npos);
        }
    }
}

TEST_CASE("DeepSeek's extra layers are ignored, as many as the config declares") {
    const SpoiledFolder folder("deepseek-v3");
    Json config = folder.config();
    config["num_hidden_layers"] = config.at("num_hidden_layers").get<int>() - 1;
    config["num_nextn_predict_layers"] = 1;
    CHECK(valueOf(folder.withConfig(config))->warnings.empty());
    config["num_nextn_predict_layers"] = 0;
    CHECK_FALSE(valueOf(folder.withConfig(config))->warnings.empty());
}
