// BART (modeling_bart.py): post-norm, a norm of the embeddings, and learned positions that start at
// row 2.
#include "core/formats/pretrained/families/bart_stack.h"
#include "core/formats/pretrained/families/families.h"

namespace headlight::core {

namespace {

constexpr Index kBartOffset = 2;

FamilyModel readBart(FamilyFields &fields, FamilyTensors &tensors) {
    FamilyModel model =
        bartStack(fields, {.hasEmbeddingNorm = true, .hasFixedPositions = false, .start = 2});
    if (fields.id("extra_pos_embeddings").value_or(kBartOffset) != kBartOffset)
        fields.refuse("extra_pos_embeddings", "positions begin at another row",
                      {"Headlight begins at row %1", kBartOffset});
    model.config.positionOffset = kBartOffset;
    model.positions += kBartOffset;
    if (!fields.isSound())
        return model;
    readBartParameters(fields, tensors, model);
    readStoredPositions(tensors, model);
    return model;
}

constexpr std::string_view kBartTypes[] = {"bart"};

} // namespace

const Family kBart{
    .name = "BART",
    .paper = "Lewis et al. 2020, BART: Denoising Sequence-to-Sequence Pre-training for Natural "
             "Language Generation, Translation, and Comprehension",
    .notes = "BART, an encoder and a decoder; a text of the decoder begins with "
             "`decoder_start_token_id` and `forced_bos_token_id`, from `config.json` or "
             "`generation_config.json`, and ends when the model ends it: `forced_eos_token_id` "
             "is not applied at the maximum length",
    .modelTypes = kBartTypes,
    .prefix = "model.",
    .unusedFields = kBartStackUnused,
    .unusedTensors = kBartStackDuplicates,
    .read = readBart,
};

} // namespace headlight::core
