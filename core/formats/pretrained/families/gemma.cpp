// Gemma 1 and 2 (modeling_gemma.py and modeling_gemma2.py of transformers): Llama with embeddings ×
// √C and norms whose gain is 1 + the stored value. Gemma 2 adds norms of the blocks' outputs,
// softcaps of scores and logits, and a window in every other layer.
#include "core/formats/pretrained/families/families.h"
#include "core/formats/pretrained/families/gemma_stack.h"

namespace headlight::core {

namespace {

/// Returns the tanh approximation of GELU for "gelu", as transformers does unless hidden_activation
/// is set. Gemma 1 was trained with it, although its first files contain "gelu".
Activation activationOf(const FamilyFields &fields) {
    if (fields.has("hidden_activation"))
        return fields.activation("hidden_activation", "gelu_pytorch_tanh");
    const Activation activation = fields.activation("hidden_act", "gelu_pytorch_tanh");
    return activation == Activation::Gelu ? Activation::GeluTanh : activation;
}

FamilyModel readGemma(FamilyFields &fields, FamilyTensors &tensors) {
    FamilyModel model = gemmaStack(fields);
    model.config.feedForward.activation = activationOf(fields);
    if (!fields.isSound())
        return model;
    tensors.addOneToGains();
    readLlamaWords(fields, tensors, model, true);
    for (const auto &table : {kLlamaAttention, kLlamaFeedForward, kLlamaNorms})
        tensors.read(model, table);
    readLlamaBiases(fields, tensors, model);
    return model;
}

FamilyModel readGemma2(FamilyFields &fields, FamilyTensors &tensors) {
    FamilyModel model = gemmaStack(fields);
    model.config.norm.place = NormPosition::BeforeAndOutput;
    scaleByQueryScalar(fields, model.config);
    model.config.scoreCap = fields.softcap("attn_logit_softcapping", {50});
    model.config.logitCap = fields.softcap("final_logit_softcapping", {30});
    model.config.windows =
        fields.windows("layer_types", std::ssize(model.parameters.main.layers), windowIn(fields),
                       [](Index layer) { return layer % 2 == 0; });
    if (!fields.isSound())
        return model;
    readGemmaParameters(fields, tensors, model);
    return model;
}

constexpr std::string_view kGemmaTypes[] = {"gemma"};
constexpr std::string_view kGemma2Types[] = {"gemma2"};

} // namespace

const Family kGemma{
    .name = "Gemma",
    .paper = "Gemma Team 2024, Gemma: Open Models Based on Gemini Research and Technology",
    .notes = "Gemma 1. Its norms multiply by 1 + w, and Headlight shows 1 + w as the gain",
    .modelTypes = kGemmaTypes,
    .prefix = "model.",
    .unusedFields = kGemmaUnused,
    .unusedTensors = kLlamaStored,
    .read = readGemma,
};

const Family kGemma2{
    .name = "Gemma 2",
    .paper = "Gemma Team 2024, Gemma 2: Improving Open Language Models at a Practical Size",
    .notes = "Gemma 2, with its caps and windows; gains as in Gemma 1",
    .modelTypes = kGemma2Types,
    .prefix = "model.",
    .unusedFields = kGemmaUnused,
    .unusedTensors = kLlamaStored,
    .read = readGemma2,
};

} // namespace headlight::core
