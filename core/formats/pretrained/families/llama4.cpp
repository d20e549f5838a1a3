// Llama 4, and the text model within its multimodal models (modeling_llama4.py of transformers).
// Most layers rotate neighbouring dimensions of queries and keys, normalise them after that, and
// see only their own chunk of the text. The others see all earlier tokens, and multiply queries by
// a factor that depends on their position. Each expert reads its input scaled by the router's
// sigmoid. Layers with experts also have a network for all tokens. Other layers have one network
// and no experts.
#include "core/formats/pretrained/families/expert_stack.h"
#include "core/formats/pretrained/families/families.h"
#include "core/formats/pretrained/families/llama_stack.h"

#include <algorithm>

namespace headlight::core {

namespace {

using K = ParameterKind;

constexpr TensorRow llama4Heads(std::string_view name, K kind) {
    return {name, kind, Stack::Main, Block::SelfAttention, HeadRows::NeighbourPairs};
}
constexpr TensorRow kLlama4Attention[] = {
    llama4Heads("model.layers.{}.self_attn.q_proj.weight", K::Query),
    llama4Heads("model.layers.{}.self_attn.k_proj.weight", K::Key),
    {"model.layers.{}.self_attn.v_proj.weight", K::Value},
    {"model.layers.{}.self_attn.o_proj.weight", K::Output},
};
constexpr TensorRow kLlama4Biases[] = {
    llama4Heads("model.layers.{}.self_attn.q_proj.bias", K::QueryBias),
    llama4Heads("model.layers.{}.self_attn.k_proj.bias", K::KeyBias),
    {"model.layers.{}.self_attn.v_proj.bias", K::ValueBias},
    {"model.layers.{}.self_attn.o_proj.bias", K::OutputBias},
};
constexpr TensorRow kLlama4Dense[] = {
    {"model.layers.{}.feed_forward.gate_proj.weight", K::Gate},
    {"model.layers.{}.feed_forward.up_proj.weight", K::Hidden},
    {"model.layers.{}.feed_forward.down_proj.weight", K::FeedForwardOutput},
};
constexpr TensorRow kLlama4Router[] = {
    {"model.layers.{}.feed_forward.router.weight", K::Router},
    {"model.layers.{}.feed_forward.shared_expert.gate_proj.weight", K::SharedGate},
    {"model.layers.{}.feed_forward.shared_expert.up_proj.weight", K::SharedHidden},
    {"model.layers.{}.feed_forward.shared_expert.down_proj.weight", K::SharedOutput},
};
constexpr StackedRow kLlama4Experts[] = {
    {"model.layers.{}.feed_forward.experts.gate_up_proj", {K::Gate, K::Hidden}, true},
    {"model.layers.{}.feed_forward.experts.down_proj", K::FeedForwardOutput},
};

/// Returns 1 for each layer with experts, else 0. The field moe_layers lists the numbers of these
/// layers.
std::vector<Index> expertLayersIn(const FamilyFields &fields, Index layers) {
    const Index step = fields.size("interleave_moe_layer_step", kMaxLayers, 1);
    std::vector<Index> has(static_cast<std::size_t>(layers));
    const Field list = fields.field("moe_layers");
    if (!fields.has("moe_layers")) {
        for (Index layer = step - 1; layer < layers; layer += step)
            has[static_cast<std::size_t>(layer)] = 1;
    } else if (list.isArray()) {
        for (std::size_t i = 0; i < list.size() && i < static_cast<std::size_t>(kMaxLayers); ++i)
            if (const auto layer = list.element(i).whole(0, kMaxLayers); layer && *layer < layers)
                has[static_cast<std::size_t>(*layer)] = 1;
    }
    return has;
}

void readLlama4Networks(const FamilyFields &fields, FamilyModel &model) {
    FeedForward &network = model.config.feedForward;
    const Index denseWidth = fields.size("intermediate_size_mlp", kMaxFeedForwardWidth, 16384);
    network.expertLayers = expertLayersIn(fields, std::ssize(model.parameters.main.layers));
    readExperts(fields, fields.nameOf("num_local_experts", "num_experts"), {16, 1}, model);
    if (std::ranges::find(network.expertLayers, 1) == network.expertLayers.end()) {
        network = {denseWidth, network.activation, network.gated};
        return;
    }
    network.sigmoidRouter = network.scalesInput = true;
    network.sharedWidth = network.width;
    if (network.hasDense())
        network.denseWidth = denseWidth;
    else
        network.expertLayers.clear();
}

/// Returns the chunk size of each layer in tokens; 0: the layer sees all earlier tokens. Without
/// the field layer_types, layers that rotate have chunks.
std::vector<Index> chunksIn(const FamilyFields &fields, const Config &config, Index layers) {
    if (fields.field("attention_chunk_size").present() && !fields.has("attention_chunk_size"))
        fields.refuse("attention_chunk_size", "the layers have no chunks",
                      "give the number of tokens of a chunk");
    const Index chunk = fields.size("attention_chunk_size", kMaxPositions, 8192);
    const Field list = fields.field("layer_types");
    const bool isList = fields.has("layer_types") && list.isArray();
    if (isList && static_cast<Index>(list.size()) < layers)
        fields.refuse("layer_types",
                      {"it has entries for %1 layers, but there are %2", list.size(), layers},
                      "it must have one entry for each");
    std::vector<Index> chunks;
    for (Index layer = 0; layer < layers; ++layer) {
        const auto at = static_cast<std::size_t>(layer);
        const bool hasChunk =
            isList ? at < list.size() &&
                         list.element(at).word({"full_attention", "chunked_attention"}) == 1
                   : config.rotates(layer);
        chunks.push_back(hasChunk ? chunk : 0);
    }
    if (std::ranges::all_of(chunks, [](Index size) { return size == 0; }))
        chunks.clear();
    return chunks;
}

/// Reads attn_temperature_tuning, which is a number in older files.
bool tunesIn(const FamilyFields &fields) {
    const Field field = fields.field("attn_temperature_tuning");
    if (fields.has("attn_temperature_tuning") && field.is(JsonValue::Kind::Number))
        return field.number() && field.value().number != 0;
    return fields.flag("attn_temperature_tuning", true);
}

FamilyModel readLlama4Text(const FamilyFields &fields, FamilyTensors &tensors, bool isTied) {
    FamilyModel model = llamaStack(fields, {.headSize = 128,
                                            .heads = 40,
                                            .keyValueHeads = 8,
                                            .positions = Index(1) << 17,
                                            .vocabulary = 202048,
                                            .epsilon = 1e-5f,
                                            .rotary = {.base = 500000}});
    Config &config = model.config;
    const auto layers = std::ssize(model.parameters.main.layers);
    if (fields.isSound() && config.headSize % 2 != 0)
        fields.refuse("head_dim",
                      {"dimensions are rotated in pairs, but %1 is odd", config.headSize},
                      "use an even number");
    if (config.rotary.width != 0 && config.rotary.width != config.headSize)
        fields.refuse("partial_rotary_factor", "all dimensions of a head are rotated here",
                      "leave it out");
    config.rotaryLayers = rotaryLayersIn(fields, layers, true);
    config.windows = chunksIn(fields, config, layers);
    config.chunkedWindows = !config.windows.empty();
    if (fields.flag("use_qk_norm", true))
        config.queryKeyNorm = QueryKeyNorm::Rotated;
    const QueryTuning tuning{fields.positive("attn_scale", 0.1f),
                             fields.size("floor_scale", kMaxPositions, 8192)};
    if (tunesIn(fields))
        config.queryTuning = tuning;
    readLlama4Networks(fields, model);
    const bool hasBiases = fields.flag("attention_bias", false);
    if (!fields.isSound())
        return model;
    readLlamaWords(fields, tensors, model, isTied);
    for (const auto &table : {std::span<const TensorRow>(kLlama4Attention), kLlamaNorms})
        tensors.read(model, table);
    if (hasBiases)
        tensors.read(model, kLlama4Biases);
    tensors.read(model, kLlama4Router);
    tensors.read(model, kLlama4Dense);
    tensors.readStacked(model, kLlama4Experts);
    return model;
}

constexpr std::string_view kLlama4Unused[] = {"vision_config", "boi_token_index", "eoi_token_index",
                                              "image_token_index", "for_llm_compressor"};

FamilyModel readLlama4(FamilyFields &fields, FamilyTensors &tensors) {
    if (!fields.has("text_config"))
        return readLlama4Text(fields, tensors, false);
    // In a multimodal model, the text model has its own object in config.json.
    const FamilyFields text(fields.field("text_config"));
    text.ignore(kUnusedFields);
    text.ignore(kLlama4Unused);
    alsoWithinImages(tensors);
    return readLlama4Text(text, tensors, fields.flag("tie_word_embeddings", false));
}

constexpr std::string_view kLlama4Types[] = {"llama4_text", "llama4"};
constexpr std::string_view kLlama4Images[] = {
    "vision_model.*",          "model.vision_model.*",
    "multi_modal_projector.*", "model.multi_modal_projector.*",
    "model.rotary_emb.*",      "language_model.model.rotary_emb.*"};

} // namespace

const Family kLlama4{
    .name = "Llama 4",
    .paper = "Meta AI 2025, The Llama 4 Herd",
    .notes = "Llama 4, and the text model alone within a folder for texts and images: chunks, "
             "layers without rotation whose queries have a factor, experts with scaled inputs "
             "beside a shared network, dense layers. `attention_chunk_size` must be given or "
             "missing, not null",
    .modelTypes = kLlama4Types,
    .prefix = "model.",
    .unusedFields = kLlama4Unused,
    .unusedTensors = kLlama4Images,
    .read = readLlama4,
};

} // namespace headlight::core
