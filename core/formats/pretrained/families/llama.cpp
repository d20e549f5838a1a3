// Llama and related families (modeling_llama.py, modeling_mistral.py and modeling_qwen2.py of
// transformers). Mistral adds a window. Qwen 2 adds biases of queries, keys and values, and a
// window in its upper layers.
#include "core/formats/pretrained/families/families.h"
#include "core/formats/pretrained/families/llama_stack.h"

namespace headlight::core {

namespace {

void readParameters(const FamilyFields &fields, FamilyTensors &tensors, FamilyModel &model) {
    readLlamaWords(fields, tensors, model);
    for (const auto &table : {kLlamaAttention, kLlamaFeedForward, kLlamaNorms})
        tensors.read(model, table);
}

FamilyModel readLlama(FamilyFields &fields, FamilyTensors &tensors) {
    FamilyModel model = llamaStack(fields);
    if (!fields.isSound())
        return model;
    readParameters(fields, tensors, model);
    readLlamaBiases(fields, tensors, model);
    return model;
}

FamilyModel readMistral(FamilyFields &fields, FamilyTensors &tensors) {
    constexpr Index kUsualWindow = 4096; // used if the field is missing; null disables the window
    FamilyModel model = llamaStack(fields);
    const bool isNull = fields.field("sliding_window").is(JsonValue::Kind::Null);
    if (const Index window = fields.size("sliding_window", kMaxPositions, kUsualWindow); !isNull)
        model.config.windows = {window};
    if (fields.isSound())
        readParameters(fields, tensors, model);
    return model;
}

FamilyModel readQwen2(FamilyFields &fields, FamilyTensors &tensors) {
    FamilyModel model = llamaStack(fields);
    fields.mustBe("use_mrope", false);
    readUpperWindows(fields, model);
    if (!fields.isSound())
        return model;
    readParameters(fields, tensors, model);
    tensors.read(model, kLlamaInputBiases);
    return model;
}

constexpr std::string_view kLlamaTypes[] = {"llama"};
constexpr std::string_view kMistralTypes[] = {"mistral"};
constexpr std::string_view kQwen2Types[] = {"qwen2"};
constexpr std::string_view kQwen2Unused[] = {"sliding_window", "max_window_layers"};

} // namespace

const Family kLlama{
    .name = "Llama",
    .paper = "Touvron et al. 2023, LLaMA: Open and Efficient Foundation Language Models",
    .notes = "Llama 1 to 3.2",
    .modelTypes = kLlamaTypes,
    .prefix = "model.",
    .unusedFields = {},
    .unusedTensors = kLlamaStored,
    .read = readLlama,
};

const Family kMistral{
    .name = "Mistral",
    .paper = "Jiang et al. 2023, Mistral 7B",
    .notes = "Mistral, also NeMo, whose heads together are not as wide as the layers",
    .modelTypes = kMistralTypes,
    .prefix = "model.",
    .unusedFields = {},
    .unusedTensors = kLlamaStored,
    .read = readMistral,
};

const Family kQwen2{
    .name = "Qwen 2",
    .paper = "Yang et al. 2024, Qwen2 Technical Report",
    .notes = "Qwen 2 and 2.5",
    .modelTypes = kQwen2Types,
    .prefix = "model.",
    .unusedFields = kQwen2Unused,
    .unusedTensors = kLlamaStored,
    .read = readQwen2,
};

} // namespace headlight::core
