// BART (modeling_bart.py): an encoder and a decoder with post-norm, positions that start at row 2,
// and one embedding matrix for both stacks and the output.
#include "core/formats/pretrained/families/bert_stack.h"
#include "core/formats/pretrained/families/families.h"

namespace headlight::core {

namespace {

using K = ParameterKind;

constexpr Index kBartOffset = 2;

constexpr TensorRow kBartWords[] = {
    {"shared.weight|decoder.embed_tokens.weight|encoder.embed_tokens.weight", K::Embeddings},
};
constexpr TensorRow kBartEncoder[] = {
    {"encoder.embed_positions.weight", K::Positions, kOfEncoder},
    {"encoder.layernorm_embedding.weight", K::EmbeddingNormGain, kOfEncoder},
    {"encoder.layernorm_embedding.bias", K::EmbeddingNormBias, kOfEncoder},
    {"encoder.layers.{}.self_attn.q_proj.weight", K::Query, kOfEncoder},
    {"encoder.layers.{}.self_attn.q_proj.bias", K::QueryBias, kOfEncoder},
    {"encoder.layers.{}.self_attn.k_proj.weight", K::Key, kOfEncoder},
    {"encoder.layers.{}.self_attn.k_proj.bias", K::KeyBias, kOfEncoder},
    {"encoder.layers.{}.self_attn.v_proj.weight", K::Value, kOfEncoder},
    {"encoder.layers.{}.self_attn.v_proj.bias", K::ValueBias, kOfEncoder},
    {"encoder.layers.{}.self_attn.out_proj.weight", K::Output, kOfEncoder},
    {"encoder.layers.{}.self_attn.out_proj.bias", K::OutputBias, kOfEncoder},
    {"encoder.layers.{}.self_attn_layer_norm.weight", K::NormGain, kOfEncoder},
    {"encoder.layers.{}.self_attn_layer_norm.bias", K::NormBias, kOfEncoder},
    {"encoder.layers.{}.fc1.weight", K::Hidden, kOfEncoder},
    {"encoder.layers.{}.fc1.bias", K::HiddenBias, kOfEncoder},
    {"encoder.layers.{}.fc2.weight", K::FeedForwardOutput, kOfEncoder},
    {"encoder.layers.{}.fc2.bias", K::FeedForwardOutputBias, kOfEncoder},
    {"encoder.layers.{}.final_layer_norm.weight", K::FeedForwardNormGain, kOfEncoder},
    {"encoder.layers.{}.final_layer_norm.bias", K::FeedForwardNormBias, kOfEncoder},
};
constexpr TensorRow kBartDecoder[] = {
    {"decoder.embed_positions.weight", K::Positions},
    {"decoder.layernorm_embedding.weight", K::EmbeddingNormGain},
    {"decoder.layernorm_embedding.bias", K::EmbeddingNormBias},
    {"decoder.layers.{}.self_attn.q_proj.weight", K::Query},
    {"decoder.layers.{}.self_attn.q_proj.bias", K::QueryBias},
    {"decoder.layers.{}.self_attn.k_proj.weight", K::Key},
    {"decoder.layers.{}.self_attn.k_proj.bias", K::KeyBias},
    {"decoder.layers.{}.self_attn.v_proj.weight", K::Value},
    {"decoder.layers.{}.self_attn.v_proj.bias", K::ValueBias},
    {"decoder.layers.{}.self_attn.out_proj.weight", K::Output},
    {"decoder.layers.{}.self_attn.out_proj.bias", K::OutputBias},
    {"decoder.layers.{}.self_attn_layer_norm.weight", K::NormGain},
    {"decoder.layers.{}.self_attn_layer_norm.bias", K::NormBias},
    {"decoder.layers.{}.encoder_attn.q_proj.weight", K::Query, Stack::Main, kAcross},
    {"decoder.layers.{}.encoder_attn.q_proj.bias", K::QueryBias, Stack::Main, kAcross},
    {"decoder.layers.{}.encoder_attn.k_proj.weight", K::Key, Stack::Main, kAcross},
    {"decoder.layers.{}.encoder_attn.k_proj.bias", K::KeyBias, Stack::Main, kAcross},
    {"decoder.layers.{}.encoder_attn.v_proj.weight", K::Value, Stack::Main, kAcross},
    {"decoder.layers.{}.encoder_attn.v_proj.bias", K::ValueBias, Stack::Main, kAcross},
    {"decoder.layers.{}.encoder_attn.out_proj.weight", K::Output, Stack::Main, kAcross},
    {"decoder.layers.{}.encoder_attn.out_proj.bias", K::OutputBias, Stack::Main, kAcross},
    {"decoder.layers.{}.encoder_attn_layer_norm.weight", K::NormGain, Stack::Main, kAcross},
    {"decoder.layers.{}.encoder_attn_layer_norm.bias", K::NormBias, Stack::Main, kAcross},
    {"decoder.layers.{}.fc1.weight", K::Hidden},
    {"decoder.layers.{}.fc1.bias", K::HiddenBias},
    {"decoder.layers.{}.fc2.weight", K::FeedForwardOutput},
    {"decoder.layers.{}.fc2.bias", K::FeedForwardOutputBias},
    {"decoder.layers.{}.final_layer_norm.weight", K::FeedForwardNormGain},
    {"decoder.layers.{}.final_layer_norm.bias", K::FeedForwardNormBias},
};
constexpr TensorRow kBartOutput[] = {{"lm_head.weight", K::OutputMatrix}};
constexpr TensorRow kBartOutputBias[] = {{"final_logits_bias", K::OutputMatrixBias}};

/// Rejects options of fairseq's models that the published BART models do not use.
void refuseOtherBarts(const FamilyFields &fields) {
    fields.mustBe("normalize_before", false);
    fields.mustBe("normalize_embedding", true);
    fields.mustBe("add_final_layer_norm", false);
    fields.mustBe("static_position_embeddings", false);
    if (fields.id("extra_pos_embeddings").value_or(kBartOffset) != kBartOffset)
        fields.refuse("extra_pos_embeddings", "positions begin at another row",
                      {"Headlight begins at row %1", kBartOffset});
}

FamilyModel readBart(FamilyFields &fields, FamilyTensors &tensors) {
    refuseOtherBarts(fields);
    FamilyModel model;
    Config &config = model.config;
    config.width = fields.size("d_model", kMaxWidth);
    config.heads = fields.size("decoder_attention_heads", kMaxHeads);
    config.headSize = fields.headSize(config.width, "decoder_attention_heads", config.heads);
    normAfterParts(config, 1e-5f);
    config.positionOffset = kBartOffset;
    config.scaleEmbeddings = fields.flag("scale_embedding", false);
    config.feedForward = {fields.size("decoder_ffn_dim", kMaxFeedForwardWidth),
                          fields.activation("activation_function", "gelu"), false};
    EncoderSizes &encoder = config.encoder;
    encoder.heads = fields.size("encoder_attention_heads", kMaxHeads);
    encoder.headSize = fields.headSize(config.width, "encoder_attention_heads", encoder.heads);
    encoder.valueSize = encoder.headSize;
    encoder.feedForwardWidth = fields.size("encoder_ffn_dim", kMaxFeedForwardWidth);
    config.outputLayer.kind = OutputLayerKind::Language;
    model.vocabulary = fields.size("vocab_size", kMaxVocabulary);
    model.positions = fields.size("max_position_embeddings", kMaxPositions) + kBartOffset;
    model.masks = {CausalMask{}, PaddingMask{}};
    model.encoderMasks = {PaddingMask{}};
    model.crossMasks = {PaddingMask{}};
    model.decoderStart = {fields.id("decoder_start_token_id").value_or(2)};
    // The forced first token is part of the start, so it need not be generated.
    if (const auto first = fields.id("forced_bos_token_id"))
        model.decoderStart.push_back(*first);
    const Index encoderLayers = fields.size("encoder_layers", kMaxLayers);
    const Index decoderLayers = fields.size("decoder_layers", kMaxLayers);
    const bool saidTied = fields.flag("tie_word_embeddings", true);
    if (!fields.isSound())
        return model;

    model.parameters.encoder.layers.resize(static_cast<std::size_t>(encoderLayers));
    model.parameters.main.layers.resize(static_cast<std::size_t>(decoderLayers));
    const bool isTied = tensors.isTied(saidTied, {kBartWords[0].name, "lm_head.weight"}, true);
    tensors.read(model, kBartWords);
    tensors.read(model, kBartEncoder);
    tensors.read(model, kBartDecoder);
    if (!isTied)
        tensors.read(model, kBartOutput);
    tensors.read(model, kBartOutputBias, Presence::Optional);
    return model;
}

constexpr std::string_view kBartTypes[] = {"bart"};
constexpr std::string_view kBartUnused[] = {"add_bias_logits",   "force_bos_token_to_be_generated",
                                            "classif_dropout",   "init_std",
                                            "encoder_layerdrop", "decoder_layerdrop",
                                            "num_hidden_layers"};
// Duplicates of the embedding matrix.
constexpr std::string_view kBartIgnored[] = {"model.encoder.embed_tokens.weight",
                                             "model.decoder.embed_tokens.weight"};

} // namespace

const Family kBart{
    .name = "BART",
    .paper = "Lewis et al. 2020, BART: Denoising Sequence-to-Sequence Pre-training for Natural "
             "Language Generation, Translation, and Comprehension",
    .modelTypes = kBartTypes,
    .prefix = "model.",
    .unusedFields = kBartUnused,
    .unusedTensors = kBartIgnored,
    .read = readBart,
};

} // namespace headlight::core
