// DeepSeek-V3 and R1 (modeling_deepseek_v3.py of transformers): latent attention, experts in
// groups, and a network for all tokens. Latent attention computes keys and values from one short
// vector. The rotated dimensions of a head are read before the others, which does not change the
// scores. Layers that predict further tokens are not read, and 8-bit weights are not supported.
#include "core/formats/pretrained/families/expert_stack.h"
#include "core/formats/pretrained/families/families.h"
#include "core/formats/pretrained/families/llama_stack.h"

#include <cmath>

namespace headlight::core {

namespace {

using K = ParameterKind;

constexpr TensorRow kLatentValues[] = {
    {"model.layers.{}.self_attn.kv_b_proj.weight",
     {K::Key, K::Value},
     Stack::Main,
     Block::SelfAttention,
     HeadRows::KeyAndValue},
    {"model.layers.{}.self_attn.kv_a_layernorm.weight", K::CompressedKeyValueNormGain},
    {"model.layers.{}.self_attn.o_proj.weight", K::Output},
};
constexpr TensorRow kLatentQueryNorm[] = {
    {"model.layers.{}.self_attn.q_a_proj.weight", K::QueryCompression},
    {"model.layers.{}.self_attn.q_a_layernorm.weight", K::CompressedQueryNormGain},
};
/// Returns the table row of the queries, whose rotated dimensions are reordered.
constexpr auto queryRow(std::string_view name, HeadRows rows) {
    return std::array{TensorRow{name, K::Query, Stack::Main, Block::SelfAttention, rows}};
}
constexpr std::string_view kQueries = "model.layers.{}.self_attn.q_proj.weight";
constexpr std::string_view kCompressedQueries = "model.layers.{}.self_attn.q_b_proj.weight";
/// Returns the table row of the compressed keys and values and of the shared key, whose dimensions
/// are reordered.
constexpr auto latentRow(HeadRows ofSharedKey) {
    return std::array{
        TensorRow{"model.layers.{}.self_attn.kv_a_proj_with_mqa.weight",
                  {K::KeyValueCompression, K::SharedKey},
                  Stack::Main,
                  Block::SelfAttention,
                  ofSharedKey},
    };
}
constexpr auto latentBias(HeadRows ofSharedKey) {
    return std::array{TensorRow{"model.layers.{}.self_attn.kv_a_proj_with_mqa.bias",
                                {K::KeyValueCompressionBias, K::SharedKeyBias},
                                Stack::Main,
                                Block::SelfAttention,
                                ofSharedKey}};
}
constexpr auto kLatentHalves = latentRow(HeadRows::Joined);
constexpr auto kLatentPairs = latentRow(HeadRows::SharedKeyPairs);
constexpr auto kLatentHalvesBias = latentBias(HeadRows::Joined);
constexpr auto kLatentPairsBias = latentBias(HeadRows::SharedKeyPairs);
constexpr TensorRow kLatentQueryBias[] = {
    {"model.layers.{}.self_attn.q_a_proj.bias", K::QueryCompressionBias}};
constexpr TensorRow kLatentOutputBias[] = {
    {"model.layers.{}.self_attn.o_proj.bias", K::OutputBias}};
constexpr TensorRow kDeepseekRouter[] = {
    {"model.layers.{}.mlp.gate.e_score_correction_bias", K::RouterChoiceBias}};
constexpr TensorRow kDeepseekShared[] = {
    {"model.layers.{}.mlp.shared_experts.gate_proj.weight", K::SharedGate},
    {"model.layers.{}.mlp.shared_experts.up_proj.weight", K::SharedHidden},
    {"model.layers.{}.mlp.shared_experts.down_proj.weight", K::SharedOutput},
};

/// Reads the scale of the scores, which YaRN's mscale_all_dim changes.
Scale readScale(const FamilyFields &fields, const Config &config) {
    const Field parameters = fields.field("rope_parameters"), older = fields.field("rope_scaling");
    const Field &scaling = parameters.is(JsonValue::Kind::Object) ? parameters : older;
    if (!scaling.is(JsonValue::Kind::Object) || config.rotary.scaling == RotaryScaling::None)
        return {};
    const Field strength = scaling.member("mscale_all_dim");
    if (!strength.present() || !strength.is(JsonValue::Kind::Number) ||
        strength.value().number == 0)
        return {};
    const double by = yarnFactor(config.rotary.factor, strength.value().number);
    return {Scale::Kind::Number,
            static_cast<float>(std::sqrt(static_cast<double>(config.headSize)) / (by * by))};
}

void readAttention(const FamilyFields &fields, Config &config) {
    LatentAttention &latent = config.latent;
    latent.keyValueSize = fields.size("kv_lora_rank", kMaxWidth, 512);
    const bool hasNoQueries =
        fields.field("q_lora_rank").present() && !fields.has("q_lora_rank"); // the field is null
    latent.querySize = hasNoQueries ? 0 : fields.size("q_lora_rank", kMaxWidth, 1536);
    latent.sharedKeySize = fields.size("qk_rope_head_dim", kMaxWidth, 64);
    if (latent.sharedKeySize % 2 != 0 && fields.isSound())
        fields.refuse("qk_rope_head_dim",
                      {"dimensions are rotated in pairs, but %1 is odd", latent.sharedKeySize},
                      "use an even number");
    latent.epsilon = 1e-6f; // rms_norm_eps does not apply here
    config.headSize = latent.sharedKeySize + fields.size("qk_nope_head_dim", kMaxWidth, 128);
    config.valueSize = fields.size("v_head_dim", kMaxWidth, 128);
    if (fields.size("num_key_value_heads", kMaxHeads, config.heads) != config.heads)
        fields.refuse("num_key_value_heads", "heads cannot share keys and values here",
                      {"it must be num_attention_heads, %1", config.heads});
    config.keyValueHeads = config.heads;
    config.rotary.width = latent.sharedKeySize;
    config.scale = readScale(fields, config);
}

void readNetworks(const FamilyFields &fields, FamilyModel &model) {
    FeedForward &network = model.config.feedForward;
    const auto layers = std::ssize(model.parameters.main.layers);
    network.denseLayers = std::min<Index>(fields.id("first_k_dense_replace").value_or(3), layers);
    network.denseWidth = network.denseLayers > 0 ? network.width : 0;
    network.width = fields.size("moe_intermediate_size", kMaxFeedForwardWidth, 2048);
    readExperts(fields, fields.nameOf("n_routed_experts", "num_local_experts"), {256, 8}, model);
    network.normalisesExperts = fields.flag("norm_topk_prob", true);
    network.sigmoidRouter = true;
    fields.mustBeOneOf("scoring_func", {"sigmoid"});
    fields.mustBeOneOf("topk_method", {"noaux_tc"});
    if (fields.size("moe_layer_freq", kMaxLayers, 1) != 1)
        fields.refuse("moe_layer_freq", "some layers have no experts",
                      "Headlight only supports 1: experts in every layer after the dense ones");
    network.expertGroups = fields.size("n_group", kMaxExperts, 8);
    network.chosenGroups = fields.size("topk_group", kMaxExperts, 4);
    if (network.experts % network.expertGroups != 0 || network.experts < 2 * network.expertGroups)
        fields.refuse("n_group",
                      {"%1 experts cannot be in %2 groups of two or more", network.experts,
                       network.expertGroups},
                      "the experts must be a multiple of it");
    else if (network.chosenGroups > network.expertGroups ||
             network.chosenGroups * (network.experts / network.expertGroups) < network.chosen)
        fields.refuse(
            "topk_group",
            {"%1 experts cannot be chosen in %2 groups", network.chosen, network.chosenGroups},
            {"it must be a whole number up to %1", network.expertGroups});
    network.expertFactor = fields.positive("routed_scaling_factor", 2.5f);
    const Index shared = fields.id("n_shared_experts").value_or(1);
    network.sharedWidth = std::min(shared, kMaxExperts) * network.width;
}

FamilyModel readDeepseek(FamilyFields &fields, FamilyTensors &tensors) {
    FamilyModel model = llamaStack(fields, {.headSize = 64, .keyValueHeads = 128, .rotary = {}});
    Config &config = model.config;
    readAttention(fields, config);
    readNetworks(fields, model);
    const bool arePairs = fields.flag("rope_interleave", true);
    const bool hasBiases = fields.flag("attention_bias", false);
    const Index furtherLayers =
        std::min(fields.id("num_nextn_predict_layers").value_or(0), kMaxLayers);
    if (!fields.isSound())
        return model;
    const auto layers = std::ssize(model.parameters.main.layers);
    for (Index after = 0; after < furtherLayers; ++after) // they predict tokens after the next one
        tensors.ignore("model.layers." + std::to_string(layers + after) + ".*");
    readLlamaWords(fields, tensors, model);
    tensors.read(model, kLlamaNorms);
    tensors.read(model, queryRow(config.latent.compressesQueries() ? kCompressedQueries : kQueries,
                                 arePairs ? HeadRows::RotatedLastPairs : HeadRows::RotatedLast));
    tensors.read(model, arePairs ? kLatentPairs : kLatentHalves);
    tensors.read(model, kLatentValues);
    if (config.latent.compressesQueries())
        tensors.read(model, kLatentQueryNorm);
    if (hasBiases) {
        tensors.read(model, arePairs ? kLatentPairsBias : kLatentHalvesBias);
        tensors.read(model, kLatentOutputBias);
        if (config.latent.compressesQueries())
            tensors.read(model, kLatentQueryBias);
    }
    for (const auto &table :
         {std::span<const TensorRow>(kLlamaFeedForward), kMlpExperts,
          std::span<const TensorRow>(kDeepseekRouter), std::span<const TensorRow>(kDeepseekShared)})
        tensors.read(model, table);
    return model;
}

constexpr std::string_view kDeepseekTypes[] = {"deepseek_v3"};
constexpr std::string_view kDeepseekUnused[] = {"head_dim",       "qk_head_dim", "pretraining_tp",
                                                "aux_loss_alpha", "seq_aux",     "ep_size",
                                                "auto_map",       "mlp_bias"};
constexpr std::string_view kDeepseekIgnored[] = {"model.layers.*.self_attn.rotary_emb.inv_freq",
                                                 "model.rotary_emb.inv_freq"};

} // namespace

const Family kDeepseekV3{
    .name = "DeepSeek-V3",
    .paper = "DeepSeek-AI 2024, DeepSeek-V3 Technical Report",
    .notes = "DeepSeek-V3 and R1 with F32, F16 or BF16 numbers (FP8, as published, is refused by "
             "name): latent attention, experts in groups beside a shared network, dense first "
             "layers. The layer that predicts further tokens is not read",
    .modelTypes = kDeepseekTypes,
    .prefix = "model.",
    .unusedFields = kDeepseekUnused,
    .unusedTensors = kDeepseekIgnored,
    .read = readDeepseek,
};

} // namespace headlight::core
