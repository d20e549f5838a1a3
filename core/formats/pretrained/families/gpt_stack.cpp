#include "core/formats/pretrained/families/gpt_stack.h"

namespace headlight::core {

namespace {

using K = ParameterKind;

constexpr TensorRow kMatricesOfFused[] = {
    {"transformer.h.{}.self_attention.query_key_value.weight",
     {K::Query, K::Key, K::Value},
     Stack::Main,
     Block::SelfAttention,
     HeadRows::PerGroup},
    {"transformer.h.{}.self_attention.dense.weight", K::Output},
    {"transformer.h.{}.mlp.dense_h_to_4h.weight", K::Hidden},
    {"transformer.h.{}.mlp.dense_4h_to_h.weight", K::FeedForwardOutput},
    {"transformer.ln_f.weight", K::FinalNormGain},
    {"transformer.ln_f.bias", K::FinalNormBias},
};
constexpr TensorRow kBiasesOfFused[] = {
    {"transformer.h.{}.self_attention.query_key_value.bias",
     {K::QueryBias, K::KeyBias, K::ValueBias},
     Stack::Main,
     Block::SelfAttention,
     HeadRows::PerGroup},
    {"transformer.h.{}.self_attention.dense.bias", K::OutputBias},
    {"transformer.h.{}.mlp.dense_h_to_4h.bias", K::HiddenBias},
    {"transformer.h.{}.mlp.dense_4h_to_h.bias", K::FeedForwardOutputBias},
};
constexpr TensorRow kNormsOfFused[] = {
    {"transformer.h.{}.input_layernorm.weight", K::NormGain},
    {"transformer.h.{}.input_layernorm.bias", K::NormBias},
    {"transformer.h.{}.post_attention_layernorm.weight", K::FeedForwardNormGain},
    {"transformer.h.{}.post_attention_layernorm.bias", K::FeedForwardNormBias},
};

} // namespace

const std::span<const TensorRow> kFusedMatrices = kMatricesOfFused;
const std::span<const TensorRow> kFusedBiases = kBiasesOfFused;
const std::span<const TensorRow> kFusedNorms = kNormsOfFused;

FamilyModel gptStack(const FamilyFields &fields, const GptFields &names) {
    FamilyModel model;
    Config &config = model.config;
    config.width = fields.size(names.width, kMaxWidth);
    config.heads = fields.size(names.heads, kMaxHeads);
    config.headSize = fields.headSize(config.width, names.heads, config.heads);
    config.residual = true;
    config.outputLayer.kind = OutputLayerKind::Language;
    model.vocabulary = fields.size("vocab_size", kMaxVocabulary);
    model.masks = {CausalMask{}};
    model.parameters.main.layers.resize(
        static_cast<std::size_t>(fields.size(names.layers, kMaxLayers)));
    return model;
}

bool readGptWords(const FamilyFields &fields, FamilyTensors &tensors, FamilyModel &model,
                  const FamilyTensors::TiedNames &names, bool isTied) {
    isTied = tensors.isTied(fields.optionalFlag("tie_word_embeddings"), names, isTied);
    const TensorRow embeddings[] = {{names.embeddings, K::Embeddings}};
    const TensorRow output[] = {{names.output, K::OutputMatrix}};
    tensors.read(model, embeddings);
    if (!isTied)
        tensors.read(model, output);
    return isTied;
}

} // namespace headlight::core
