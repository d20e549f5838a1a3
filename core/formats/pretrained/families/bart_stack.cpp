#include "core/formats/pretrained/families/bart_stack.h"

#include <array>

namespace headlight::core {

namespace {

using K = ParameterKind;

constexpr TensorRow kBartWords[] = {
    {"shared.weight|decoder.embed_tokens.weight|encoder.embed_tokens.weight", K::Embeddings},
};
constexpr TensorRow kBartEncoder[] = {
    {"encoder.layernorm_embedding.weight", K::EmbeddingNormGain, kOfEncoder},
    {"encoder.layernorm_embedding.bias", K::EmbeddingNormBias, kOfEncoder},
    {"encoder.layers.{}.self_attn.q_proj.weight", K::Query, kOfEncoder},
    {"encoder.layers.{}.self_attn.q_proj.bias", K::QueryBias, kOfEncoder},
    {"encoder.layers.{}.self_attn.k_proj.weight", K::Key, kOfEncoder},
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
    {"encoder.layer_norm.weight", K::FinalNormGain, kOfEncoder},
    {"encoder.layer_norm.bias", K::FinalNormBias, kOfEncoder},
};
constexpr TensorRow kBartDecoder[] = {
    {"decoder.layernorm_embedding.weight", K::EmbeddingNormGain},
    {"decoder.layernorm_embedding.bias", K::EmbeddingNormBias},
    {"decoder.layers.{}.self_attn.q_proj.weight", K::Query},
    {"decoder.layers.{}.self_attn.q_proj.bias", K::QueryBias},
    {"decoder.layers.{}.self_attn.k_proj.weight", K::Key},
    {"decoder.layers.{}.self_attn.v_proj.weight", K::Value},
    {"decoder.layers.{}.self_attn.v_proj.bias", K::ValueBias},
    {"decoder.layers.{}.self_attn.out_proj.weight", K::Output},
    {"decoder.layers.{}.self_attn.out_proj.bias", K::OutputBias},
    {"decoder.layers.{}.self_attn_layer_norm.weight", K::NormGain},
    {"decoder.layers.{}.self_attn_layer_norm.bias", K::NormBias},
    {"decoder.layers.{}.encoder_attn.q_proj.weight", K::Query, Stack::Main, kAcross},
    {"decoder.layers.{}.encoder_attn.q_proj.bias", K::QueryBias, Stack::Main, kAcross},
    {"decoder.layers.{}.encoder_attn.k_proj.weight", K::Key, Stack::Main, kAcross},
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
    {"decoder.layer_norm.weight", K::FinalNormGain},
    {"decoder.layer_norm.bias", K::FinalNormBias},
};
constexpr TensorRow kBartKeyBiases[] = {
    {"encoder.layers.{}.self_attn.k_proj.bias", K::KeyBias, kOfEncoder},
    {"decoder.layers.{}.self_attn.k_proj.bias", K::KeyBias},
    {"decoder.layers.{}.encoder_attn.k_proj.bias", K::KeyBias, Stack::Main, kAcross},
};
constexpr TensorRow kBartOutputBias[] = {{"final_logits_bias", K::OutputMatrixBias}};
constexpr TensorRow kBartPositions[] = {
    {"encoder.embed_positions.weight", K::Positions, kOfEncoder},
    {"decoder.embed_positions.weight", K::Positions},
};
constexpr std::string_view kUnusedOfBarts[] = {
    "add_bias_logits",   "force_bos_token_to_be_generated",
    "classif_dropout",   "init_std",
    "encoder_layerdrop", "decoder_layerdrop",
    "num_hidden_layers", "extra_pos_embeddings"};
constexpr std::string_view kDuplicatesOfBarts[] = {"model.encoder.embed_tokens.weight",
                                                   "model.decoder.embed_tokens.weight"};

void refuseOtherVariants(const FamilyFields &fields, const BartVariant &variant) {
    const bool isBefore = variant.place == NormPosition::Before;
    fields.mustBe("normalize_before", isBefore);
    fields.mustBe("add_final_layer_norm", isBefore);
    fields.mustBe("normalize_embedding", variant.hasEmbeddingNorm);
    fields.mustBe("static_position_embeddings", variant.hasFixedPositions);
    fields.mustBe("share_encoder_decoder_embeddings", true);
}

} // namespace

const std::span<const std::string_view> kBartStackUnused = kUnusedOfBarts;
const std::span<const std::string_view> kBartStackDuplicates = kDuplicatesOfBarts;

FamilyModel bartStack(const FamilyFields &fields, const BartVariant &variant) {
    refuseOtherVariants(fields, variant);
    FamilyModel model;
    Config &config = model.config;
    config.width = fields.size("d_model", kMaxWidth);
    config.heads = fields.size("decoder_attention_heads", kMaxHeads);
    config.headSize = fields.headSize(config.width, "decoder_attention_heads", config.heads);
    config.positions = variant.hasFixedPositions ? Positions::Sinusoidal : Positions::Learned;
    if (variant.hasFixedPositions)
        config.sinusoidOrder = SinusoidOrder::Halves;
    config.norm = {NormKind::Layer, variant.place, 1e-5f, variant.place == NormPosition::Before,
                   variant.hasEmbeddingNorm};
    config.residual = true;
    config.scaleEmbeddings = fields.flag("scale_embedding", variant.scalesEmbeddings);
    config.feedForward = {fields.size("decoder_ffn_dim", kMaxFeedForwardWidth),
                          fields.activation("activation_function", variant.activation), false};
    EncoderSizes &encoder = config.encoder;
    encoder.heads = fields.size("encoder_attention_heads", kMaxHeads);
    encoder.headSize = fields.headSize(config.width, "encoder_attention_heads", encoder.heads);
    encoder.valueSize = encoder.headSize;
    encoder.feedForwardWidth = fields.size("encoder_ffn_dim", kMaxFeedForwardWidth);
    config.outputLayer.kind = OutputLayerKind::Language;
    model.vocabulary = fields.size("vocab_size", kMaxVocabulary);
    model.positions = fields.size(variant.positionsField, kMaxPositions);
    model.masks = {CausalMask{}, PaddingMask{}};
    model.encoderMasks = {PaddingMask{}};
    model.crossMasks = {PaddingMask{}};
    model.decoderStart = {fields.id("decoder_start_token_id").value_or(variant.start)};
    // Also adds the forced first token, so that the model does not have to generate it.
    if (const auto first = fields.id("forced_bos_token_id"))
        model.decoderStart.push_back(*first);
    const Index encoderLayers = fields.size("encoder_layers", kMaxLayers);
    const Index decoderLayers = fields.size("decoder_layers", kMaxLayers);
    model.parameters.encoder.layers.resize(static_cast<std::size_t>(encoderLayers));
    model.parameters.main.layers.resize(static_cast<std::size_t>(decoderLayers));
    return model;
}

void readStoredPositions(FamilyTensors &tensors, FamilyModel &model) {
    tensors.read(model, kBartPositions);
}

void useStoredPositions(FamilyTensors &tensors, FamilyModel &model) {
    if (!tensors.has(kBartPositions[0].name) || !tensors.has(kBartPositions[1].name))
        return;
    model.config.positions = Positions::Learned;
    readStoredPositions(tensors, model);
}

void readBartParameters(const FamilyFields &fields, FamilyTensors &tensors, FamilyModel &model,
                        std::string_view output, bool hasKeyBias) {
    const bool isTied = tensors.isTied(fields.flag("tie_word_embeddings", true),
                                       {kBartWords[0].name, output}, true);
    tensors.read(model, kBartWords);
    tensors.read(model, kBartEncoder);
    tensors.read(model, kBartDecoder);
    if (hasKeyBias)
        tensors.read(model, kBartKeyBiases);
    if (!isTied)
        tensors.read(model, std::array{TensorRow{output, K::OutputMatrix}});
    tensors.read(model, kBartOutputBias, Presence::Optional);
}

} // namespace headlight::core
