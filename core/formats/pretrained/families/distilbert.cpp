// DistilBERT (modeling_distilbert.py): BERT without token types and with other names. The epsilon
// of its norms is not configurable.
#include "core/formats/pretrained/families/bert_stack.h"
#include "core/formats/pretrained/families/families.h"

namespace headlight::core {

namespace {

using K = ParameterKind;

constexpr TensorRow kDistilbertStack[] = {
    {"embeddings.word_embeddings.weight", K::Embeddings},
    {"embeddings.position_embeddings.weight", K::Positions},
    {"embeddings.LayerNorm.weight", K::EmbeddingNormGain},
    {"embeddings.LayerNorm.bias", K::EmbeddingNormBias},
    {"transformer.layer.{}.attention.q_lin.weight", K::Query},
    {"transformer.layer.{}.attention.q_lin.bias", K::QueryBias},
    {"transformer.layer.{}.attention.k_lin.weight", K::Key},
    {"transformer.layer.{}.attention.k_lin.bias", K::KeyBias},
    {"transformer.layer.{}.attention.v_lin.weight", K::Value},
    {"transformer.layer.{}.attention.v_lin.bias", K::ValueBias},
    {"transformer.layer.{}.attention.out_lin.weight", K::Output},
    {"transformer.layer.{}.attention.out_lin.bias", K::OutputBias},
    {"transformer.layer.{}.sa_layer_norm.weight", K::NormGain},
    {"transformer.layer.{}.sa_layer_norm.bias", K::NormBias},
    {"transformer.layer.{}.ffn.lin1.weight", K::Hidden},
    {"transformer.layer.{}.ffn.lin1.bias", K::HiddenBias},
    {"transformer.layer.{}.ffn.lin2.weight", K::FeedForwardOutput},
    {"transformer.layer.{}.ffn.lin2.bias", K::FeedForwardOutputBias},
    {"transformer.layer.{}.output_layer_norm.weight", K::FeedForwardNormGain},
    {"transformer.layer.{}.output_layer_norm.bias", K::FeedForwardNormBias},
};
constexpr TensorRow kDistilbertMasked[] = {
    {"vocab_transform.weight", K::PredictionTransform},
    {"vocab_transform.bias", K::PredictionTransformBias},
    {"vocab_layer_norm.weight", K::PredictionNormGain},
    {"vocab_layer_norm.bias", K::PredictionNormBias},
    {"vocab_projector.bias", K::OutputMatrixBias},
};
constexpr TensorRow kDistilbertOutput[] = {{"vocab_projector.weight", K::OutputMatrix}};
constexpr FamilyTensors::TiedNames kDistilbertTied{"embeddings.word_embeddings.weight",
                                                   "vocab_projector.weight"};

FamilyModel readDistilbert(FamilyFields &fields, FamilyTensors &tensors) {
    FamilyModel model;
    Config &config = model.config;
    config.width = fields.size("dim", kMaxWidth);
    config.heads = fields.size("n_heads", kMaxHeads);
    config.headSize = fields.headSize(config.width, "n_heads", config.heads);
    normAfterParts(config, 1e-12f);
    config.feedForward = {fields.size("hidden_dim", kMaxFeedForwardWidth),
                          fields.activation("activation", "gelu"), false};
    model.vocabulary = fields.size("vocab_size", kMaxVocabulary);
    model.positions = fields.size("max_position_embeddings", kMaxPositions);
    model.masks = {PaddingMask{}};
    const Index layers = fields.size("n_layers", kMaxLayers);
    const bool saidTied = fields.flag("tie_word_embeddings", fields.flag("tie_weights_", true));
    const bool isMasked = tensors.has("vocab_transform.weight|vocab_projector.bias");
    if (isMasked)
        predictMasked(config, config.feedForward.activation);
    if (!fields.isSound())
        return model;

    model.parameters.main.layers.resize(static_cast<std::size_t>(layers));
    const bool isTied = isMasked && tensors.isTied(saidTied, kDistilbertTied, true);
    tensors.read(model, kDistilbertStack);
    tensors.read(model, kDistilbertMasked);
    if (isMasked && !isTied)
        tensors.read(model, kDistilbertOutput);
    return model;
}

constexpr std::string_view kDistilbertTypes[] = {"distilbert"};
// Fields to ignore. Sinusoidal positions are stored like learned ones.
constexpr std::string_view kDistilbertUnused[] = {"sinusoidal_pos_embds", "qa_dropout",
                                                  "seq_classif_dropout"};
constexpr std::string_view kDistilbertIgnored[] = {"distilbert.embeddings.position_ids"};

} // namespace

const Family kDistilbert{
    .name = "DistilBERT",
    .paper = "Sanh et al. 2019, DistilBERT, a distilled version of BERT: smaller, faster, cheaper "
             "and lighter",
    .notes = "DistilBERT, with or without a masked-language head; its classifier has a ReLU that "
             "Headlight does not support, and is ignored",
    .modelTypes = kDistilbertTypes,
    .prefix = "distilbert.",
    .unusedFields = kDistilbertUnused,
    .unusedTensors = kDistilbertIgnored,
    .read = readDistilbert,
};

} // namespace headlight::core
