// BLOOM (modeling_bloom.py of transformers): ALiBi, a norm of the embeddings, and queries, keys and
// values fused head by head. transformers adds slope · j to the scores, Headlight slope · (j − i).
// The difference is constant in each row, so the attention weights are the same.
#include "core/formats/pretrained/families/families.h"
#include "core/formats/pretrained/families/gpt_stack.h"

namespace headlight::core {

namespace {

using K = ParameterKind;

constexpr TensorRow kBloomEmbeddingNorm[] = {
    {"transformer.word_embeddings_layernorm.weight", K::EmbeddingNormGain},
    {"transformer.word_embeddings_layernorm.bias", K::EmbeddingNormBias},
};

FamilyModel readBloom(FamilyFields &fields, FamilyTensors &tensors) {
    FamilyModel model = gptStack(fields, {.width = fields.nameOf("hidden_size", "n_embed"),
                                          .heads = fields.nameOf("n_head", "num_attention_heads"),
                                          .layers = fields.nameOf("n_layer", "num_hidden_layers")});
    Config &config = model.config;
    config.positions = Positions::Alibi;
    fields.mustBe("apply_residual_connection_post_layernorm", false);
    config.norm = {NormKind::Layer, NormPosition::Before,
                   fields.positive("layer_norm_epsilon", 1e-5f), true, true};
    config.feedForward = {4 * config.width, Activation::GeluTanh, false};
    if (!fields.isSound())
        return model;

    readGptWords(fields, tensors, model, {"transformer.word_embeddings.weight", "lm_head.weight"},
                 true);
    for (const auto &table : {std::span<const TensorRow>(kBloomEmbeddingNorm), kFusedMatrices,
                              kFusedBiases, kFusedNorms})
        tensors.read(model, table);
    return model;
}

constexpr std::string_view kBloomTypes[] = {"bloom"};
constexpr std::string_view kBloomUnused[] = {
    "n_inner",
    "n_embed",
    "num_attention_heads",
    "num_hidden_layers",
    "seq_length",
    "offset_alibi",
    "skip_bias_add",
    "skip_bias_add_qkv",
    "slow_but_exact",
    "dtype",
    "bias_dropout_fusion",
    "masked_softmax_fusion",
    "n_positions",
    "attention_softmax_in_fp32",
};

} // namespace

const Family kBloom{
    .name = "BLOOM",
    .paper = "Le Scao et al. 2022, BLOOM: A 176B-Parameter Open-Access Multilingual Language Model",
    .notes = "BLOOM. Headlight adds slope · (j − i) to the scores instead of slope · j, "
             "which gives the same attention weights",
    .modelTypes = kBloomTypes,
    .prefix = "transformer.",
    .unusedFields = kBloomUnused,
    .unusedTensors = {},
    .read = readBloom,
};

} // namespace headlight::core
