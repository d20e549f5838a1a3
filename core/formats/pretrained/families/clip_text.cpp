// The text model of CLIP (modeling_clip.py of transformers), alone or together with the picture
// model: causal, although it generates no text. The end token, whose id is the largest, represents
// a text.
#include "core/formats/pretrained/families/clip_stack.h"
#include "core/formats/pretrained/families/families.h"

namespace headlight::core {

namespace {

using K = ParameterKind;

constexpr TensorRow kClipWords[] = {
    {"embeddings.token_embedding.weight", K::Embeddings},
    {"embeddings.position_embedding.weight", K::Positions},
};
constexpr TensorRow kClipTextNorm[] = {
    {"final_layer_norm.weight", K::FinalNormGain},
    {"final_layer_norm.bias", K::FinalNormBias},
};
constexpr TensorRow kTextProjection{"text_projection.weight", K::Projection};

constexpr Index kClipVocabulary = 49408, kOldEnd = 2;

/// The token that represents a text is the first one with this id. In older folders the field is
/// wrong, and the token with the largest id represents the text. The two rules agree if this id is
/// the last one of the vocabulary.
void checkEnd(const FamilyFields &fields, Index vocabulary) {
    const Index end = fields.id("eos_token_id").value_or(vocabulary - 1);
    if (end != kOldEnd && end != vocabulary - 1)
        fields.refuse("eos_token_id",
                      {"the end of a text is not the last of %1 tokens", vocabulary},
                      {"Headlight needs %1, or %2 as in older folders", vocabulary - 1, kOldEnd});
}

FamilyModel clipTextOf(const FamilyFields &fields, FamilyTensors &tensors,
                       const FamilyFields &whole) {
    FamilyModel model;
    Config &config = model.config;
    config.width = fields.size("hidden_size", kMaxWidth, 512);
    config.heads = fields.size("num_attention_heads", kMaxHeads, 8);
    config.headSize = fields.headSize(config.width, "num_attention_heads", config.heads);
    config.positions = Positions::Learned;
    config.norm = {NormKind::Layer, NormPosition::Before, fields.positive("layer_norm_eps", 1e-5f),
                   true, false};
    config.residual = true;
    config.feedForward = {fields.size("intermediate_size", kMaxFeedForwardWidth, 2048),
                          fields.activation("hidden_act", "quick_gelu"), false};
    config.outputLayer.pooling = Pooling::LargestId;
    model.vocabulary = fields.size("vocab_size", kMaxVocabulary, kClipVocabulary);
    model.positions = fields.size("max_position_embeddings", kMaxPositions, 77);
    model.masks = {CausalMask{}};
    model.parameters.main.layers.resize(
        static_cast<std::size_t>(fields.size("num_hidden_layers", kMaxLayers, 12)));
    checkEnd(fields, model.vocabulary);
    if (!fields.isSound())
        return model;
    tensors.read(model, kClipWords);
    readClipLayers(tensors, model, kClipTextNorm);
    readClipProjection(whole, tensors, model, kTextProjection, isDeclaredWithProjection(whole));
    return model;
}

FamilyModel readClipText(FamilyFields &fields, FamilyTensors &tensors) {
    return readClipPart({"text_config",
                         "text_config_dict",
                         {{"vision_model.*", "visual_projection.weight"}},
                         clipTextOf},
                        fields, tensors);
}

constexpr std::string_view kClipTextTypes[] = {"clip_text_model", "clip"};
constexpr std::string_view kClipTextIgnored[] = {"text_model.embeddings.position_ids"};

} // namespace

const Family kClipText{
    .name = "CLIP (texts)",
    .paper = "Radford et al. 2021, Learning Transferable Visual Models From Natural Language "
             "Supervision",
    .notes = "The model of texts of [CLIP](#clip), in a folder of both or alone, with its "
             "projection or without",
    .modelTypes = kClipTextTypes,
    .prefix = "text_model.",
    .unusedFields = kUnusedOfClipFolder,
    .unusedTensors = kClipTextIgnored,
    .read = readClipText,
};

} // namespace headlight::core
