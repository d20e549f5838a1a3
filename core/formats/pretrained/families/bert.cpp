// BERT in the format of transformers (modeling_bert.py): with the output layer for masked tokens,
// with a classifier, or with neither. Google's own files call the parameters of norms gamma and
// beta.
#include "core/formats/pretrained/families/bert_stack.h"
#include "core/formats/pretrained/families/families.h"

namespace headlight::core {

namespace {

using K = ParameterKind;

constexpr TensorRow kBertMasked[] = {
    {"cls.predictions.transform.dense.weight", K::PredictionTransform},
    {"cls.predictions.transform.dense.bias", K::PredictionTransformBias},
    {"cls.predictions.transform.LayerNorm.weight", K::PredictionNormGain},
    {"cls.predictions.transform.LayerNorm.bias", K::PredictionNormBias},
    {"cls.predictions.bias|cls.predictions.decoder.bias", K::OutputMatrixBias},
};
constexpr TensorRow kBertOutput[] = {{"cls.predictions.decoder.weight", K::OutputMatrix}};
constexpr FamilyTensors::TiedNames kBertTied{"embeddings.word_embeddings.weight",
                                             "cls.predictions.decoder.weight"};
constexpr TensorRow kBertClassifier[] = {
    {"pooler.dense.weight", K::Pooler},
    {"pooler.dense.bias", K::PoolerBias},
    {"classifier.weight", K::Classifier},
    {"classifier.bias", K::ClassifierBias},
};

FamilyModel readBert(FamilyFields &fields, FamilyTensors &tensors) {
    FamilyModel model = bertStack(fields);
    const bool saidTied = fields.flag("tie_word_embeddings", true);
    const bool isClassifier = isSequenceClassifier(fields);
    const TensorInfo *classifier = isClassifier ? tensors.tensor("classifier.weight") : nullptr;
    const bool isMasked =
        tensors.has("cls.predictions.transform.dense.weight|cls.predictions.bias");
    if (isMasked)
        predictMasked(model.config, model.config.feedForward.activation);
    else if (classifier)
        classify(model.config, *classifier);
    if (!fields.isSound())
        return model;

    const bool isTied = isMasked && tensors.isTied(saidTied, kBertTied, true);
    tensors.read(model, kBertStackTensors);
    tensors.read(model, kBertMasked);
    tensors.read(model, kBertClassifier);
    if (isMasked && !isTied)
        tensors.read(model, kBertOutput);
    return model;
}

constexpr std::string_view kBertTypes[] = {"bert"};
constexpr std::string_view kBertUnused[] = {
    "directionality",       "pooler_fc_size",       "pooler_num_attention_heads",
    "pooler_num_fc_layers", "pooler_size_per_head", "pooler_type"};
// Tensors to ignore. Position ids are 0, 1, 2, …; next sentence prediction is not supported.
constexpr std::string_view kBertIgnored[] = {"bert.embeddings.position_ids", "bert.pooler.dense.*",
                                             "cls.seq_relationship.*",
                                             "cls.predictions.decoder.bias"};

} // namespace

const Family kBert{
    .name = "BERT",
    .paper = "Devlin et al. 2019, BERT: Pre-training of Deep Bidirectional Transformers for "
             "Language Understanding",
    .notes = "BERT, also with norms called gamma and beta; with a masked-language head, with a "
             "text classifier, or with neither",
    .modelTypes = kBertTypes,
    .prefix = "bert.",
    .unusedFields = kBertUnused,
    .unusedTensors = kBertIgnored,
    .read = readBert,
};

} // namespace headlight::core
