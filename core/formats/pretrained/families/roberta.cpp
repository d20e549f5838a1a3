// RoBERTa (modeling_roberta.py), XLM-RoBERTa and CamemBERT: BERT's stack, but the first position is
// the row after the padding id.
#include "core/formats/pretrained/families/bert_stack.h"
#include "core/formats/pretrained/families/families.h"

namespace headlight::core {

namespace {

using K = ParameterKind;

constexpr TensorRow kRobertaMasked[] = {
    {"lm_head.dense.weight", K::PredictionTransform},
    {"lm_head.dense.bias", K::PredictionTransformBias},
    {"lm_head.layer_norm.weight", K::PredictionNormGain},
    {"lm_head.layer_norm.bias", K::PredictionNormBias},
    {"lm_head.bias|lm_head.decoder.bias", K::OutputMatrixBias},
};
constexpr TensorRow kRobertaOutput[] = {{"lm_head.decoder.weight", K::OutputMatrix}};
constexpr FamilyTensors::TiedNames kRobertaTied{"embeddings.word_embeddings.weight",
                                                "lm_head.decoder.weight"};
constexpr TensorRow kRobertaClassifier[] = {
    {"classifier.dense.weight", K::Pooler},
    {"classifier.dense.bias", K::PoolerBias},
    {"classifier.out_proj.weight", K::Classifier},
    {"classifier.out_proj.bias", K::ClassifierBias},
};

FamilyModel readRoberta(FamilyFields &fields, FamilyTensors &tensors) {
    FamilyModel model = bertStack(fields);
    model.config.positionOffset = fields.id("pad_token_id").value_or(1) + 1;
    const bool saidTied = fields.flag("tie_word_embeddings", true);
    const bool isClassifier = isSequenceClassifier(fields);
    const TensorInfo *classifier =
        isClassifier ? tensors.tensor("classifier.out_proj.weight") : nullptr;
    const bool isMasked = tensors.has("lm_head.dense.weight|lm_head.bias");
    if (isMasked)
        predictMasked(model.config, Activation::Gelu); // independent of the layers' activation
    else if (classifier)
        classify(model.config, *classifier);
    if (!fields.isSound())
        return model;

    const bool isTied = isMasked && tensors.isTied(saidTied, kRobertaTied, true);
    tensors.read(model, kBertStackTensors);
    tensors.read(model, kRobertaMasked);
    tensors.read(model, kRobertaClassifier);
    if (isMasked && !isTied)
        tensors.read(model, kRobertaOutput);
    return model;
}

constexpr std::string_view kRobertaTypes[] = {"roberta", "xlm-roberta", "camembert"};
constexpr std::string_view kRobertaIgnored[] = {"roberta.embeddings.position_ids",
                                                "roberta.pooler.dense.*", "lm_head.decoder.bias"};

} // namespace

const Family kRoberta{
    .name = "RoBERTa",
    .paper = "Liu et al. 2019, RoBERTa: A Robustly Optimized BERT Pretraining Approach",
    .notes = "RoBERTa and similar: the first position is the row after the padding's id; the "
             "same three variants. Two texts, with `</s></s>` between them, are read one by one",
    .modelTypes = kRobertaTypes,
    .prefix = "roberta.",
    .unusedFields = {},
    .unusedTensors = kRobertaIgnored,
    .read = readRoberta,
};

} // namespace headlight::core
