// ViT (modeling_vit.py of transformers): the tokens are [CLS] and the patches of a picture. The
// bias of the patches and the vector of [CLS] are read as token types, because each token has
// exactly one of them.
#include "core/formats/pretrained/families/families.h"
#include "core/formats/pretrained/families/vit_stack.h"

namespace headlight::core {

namespace {

using K = ParameterKind;

constexpr TensorRow kVitClassifier[] = {
    {"classifier.weight", K::Classifier},
    {"classifier.bias", K::ClassifierBias},
};
constexpr std::string_view kVitTypes[] = {"embeddings.patch_embeddings.projection.bias",
                                          "embeddings.cls_token"};

FamilyModel readVit(FamilyFields &fields, FamilyTensors &tensors) {
    FamilyModel model = vitStack(fields, {});
    if (const TensorInfo *classifier = tensors.tensor("classifier.weight");
        classifier || isDeclaredAs(fields, "ForImageClassification"))
        classifyPicture(classifier, model.config);
    if (!fields.isSound())
        return model;
    readVitLayers(fields, tensors, model);
    tensors.readTokenTypes(model, kVitTypes);
    tensors.read(model, kVitClassifier);
    return model;
}

constexpr std::string_view kVitModelTypes[] = {"vit"};
// Tensors to ignore. The pooler and the decoder of masked pictures are not supported.
constexpr std::string_view kVitIgnored[] = {"vit.pooler.dense.*", "vit.embeddings.mask_token",
                                            "decoder.*"};

} // namespace

const Family kVit{
    .name = "ViT",
    .paper = "Dosovitskiy et al. 2021, An Image Is Worth 16x16 Words: Transformers for Image "
             "Recognition at Scale",
    .notes = "ViT, with its classes or without: [pictures](#pictures)",
    .modelTypes = kVitModelTypes,
    .prefix = "vit.",
    .unusedFields = kUnusedOfVit,
    .unusedTensors = kVitIgnored,
    .read = readVit,
};

} // namespace headlight::core
