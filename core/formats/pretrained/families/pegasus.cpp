// PEGASUS (modeling_pegasus.py of transformers): BART's stack with pre-norm, sinusoids, and a norm
// after the last layer of the encoder and of the decoder.
#include "core/formats/pretrained/families/bart_stack.h"
#include "core/formats/pretrained/families/families.h"

namespace headlight::core {

namespace {

FamilyModel readPegasus(FamilyFields &fields, FamilyTensors &tensors) {
    FamilyModel model = bartStack(fields, {.place = NormPosition::Before});
    if (!fields.isSound())
        return model;
    useStoredPositions(tensors, model);
    readBartParameters(fields, tensors, model);
    return model;
}

constexpr std::string_view kPegasusTypes[] = {"pegasus"};

} // namespace

const Family kPegasus{
    .name = "PEGASUS",
    .paper = "Zhang et al. 2020, PEGASUS: Pre-training with Extracted Gap-sentences for "
             "Abstractive Summarization",
    .notes = "PEGASUS",
    .modelTypes = kPegasusTypes,
    .prefix = "model.",
    .unusedFields = kBartStackUnused,
    .unusedTensors = kBartStackDuplicates,
    .read = readPegasus,
};

} // namespace headlight::core
