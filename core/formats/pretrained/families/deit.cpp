// DeiT (modeling_deit.py of transformers): ViT with one more token, [DIST], which is trained on the
// outputs of another model. A classifier reads [CLS]; in a model with a teacher, a second one reads
// [DIST], and the prediction is the mean of both.
#include "core/formats/pretrained/families/families.h"
#include "core/formats/pretrained/families/vit_stack.h"

namespace headlight::core {

namespace {

using K = ParameterKind;

constexpr TensorRow kDeitClassifier[] = {
    {"classifier.weight", K::Classifier},
    {"classifier.bias", K::ClassifierBias},
};
constexpr TensorRow kDeitClassifiers[] = {
    {"cls_classifier.weight", K::Classifier},
    {"cls_classifier.bias", K::ClassifierBias},
    {"distillation_classifier.weight", K::DistillationClassifier},
    {"distillation_classifier.bias", K::DistillationClassifierBias},
};
constexpr std::string_view kDeitTypes[] = {"embeddings.patch_embeddings.projection.bias",
                                           "embeddings.cls_token", "embeddings.distillation_token"};

FamilyModel readDeit(FamilyFields &fields, FamilyTensors &tensors) {
    FamilyModel model = vitStack(fields, {.before = 2});
    const bool hasTwo = isDeclaredAs(fields, "ForImageClassificationWithTeacher") ||
                        (!isDeclaredAs(fields, "ForImageClassification") &&
                         tensors.has("distillation_classifier.weight"));
    const std::span<const TensorRow> classifiers =
        hasTwo ? std::span<const TensorRow>(kDeitClassifiers) : kDeitClassifier;
    const TensorInfo *classifier = tensors.tensor(classifiers[0].name);
    if (classifier || hasTwo || isDeclaredAs(fields, "ForImageClassification"))
        classifyPicture(classifier, model.config);
    if (!fields.isSound())
        return model;
    readVitLayers(fields, tensors, model);
    tensors.readTokenTypes(model, kDeitTypes);
    tensors.read(model, classifiers);
    return model;
}

constexpr std::string_view kDeitModelTypes[] = {"deit"};
// Tensors to ignore. The pooler and the decoder of masked pictures are not supported.
constexpr std::string_view kDeitIgnored[] = {"deit.pooler.dense.*", "deit.embeddings.mask_token",
                                             "decoder.*"};

} // namespace

const Family kDeit{
    .name = "DeiT",
    .paper = "Touvron et al. 2021, Training Data-Efficient Image Transformers & Distillation "
             "Through Attention",
    .notes = "DeiT: ViT with the token `[DIST]` beside `[CLS]`; with one classifier, "
             "of `[CLS]`, with two (`DeiTForImageClassificationWithTeacher`), or with "
             "none",
    .modelTypes = kDeitModelTypes,
    .prefix = "deit.",
    .unusedFields = kUnusedOfVit,
    .unusedTensors = kDeitIgnored,
    .read = readDeit,
};

} // namespace headlight::core
