// ELECTRA (modeling_electra.py of transformers): BERT's stack, with embeddings that may be narrower
// than the layers. Generators predict masked tokens. The discriminator's own output, which detects
// replaced tokens, is not supported.
#include "core/formats/pretrained/families/bert_stack.h"
#include "core/formats/pretrained/families/families.h"

namespace headlight::core {

namespace {

using K = ParameterKind;

constexpr TensorRow kElectraProjection[] = {
    {"embeddings_project.weight", K::EmbeddingProjection},
    {"embeddings_project.bias", K::EmbeddingProjectionBias},
};
constexpr TensorRow kElectraMasked[] = {
    {"generator_predictions.dense.weight", K::PredictionTransform},
    {"generator_predictions.dense.bias", K::PredictionTransformBias},
    {"generator_predictions.LayerNorm.weight", K::PredictionNormGain},
    {"generator_predictions.LayerNorm.bias", K::PredictionNormBias},
    {"generator_lm_head.bias", K::OutputMatrixBias},
};
constexpr TensorRow kElectraOutput[] = {{"generator_lm_head.weight", K::OutputMatrix}};
constexpr FamilyTensors::TiedNames kElectraTied{"embeddings.word_embeddings.weight",
                                                "generator_lm_head.weight"};

FamilyModel readElectra(FamilyFields &fields, FamilyTensors &tensors) {
    FamilyModel model = bertStack(fields);
    Config &config = model.config;
    config.embeddingWidth = fields.size("embedding_size", kMaxWidth, 128);
    if (config.embeddingWidth == config.width)
        config.embeddingWidth = 0; // equal widths need no projection
    const bool saidTied = fields.flag("tie_word_embeddings", true);
    const bool isMasked = tensors.has("generator_predictions.dense.weight|generator_lm_head.bias");
    if (isMasked)
        predictMasked(config, Activation::Gelu); // independent of the layers' activation
    if (!fields.isSound())
        return model;

    const bool isTied = isMasked && tensors.isTied(saidTied, kElectraTied, true);
    tensors.read(model, kBertStackTensors);
    tensors.read(model, kElectraProjection);
    tensors.read(model, kElectraMasked);
    if (isMasked && !isTied)
        tensors.read(model, kElectraOutput);
    return model;
}

constexpr std::string_view kElectraTypes[] = {"electra"};
constexpr std::string_view kElectraUnused[] = {"summary_activation", "summary_last_dropout",
                                               "summary_type", "summary_use_proj"};
constexpr std::string_view kElectraIgnored[] = {"electra.embeddings.position_ids",
                                                "discriminator_predictions.*", "classifier.*"};

} // namespace

const Family kElectra{
    .name = "ELECTRA",
    .paper = "Clark et al. 2020, ELECTRA: Pre-training Text Encoders as Discriminators Rather "
             "Than Generators",
    .notes = "ELECTRA: generators with their masked-language head, and discriminators without "
             "theirs, which says whether a token was replaced",
    .modelTypes = kElectraTypes,
    .prefix = "electra.",
    .unusedFields = kElectraUnused,
    .unusedTensors = kElectraIgnored,
    .read = readElectra,
};

} // namespace headlight::core
