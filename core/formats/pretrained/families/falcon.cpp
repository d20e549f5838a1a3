// Falcon (modeling_falcon.py of transformers): parallel blocks that share one norm or have one
// each; few key-value heads, fused with the queries group by group. The ALiBi variant is rejected,
// because it rounds ALiBi's values to 8 bits.
#include "core/formats/pretrained/families/families.h"
#include "core/formats/pretrained/families/gpt_stack.h"

namespace headlight::core {

namespace {

using K = ParameterKind;

constexpr TensorRow kFalconTwoNorms[] = {
    {"transformer.h.{}.ln_attn.weight", K::NormGain},
    {"transformer.h.{}.ln_attn.bias", K::NormBias},
    {"transformer.h.{}.ln_mlp.weight", K::FeedForwardNormGain},
    {"transformer.h.{}.ln_mlp.bias", K::FeedForwardNormBias},
};

FamilyModel readFalcon(FamilyFields &fields, FamilyTensors &tensors) {
    FamilyModel model = gptStack(fields, {.width = fields.nameOf("hidden_size", "n_embed"),
                                          .heads = fields.nameOf("num_attention_heads", "n_head"),
                                          .layers = fields.nameOf("num_hidden_layers", "n_layer")});
    Config &config = model.config;
    const bool isNew = fields.flag("new_decoder_architecture", false);
    const Index groups =
        fields.size(fields.nameOf("num_kv_heads", "n_head_kv"), kMaxHeads, config.heads);
    const bool isMultiQuery = fields.flag("multi_query", true);
    config.keyValueHeads = isNew ? groups : isMultiQuery ? 1 : config.heads;
    fields.mustBe("alibi", false);
    fields.mustBe("apply_residual_connection_post_layernorm", false);
    config.positions = Positions::Rotary;
    const Index positions = fields.size("max_position_embeddings", kMaxConfigPositions, 2048);
    config.rotary = readRotary(fields, config.headSize, positions);
    config.norm = {NormKind::Layer, NormPosition::Before,
                   fields.positive("layer_norm_epsilon", 1e-5f), true, false};
    config.parallel = fields.flag("parallel_attn", true);
    if (isNew && !config.parallel)
        fields.refuse("parallel_attn", "the new decoder architecture has only parallel blocks",
                      "set it to true");
    const Index norms = fields.size("num_ln_in_parallel_attn", 2, isNew ? 2 : 1);
    const bool hasTwo = isNew && norms == 2;
    config.sharedNorm = config.parallel && !hasTwo;
    config.feedForward = {fields.size("ffn_hidden_size", kMaxFeedForwardWidth, 4 * config.width),
                          fields.activation("activation", "gelu"), false};
    const bool hasBiases = fields.flag("bias", false);
    if (!fields.isSound())
        return model;

    readGptWords(fields, tensors, model, {"transformer.word_embeddings.weight", "lm_head.weight"},
                 true);
    tensors.read(model, kFusedMatrices);
    tensors.read(model, hasTwo ? std::span<const TensorRow>(kFalconTwoNorms) : kFusedNorms);
    if (hasBiases)
        tensors.read(model, kFusedBiases);
    return model;
}

constexpr std::string_view kFalconTypes[] = {"falcon"};
constexpr std::string_view kFalconUnused[] = {"num_kv_heads", "n_head_kv", "n_embed", "n_head",
                                              "n_layer"};
constexpr std::string_view kFalconStored[] = {
    "transformer.h.*.self_attention.maybe_rotary.inv_freq",
    "transformer.h.*.self_attention.rotary_emb.inv_freq", "transformer.rotary_emb.inv_freq"};

} // namespace

const Family kFalcon{
    .name = "Falcon",
    .paper = "Almazrouei et al. 2023, The Falcon Series of Open Language Models",
    .notes = "Falcon in both architectures, not with ALiBi (falcon-rw), whose numbers are "
             "rounded to 8 bits",
    .modelTypes = kFalconTypes,
    .prefix = "transformer.",
    .unusedFields = kFalconUnused,
    .unusedTensors = kFalconStored,
    .read = readFalcon,
};

} // namespace headlight::core
