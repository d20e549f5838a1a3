#include "core/formats/pretrained/families/bert_stack.h"

namespace headlight::core {

namespace {

using K = ParameterKind;

constexpr TensorRow kBertRows[] = {
    {"embeddings.word_embeddings.weight", K::Embeddings},
    {"embeddings.position_embeddings.weight", K::Positions},
    {"embeddings.token_type_embeddings.weight", K::TokenTypes},
    {"embeddings.LayerNorm.weight", K::EmbeddingNormGain},
    {"embeddings.LayerNorm.bias", K::EmbeddingNormBias},
    {"encoder.layer.{}.attention.self.query.weight", K::Query},
    {"encoder.layer.{}.attention.self.query.bias", K::QueryBias},
    {"encoder.layer.{}.attention.self.key.weight", K::Key},
    {"encoder.layer.{}.attention.self.key.bias", K::KeyBias},
    {"encoder.layer.{}.attention.self.value.weight", K::Value},
    {"encoder.layer.{}.attention.self.value.bias", K::ValueBias},
    {"encoder.layer.{}.attention.output.dense.weight", K::Output},
    {"encoder.layer.{}.attention.output.dense.bias", K::OutputBias},
    {"encoder.layer.{}.attention.output.LayerNorm.weight", K::NormGain},
    {"encoder.layer.{}.attention.output.LayerNorm.bias", K::NormBias},
    {"encoder.layer.{}.intermediate.dense.weight", K::Hidden},
    {"encoder.layer.{}.intermediate.dense.bias", K::HiddenBias},
    {"encoder.layer.{}.output.dense.weight", K::FeedForwardOutput},
    {"encoder.layer.{}.output.dense.bias", K::FeedForwardOutputBias},
    {"encoder.layer.{}.output.LayerNorm.weight", K::FeedForwardNormGain},
    {"encoder.layer.{}.output.LayerNorm.bias", K::FeedForwardNormBias},
};

} // namespace

const std::span<const TensorRow> kBertStackTensors = kBertRows;

FamilyModel bertStack(const FamilyFields &fields, const char *usualActivation) {
    FamilyModel model;
    Config &config = model.config;
    config.width = fields.size("hidden_size", kMaxWidth);
    config.heads = fields.size("num_attention_heads", kMaxHeads);
    config.headSize = fields.headSize(config.width, "num_attention_heads", config.heads);
    normAfterParts(config, fields.positive("layer_norm_eps", 1e-12f));
    config.feedForward = {fields.size("intermediate_size", kMaxFeedForwardWidth),
                          fields.activation("hidden_act", usualActivation), false};
    fields.mustBeOneOf("position_embedding_type", {"absolute"});
    fields.mustBe("is_decoder", false);
    fields.mustBe("add_cross_attention", false);
    model.vocabulary = fields.size("vocab_size", kMaxVocabulary);
    model.positions = fields.size("max_position_embeddings", kMaxPositions);
    model.tokenTypes = fields.size("type_vocab_size", kMaxPositions, 2);
    model.masks = {PaddingMask{}};
    model.parameters.main.layers.resize(
        static_cast<std::size_t>(fields.size("num_hidden_layers", kMaxLayers)));
    return model;
}

void normAfterParts(Config &config, float epsilon) {
    config.positions = Positions::Learned;
    config.norm = {NormKind::Layer, NormPosition::After, epsilon, false, true};
    config.residual = true;
}

void predictMasked(Config &config, Activation activation) {
    config.outputLayer.kind = OutputLayerKind::MaskedLanguage;
    config.outputLayer.activation = activation;
    config.outputLayer.norm = true;
}

void classify(Config &config, const TensorInfo &classifier) {
    config.outputLayer.kind = OutputLayerKind::Classifier;
    config.outputLayer.classes = classifier.shape.rank() == 2 ? classifier.shape[0] : 1;
    config.outputLayer.pooling = Pooling::First;
}

bool isSequenceClassifier(const FamilyFields &fields) {
    const Field names = fields.field("architectures");
    if (!names.is(JsonValue::Kind::Array) || names.size() == 0)
        return false;
    const Field first = names.element(0);
    return first.is(JsonValue::Kind::String) &&
           first.value().text().ends_with("ForSequenceClassification");
}

} // namespace headlight::core
