// Gemma 3, and the text model within its multimodal models (modeling_gemma3.py of transformers):
// Gemma 2 without softcaps, but with norms of queries and keys. Layers with a window have a smaller
// rotation base.
#include "core/formats/pretrained/families/families.h"
#include "core/formats/pretrained/families/gemma_stack.h"

namespace headlight::core {

namespace {

constexpr float kUsualLocalBase = 10000;

/// Returns the rotation base of layers with a window. Newer files have an object for each kind of
/// layer.
float localBaseIn(const FamilyFields &fields, const Field &parameters) {
    const float older = fields.positive("rope_local_base_freq", kUsualLocalBase);
    if (!parameters.present())
        return older;
    if (const Field type = parameters.member("rope_type"); type.present())
        (void)type.word({"default"});
    const Field base = parameters.member("rope_theta");
    return base.present() ? base.positive().value_or(older) : older;
}

FamilyModel readText(const FamilyFields &fields, FamilyTensors &tensors, bool isTied) {
    const LlamaDefaults defaults{.heads = 8,
                                 .keyValueHeads = 4,
                                 .positions = Index(1) << 17,
                                 .vocabulary = 262208,
                                 .rotary = {.base = 1e6f}};
    FamilyModel model = gemmaStack(fields, defaults);
    Config &config = model.config;
    config.norm.place = NormPosition::BeforeAndOutput;
    config.queryKeyNorm = QueryKeyNorm::PerHead;
    scaleByQueryScalar(fields, config);
    config.scoreCap = fields.softcap("attn_logit_softcapping", {});
    config.logitCap = fields.softcap("final_logit_softcapping", {});
    const Field parameters = fields.field("rope_parameters");
    if (const Field full = parameters.member("full_attention"); full.present())
        config.rotary =
            readRotary(fields, full, config.headSize, defaults.positions, defaults.rotary);
    config.localRotaryBase = localBaseIn(fields, parameters.member("sliding_attention"));
    const char *patternField = fields.nameOf("sliding_window_pattern", "_sliding_window_pattern");
    const Index pattern = fields.size(patternField, kMaxLayers, 6);
    config.windows =
        fields.windows("layer_types", std::ssize(model.parameters.main.layers), windowIn(fields),
                       [pattern](Index layer) { return (layer + 1) % pattern != 0; });
    if (fields.isSound())
        readGemmaParameters(fields, tensors, model, isTied);
    return model;
}

constexpr std::string_view kTextUnused[] = {"sliding_window_pattern", "_sliding_window_pattern",
                                            "rope_local_base_freq", "rope_theta", "rope_scaling"};

FamilyModel readGemma3(FamilyFields &fields, FamilyTensors &tensors) {
    if (!fields.has("text_config"))
        return readText(fields, tensors, true);
    // In a multimodal model, the text model has its own object in config.json.
    const FamilyFields text(fields.field("text_config"));
    text.ignore(kUnusedFields);
    text.ignore(kGemmaUnused);
    text.ignore(kTextUnused);
    alsoWithinImages(tensors);
    return readText(text, tensors, fields.flag("tie_word_embeddings", true));
}

constexpr std::string_view kGemma3Types[] = {"gemma3_text", "gemma3"};
constexpr std::string_view kGemma3Unused[] = {
    "hidden_act",
    "cache_implementation",
    "query_pre_attn_scalar",
    "sliding_window",
    "sliding_window_size",
    "sliding_window_pattern",
    "vision_config",
    "_sliding_window_pattern",
    "mm_tokens_per_image",
    "boi_token_index",
    "eoi_token_index",
    "image_token_index",
    "rope_local_base_freq",
    "rope_theta",
    "rope_scaling",
};
constexpr std::string_view kGemma3Images[] = {"vision_tower.*", "model.vision_tower.*",
                                              "multi_modal_projector.*",
                                              "model.multi_modal_projector.*"};

} // namespace

const Family kGemma3{
    .name = "Gemma 3",
    .paper = "Gemma Team 2025, Gemma 3 Technical Report",
    .notes = "Gemma 3, and the text model alone within a folder for texts and images; gains as "
             "in Gemma 1",
    .modelTypes = kGemma3Types,
    .prefix = "model.",
    .unusedFields = kGemma3Unused,
    .unusedTensors = kGemma3Images,
    .read = readGemma3,
};

} // namespace headlight::core
