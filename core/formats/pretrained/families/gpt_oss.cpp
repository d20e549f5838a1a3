// GPT-OSS (modeling_gpt_oss.py and integrations/mxfp4.py of transformers): attention with sinks,
// windows in every other layer, YaRN, and experts with biases and limited gates. The matrices of
// experts are MXFP4 or plain numbers. The weights of the chosen experts are the softmax over only
// their logits, which equals the softmax of all logits divided by the sum over the chosen ones.
#include "core/formats/pretrained/families/expert_stack.h"
#include "core/formats/pretrained/families/families.h"
#include "core/formats/pretrained/families/llama_stack.h"

namespace headlight::core {

namespace {

using K = ParameterKind;

constexpr TensorRow kGptOssRouter[] = {
    {"model.layers.{}.self_attn.sinks", K::Sinks},
    {"model.layers.{}.mlp.router.weight", K::Router},
    {"model.layers.{}.mlp.router.bias", K::RouterBias},
};
constexpr StackedRow kGptOssExperts[] = {
    {"model.layers.{}.mlp.experts.gate_up_proj", {K::Gate, K::Hidden}},
    {"model.layers.{}.mlp.experts.gate_up_proj_bias", {K::GateBias, K::HiddenBias}},
    {"model.layers.{}.mlp.experts.down_proj", K::FeedForwardOutput},
    {"model.layers.{}.mlp.experts.down_proj_bias", K::FeedForwardOutputBias},
};

/// Returns the default scaling, for a config.json that does not specify one.
RotaryConfig usualRotary(RotaryConfig rotary) {
    rotary.scaling = RotaryScaling::Yarn;
    rotary.factor = 32;
    rotary.originalLength = 4096;
    rotary.truncates = false;
    return rotary;
}

/// Configures the gate of the experts, which does not depend on hidden_act.
void readGate(const FamilyFields &fields, FeedForward &network) {
    constexpr float kAlpha = 1.702f;
    fields.mustBeOneOf("hidden_act", {"silu"});
    network.activation = Activation::QuickGelu;
    network.limit = fields.positive("swiglu_limit", 7);
    network.hiddenOffset = 1;
    if (fields.positive("swiglu_alpha", kAlpha) != kAlpha)
        fields.refuse("swiglu_alpha", "this factor of the gate is not supported",
                      "Headlight only supports 1.702");
}

FamilyModel readGptOss(FamilyFields &fields, FamilyTensors &tensors) {
    FamilyModel model = llamaStack(fields, {.headSize = 64,
                                            .heads = 64,
                                            .keyValueHeads = 8,
                                            .positions = 131072,
                                            .vocabulary = 201088,
                                            .epsilon = 1e-5f,
                                            .rotary = {.base = 150000}});
    Config &config = model.config;
    if (!fields.has("rope_scaling") && !fields.has("rope_parameters"))
        config.rotary = usualRotary(config.rotary);
    readExperts(fields, fields.nameOf("num_local_experts", "num_experts"), {128, 4}, model);
    config.feedForward.normalisesExperts = true;
    readGate(fields, config.feedForward);
    const Index window = fields.field("sliding_window").present() && !fields.has("sliding_window")
                             ? 0
                             : fields.size("sliding_window", kMaxPositions, 128);
    config.windows = fields.windows("layer_types", std::ssize(model.parameters.main.layers), window,
                                    [](Index layer) { return layer % 2 == 0; });
    const bool hasBiases = fields.flag("attention_bias", true);
    if (!fields.isSound())
        return model;
    readLlamaWords(fields, tensors, model);
    for (const auto &table :
         {kLlamaAttention, kLlamaNorms, std::span<const TensorRow>(kGptOssRouter)})
        tensors.read(model, table);
    if (hasBiases)
        for (const auto &table : {kLlamaInputBiases, kLlamaOutputBias})
            tensors.read(model, table);
    tensors.readStacked(model, kGptOssExperts);
    return model;
}

constexpr std::string_view kGptOssTypes[] = {"gpt_oss"};
constexpr std::string_view kGptOssUnused[] = {"attention_bias", "experts_per_token",
                                              "initial_context_length", "quantization_config"};

} // namespace

const Family kGptOss{
    .name = "GPT-OSS",
    .paper = "OpenAI 2025, gpt-oss-120b & gpt-oss-20b Model Card",
    .notes = "GPT-OSS: sinks, windows in every other layer, and experts with limited gates, "
             "whose matrices are MXFP4, as published, or F32, F16 or BF16",
    .modelTypes = kGptOssTypes,
    .prefix = "model.",
    .unusedFields = kGptOssUnused,
    .unusedTensors = kLlamaStored,
    .read = readGptOss,
};

} // namespace headlight::core
