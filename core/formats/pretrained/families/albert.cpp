// ALBERT (modeling_albert.py): narrow embeddings that are projected to the width of the layers, and
// groups of layers that share parameters.
#include "core/formats/pretrained/families/bert_stack.h"
#include "core/formats/pretrained/families/families.h"

namespace headlight::core {

namespace {

using K = ParameterKind;

// {} is replaced by the number of the layer group.
constexpr TensorRow kAlbertStack[] = {
    {"embeddings.word_embeddings.weight", K::Embeddings},
    {"embeddings.position_embeddings.weight", K::Positions},
    {"embeddings.token_type_embeddings.weight", K::TokenTypes},
    {"embeddings.LayerNorm.weight", K::EmbeddingNormGain},
    {"embeddings.LayerNorm.bias", K::EmbeddingNormBias},
    {"encoder.embedding_hidden_mapping_in.weight", K::EmbeddingProjection},
    {"encoder.embedding_hidden_mapping_in.bias", K::EmbeddingProjectionBias},
    {"encoder.albert_layer_groups.{}.albert_layers.0.attention.query.weight", K::Query},
    {"encoder.albert_layer_groups.{}.albert_layers.0.attention.query.bias", K::QueryBias},
    {"encoder.albert_layer_groups.{}.albert_layers.0.attention.key.weight", K::Key},
    {"encoder.albert_layer_groups.{}.albert_layers.0.attention.key.bias", K::KeyBias},
    {"encoder.albert_layer_groups.{}.albert_layers.0.attention.value.weight", K::Value},
    {"encoder.albert_layer_groups.{}.albert_layers.0.attention.value.bias", K::ValueBias},
    {"encoder.albert_layer_groups.{}.albert_layers.0.attention.dense.weight", K::Output},
    {"encoder.albert_layer_groups.{}.albert_layers.0.attention.dense.bias", K::OutputBias},
    {"encoder.albert_layer_groups.{}.albert_layers.0.attention.LayerNorm.weight", K::NormGain},
    {"encoder.albert_layer_groups.{}.albert_layers.0.attention.LayerNorm.bias", K::NormBias},
    {"encoder.albert_layer_groups.{}.albert_layers.0.ffn.weight", K::Hidden},
    {"encoder.albert_layer_groups.{}.albert_layers.0.ffn.bias", K::HiddenBias},
    {"encoder.albert_layer_groups.{}.albert_layers.0.ffn_output.weight", K::FeedForwardOutput},
    {"encoder.albert_layer_groups.{}.albert_layers.0.ffn_output.bias", K::FeedForwardOutputBias},
    {"encoder.albert_layer_groups.{}.albert_layers.0.full_layer_layer_norm.weight",
     K::FeedForwardNormGain},
    {"encoder.albert_layer_groups.{}.albert_layers.0.full_layer_layer_norm.bias",
     K::FeedForwardNormBias},
};
constexpr TensorRow kAlbertMasked[] = {
    {"predictions.dense.weight", K::PredictionTransform},
    {"predictions.dense.bias", K::PredictionTransformBias},
    {"predictions.LayerNorm.weight", K::PredictionNormGain},
    {"predictions.LayerNorm.bias", K::PredictionNormBias},
    {"predictions.bias|predictions.decoder.bias", K::OutputMatrixBias},
};
constexpr TensorRow kAlbertOutput[] = {{"predictions.decoder.weight", K::OutputMatrix}};
constexpr FamilyTensors::TiedNames kAlbertTied{"embeddings.word_embeddings.weight",
                                               "predictions.decoder.weight"};
constexpr TensorRow kAlbertClassifier[] = {
    {"pooler.weight", K::Pooler},
    {"pooler.bias", K::PoolerBias},
    {"classifier.weight", K::Classifier},
    {"classifier.bias", K::ClassifierBias},
};

/// Returns the number of layer groups. All layers of a group share its parameters.
Index albertGroups(const FamilyFields &fields, Index layers) {
    const Index groups = fields.size("num_hidden_groups", kMaxLayers, 1);
    if (groups > layers)
        fields.refuse("num_hidden_groups",
                      {"there are %1 groups for only %2 layers", groups, layers},
                      "a group has at least one layer");
    if (fields.size("inner_group_num", kMaxLayers, 1) != 1)
        fields.refuse("inner_group_num", "a group has several layers of its own",
                      "Headlight only supports 1: groups of one layer");
    return groups;
}

FamilyModel readAlbert(FamilyFields &fields, FamilyTensors &tensors) {
    FamilyModel model = bertStack(fields, "gelu_new");
    Config &config = model.config;
    config.embeddingWidth = fields.size("embedding_size", kMaxWidth, 128);
    if (config.embeddingWidth == config.width)
        fields.refuse("embedding_size", {"it is %1, the same as hidden_size", config.width},
                      "Headlight maps embeddings to the layers only if the two sizes differ");
    config.layerCount = static_cast<Index>(model.parameters.main.layers.size());
    const Index groups = albertGroups(fields, config.layerCount);
    const bool saidTied = fields.flag("tie_word_embeddings", true);
    const bool isClassifier = isSequenceClassifier(fields);
    const TensorInfo *classifier = isClassifier ? tensors.tensor("classifier.weight") : nullptr;
    const bool isMasked = tensors.has("predictions.dense.weight|predictions.bias");
    if (isMasked)
        predictMasked(config, config.feedForward.activation);
    else if (classifier)
        classify(config, *classifier);
    if (!fields.isSound())
        return model;

    model.parameters.main.layers.resize(static_cast<std::size_t>(groups));
    const bool isTied = isMasked && tensors.isTied(saidTied, kAlbertTied, true);
    tensors.read(model, kAlbertStack);
    tensors.read(model, kAlbertMasked);
    tensors.read(model, kAlbertClassifier);
    if (isMasked && !isTied)
        tensors.read(model, kAlbertOutput);
    return model;
}

constexpr std::string_view kAlbertTypes[] = {"albert"};
constexpr std::string_view kAlbertUnused[] = {"classifier_dropout_prob", "down_scale_factor",
                                              "gap_size", "net_structure_type",
                                              "num_memory_blocks"};
// Tensors to ignore. Sentence order prediction is not supported.
constexpr std::string_view kAlbertIgnored[] = {"albert.embeddings.position_ids", "albert.pooler.*",
                                               "sop_classifier.*", "predictions.decoder.bias"};

} // namespace

const Family kAlbert{
    .name = "ALBERT",
    .paper = "Lan et al. 2020, ALBERT: A Lite BERT for Self-supervised Learning of Language "
             "Representations",
    .notes = "ALBERT: layers that share their parameters, embeddings narrower than the layers",
    .modelTypes = kAlbertTypes,
    .prefix = "albert.",
    .unusedFields = kAlbertUnused,
    .unusedTensors = kAlbertIgnored,
    .read = readAlbert,
};

} // namespace headlight::core
