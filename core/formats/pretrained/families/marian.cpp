// Marian (modeling_marian.py of transformers), such as the OPUS-MT translators: BART's stack with
// sinusoids and without a norm of the embeddings. Models with separate vocabularies are rejected.
#include "core/formats/pretrained/families/bart_stack.h"
#include "core/formats/pretrained/families/families.h"

namespace headlight::core {

namespace {

FamilyModel readMarianModel(FamilyFields &fields, FamilyTensors &tensors) {
    FamilyModel model = bartStack(fields, {.start = 58100});
    if (const Index words = fields.size("decoder_vocab_size", kMaxVocabulary, model.vocabulary);
        words != model.vocabulary)
        fields.refuse("decoder_vocab_size",
                      {"the decoder has %1 words, and the encoder %2", words, model.vocabulary},
                      "Headlight needs one vocabulary for both in this family");
    if (!fields.isSound())
        return model;
    useStoredPositions(tensors, model);
    readBartParameters(fields, tensors, model);
    return model;
}

constexpr std::string_view kMarianTypes[] = {"marian"};

} // namespace

const Family kMarian{
    .name = "Marian",
    .paper = "Junczys-Dowmunt et al. 2018, Marian: Fast Neural Machine Translation in C++",
    .notes = "Marian, such as OPUS-MT, with one vocabulary for both languages. `transformers` "
             "never generates the padding (`bad_words_ids`); Headlight may",
    .modelTypes = kMarianTypes,
    .prefix = "model.",
    .unusedFields = kBartStackUnused,
    .unusedTensors = kBartStackDuplicates,
    .read = readMarianModel,
};

} // namespace headlight::core
