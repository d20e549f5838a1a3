// DeBERTa-v2 and DeBERTa-v3 (modeling_deberta_v2.py of transformers): BERT's layers with additional
// terms in the scores. A term is the product of one token's query or key and a vector for the
// distance to the other token. The convolution of the larger v2 models is not supported.
#include "core/formats/pretrained/families/bert_stack.h"
#include "core/formats/pretrained/families/families.h"
#include "core/in_quotes.h"

#include <cmath>

namespace headlight::core {

namespace {

using K = ParameterKind;

constexpr TensorRow kDebertaRows[] = {
    {"embeddings.word_embeddings.weight", K::Embeddings},
    {"embeddings.position_embeddings.weight", K::Positions},
    {"embeddings.LayerNorm.weight", K::EmbeddingNormGain},
    {"embeddings.LayerNorm.bias", K::EmbeddingNormBias},
    {"encoder.rel_embeddings.weight", K::DistanceEmbeddings},
    {"encoder.LayerNorm.weight", K::DistanceNormGain},
    {"encoder.LayerNorm.bias", K::DistanceNormBias},
    {"encoder.layer.{}.attention.self.query_proj.weight", K::Query},
    {"encoder.layer.{}.attention.self.query_proj.bias", K::QueryBias},
    {"encoder.layer.{}.attention.self.key_proj.weight", K::Key},
    {"encoder.layer.{}.attention.self.key_proj.bias", K::KeyBias},
    {"encoder.layer.{}.attention.self.value_proj.weight", K::Value},
    {"encoder.layer.{}.attention.self.value_proj.bias", K::ValueBias},
    {"encoder.layer.{}.attention.self.pos_key_proj.weight", K::PositionKey},
    {"encoder.layer.{}.attention.self.pos_key_proj.bias", K::PositionKeyBias},
    {"encoder.layer.{}.attention.self.pos_query_proj.weight", K::PositionQuery},
    {"encoder.layer.{}.attention.self.pos_query_proj.bias", K::PositionQueryBias},
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
constexpr TensorRow kDebertaTypes[] = {{"embeddings.token_type_embeddings.weight", K::TokenTypes}};
// In Microsoft's files, the output layer has other names than in transformers.
constexpr TensorRow kDebertaMasked[] = {
    {"cls.predictions.transform.dense.weight|lm_predictions.lm_head.dense.weight",
     K::PredictionTransform},
    {"cls.predictions.transform.dense.bias|lm_predictions.lm_head.dense.bias",
     K::PredictionTransformBias},
    {"cls.predictions.transform.LayerNorm.weight|lm_predictions.lm_head.LayerNorm.weight",
     K::PredictionNormGain},
    {"cls.predictions.transform.LayerNorm.bias|lm_predictions.lm_head.LayerNorm.bias",
     K::PredictionNormBias},
    {"cls.predictions.bias|cls.predictions.decoder.bias|lm_predictions.lm_head.bias",
     K::OutputMatrixBias},
};
constexpr TensorRow kDebertaOutput[] = {{"cls.predictions.decoder.weight", K::OutputMatrix}};
constexpr FamilyTensors::TiedNames kDebertaTied{"embeddings.word_embeddings.weight",
                                                "cls.predictions.decoder.weight"};
constexpr TensorRow kDebertaClassifier[] = {
    {"pooler.dense.weight", K::Pooler},
    {"pooler.dense.bias", K::PoolerBias},
    {"classifier.weight", K::Classifier},
    {"classifier.bias", K::ClassifierBias},
};

/// Returns the words of a field that is a list of words, or a text in which | separates them.
std::vector<std::string> wordsOf(const FamilyFields &fields, const char *name) {
    std::vector<std::string> words;
    if (!fields.has(name))
        return words;
    const Field field = fields.field(name);
    const auto add = [&words](std::string_view text) {
        std::string word;
        for (const char c : text)
            if (c != ' ')
                word += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
        if (!word.empty())
            words.push_back(std::move(word));
    };
    if (field.is(JsonValue::Kind::String)) {
        std::string_view text = field.value().text();
        for (std::size_t end = text.find('|'); end != text.npos; end = text.find('|')) {
            add(text.substr(0, end));
            text.remove_prefix(end + 1);
        }
        add(text);
    } else if (field.isArray()) {
        for (std::size_t i = 0; i < field.size(); ++i)
            if (const Field one = field.element(i); one.is(JsonValue::Kind::String))
                add(one.value().text());
            else
                one.expected("a word");
    }
    return words;
}

/// Reads the terms that token distances add to the scores.
void readDistances(const FamilyFields &fields, Config &config, Index positions) {
    Disentangled read;
    read.contentToPosition = read.positionToContent = false;
    for (const std::string &word : wordsOf(fields, "pos_att_type")) {
        if (word != "c2p" && word != "p2c")
            fields.refuse("pos_att_type", {"%1 is not supported", inQuotes(word)},
                          "Headlight knows \"c2p\" and \"p2c\"");
        read.contentToPosition |= word == "c2p";
        read.positionToContent |= word == "p2c";
    }
    for (const std::string &word : wordsOf(fields, "norm_rel_ebd")) {
        if (word != "layer_norm" && word != "none")
            fields.refuse("norm_rel_ebd", {"%1 is not supported", inQuotes(word)},
                          "Headlight knows \"layer_norm\" and \"none\"");
        read.norm |= word == "layer_norm";
    }
    read.sharesMatrices = fields.flag("share_att_key", false);
    const auto lengthOf = [&fields](const char *name) { // −1 and 0: not set
        const Field field = fields.field(name);
        const bool isNone =
            fields.has(name) && field.is(JsonValue::Kind::Number) && field.value().number < 1;
        return fields.has(name) && !isNone ? fields.size(name, kMaxPositions) : 0;
    };
    const Index declared = lengthOf("max_relative_positions");
    const Index farthest = declared > 0 ? declared : positions;
    const Index buckets = lengthOf("position_buckets");
    read.table = {buckets > 0 ? buckets : farthest, buckets > 0 ? farthest : 0};
    const bool areFew = buckets > 0 && (buckets < 4 || farthest - 1 <= buckets / 2);
    const Index terms = 1 + Index(read.contentToPosition) + Index(read.positionToContent);
    if (fields.flag("relative_attention", false)) {
        if (areFew && fields.isSound())
            fields.refuse("position_buckets",
                          {"%1 buckets do not fit distances up to %2", buckets, farthest},
                          "use at least 4, and less than twice the largest distance");
        if (terms == 1)
            fields.refuse("pos_att_type", "without it, distances add nothing to the scores",
                          "set relative_attention to false, or use \"c2p\" or \"p2c\"");
        config.disentangled = read;
    } else if (terms > 1) { // terms affect the scale even without relative_attention
        config.scale = {Scale::Kind::Number, static_cast<float>(std::sqrt(
                                                 static_cast<double>(terms * config.headSize)))};
    }
}

FamilyModel readDeberta(FamilyFields &fields, FamilyTensors &tensors) {
    FamilyModel model;
    Config &config = model.config;
    config.width = fields.size("hidden_size", kMaxWidth);
    config.heads = fields.size("num_attention_heads", kMaxHeads);
    config.headSize = fields.headSize(config.width, "num_attention_heads", config.heads);
    config.headSize = fields.size("attention_head_size", kMaxWidth, config.headSize);
    normAfterParts(config, fields.positive("layer_norm_eps", 1e-7f));
    if (!fields.flag("position_biased_input", true))
        config.positions = Positions::None;
    config.feedForward = {fields.size("intermediate_size", kMaxFeedForwardWidth),
                          fields.activation("hidden_act", "gelu"), false};
    if (fields.size("embedding_size", kMaxWidth, config.width) != config.width)
        fields.refuse("embedding_size", "embeddings of another width than the layers",
                      "Headlight does not support them, because they are normalised later");
    if (fields.id("conv_kernel_size").value_or(0) > 0)
        fields.refuse("conv_kernel_size", "Headlight does not support the convolution",
                      "use a model without one, such as DeBERTa-v3");
    model.vocabulary = fields.size("vocab_size", kMaxVocabulary);
    model.positions = fields.size("max_position_embeddings", kMaxPositions, 512);
    model.tokenTypes = fields.id("type_vocab_size").value_or(0);
    readDistances(fields, config, model.positions);
    model.masks = {PaddingMask{}};
    model.parameters.main.layers.resize(
        static_cast<std::size_t>(fields.size("num_hidden_layers", kMaxLayers)));

    const bool saidTied = fields.flag("tie_word_embeddings", true);
    const TensorInfo *classifier =
        isSequenceClassifier(fields) ? tensors.tensor("classifier.weight") : nullptr;
    const bool hasWordHead = tensors.has("lm_predictions.lm_head.dense.weight") &&
                             !tensors.has("cls.predictions.transform.dense.weight");
    const bool isMasked =
        !classifier && (tensors.has(kDebertaMasked[0].name) || tensors.has("cls.predictions.bias"));
    if (isMasked) {
        predictMasked(config, config.feedForward.activation);
    } else if (classifier) {
        classify(config, *classifier);
        const Field pooler = fields.field("pooler_hidden_act");
        const bool isTanh = fields.has("pooler_hidden_act") && pooler.is(JsonValue::Kind::String) &&
                            pooler.value().text() == "tanh";
        config.outputLayer.activatesPooled = !isTanh;
        if (!isTanh)
            config.outputLayer.activation = fields.activation("pooler_hidden_act", "gelu");
    }
    if (!fields.isSound())
        return model;

    // If the output layer has Microsoft's names, transformers always uses the embeddings as the
    // output matrix.
    const bool isTied = isMasked && tensors.isTied(saidTied || hasWordHead, kDebertaTied, true);
    tensors.read(model, kDebertaRows);
    if (model.tokenTypes > 0)
        tensors.read(model, kDebertaTypes);
    tensors.read(model, kDebertaMasked);
    tensors.read(model, kDebertaClassifier);
    if (isMasked && !isTied)
        tensors.read(model, kDebertaOutput);
    return model;
}

constexpr std::string_view kDebertaTypesNames[] = {"deberta-v2"};
constexpr std::string_view kDebertaUnused[] = {
    "pooler_dropout", "pooler_hidden_size", "conv_act",         "conv_groups",
    "legacy",         "cls_dropout",        "pooler_hidden_act"};
// Position ids are 0, 1, 2, …; the output layer that detects replaced tokens is not supported.
constexpr std::string_view kDebertaIgnored[] = {"deberta.embeddings.position_ids",
                                                "deberta.embeddings.position_embeddings.weight",
                                                "mask_predictions.*",
                                                "cls.predictions.decoder.bias",
                                                "lm_predictions.*",
                                                "pooler.dense.*"};

} // namespace

const Family kDebertaV2{
    .name = "DeBERTa-v2",
    .paper = "He et al. 2021, DeBERTa: Decoding-enhanced BERT with Disentangled Attention",
    .notes = "DeBERTa-v2 and DeBERTa-v3, with disentangled attention; with a masked-language "
             "head under the name of transformers or of Microsoft, with a text classifier, or "
             "with neither. Not the larger models of v2, which have a convolution "
             "(`conv_kernel_size`), nor embeddings of another width than the layers",
    .modelTypes = kDebertaTypesNames,
    .prefix = "deberta.",
    .unusedFields = kDebertaUnused,
    .unusedTensors = kDebertaIgnored,
    .read = readDeberta,
};

} // namespace headlight::core
