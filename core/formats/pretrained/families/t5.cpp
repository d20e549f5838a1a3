// T5 (modeling_t5.py), v1.0 and v1.1: RMS pre-norm, no biases, unscaled scores, and a learned bias
// per distance bucket, which all layers share with the first. mT5 (Xue et al. 2021) is v1.1. For
// T5EncoderModel, the encoder is the only stack.
#include "core/formats/pretrained/families/families.h"

namespace headlight::core {

namespace {

using K = ParameterKind;

constexpr TensorRow kT5Words[] = {
    {"shared.weight|decoder.embed_tokens.weight|encoder.embed_tokens.weight", K::Embeddings},
};
constexpr TensorRow kT5Encoder[] = {
    {"encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight", K::PositionBias,
     kOfEncoder},
    {"encoder.block.{}.layer.0.layer_norm.weight", K::NormGain, kOfEncoder},
    {"encoder.block.{}.layer.0.SelfAttention.q.weight", K::Query, kOfEncoder},
    {"encoder.block.{}.layer.0.SelfAttention.k.weight", K::Key, kOfEncoder},
    {"encoder.block.{}.layer.0.SelfAttention.v.weight", K::Value, kOfEncoder},
    {"encoder.block.{}.layer.0.SelfAttention.o.weight", K::Output, kOfEncoder},
    {"encoder.block.{}.layer.1.layer_norm.weight", K::FeedForwardNormGain, kOfEncoder},
    {"encoder.block.{}.layer.1.DenseReluDense.wi_0.weight", K::Gate, kOfEncoder},
    {"encoder.block.{}.layer.1.DenseReluDense.wo.weight", K::FeedForwardOutput, kOfEncoder},
    {"encoder.final_layer_norm.weight", K::FinalNormGain, kOfEncoder},
};
constexpr TensorRow kT5Decoder[] = {
    {"decoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight", K::PositionBias},
    {"decoder.block.{}.layer.0.layer_norm.weight", K::NormGain},
    {"decoder.block.{}.layer.0.SelfAttention.q.weight", K::Query},
    {"decoder.block.{}.layer.0.SelfAttention.k.weight", K::Key},
    {"decoder.block.{}.layer.0.SelfAttention.v.weight", K::Value},
    {"decoder.block.{}.layer.0.SelfAttention.o.weight", K::Output},
    {"decoder.block.{}.layer.1.layer_norm.weight", K::NormGain, Stack::Main, kAcross},
    {"decoder.block.{}.layer.1.EncDecAttention.q.weight", K::Query, Stack::Main, kAcross},
    {"decoder.block.{}.layer.1.EncDecAttention.k.weight", K::Key, Stack::Main, kAcross},
    {"decoder.block.{}.layer.1.EncDecAttention.v.weight", K::Value, Stack::Main, kAcross},
    {"decoder.block.{}.layer.1.EncDecAttention.o.weight", K::Output, Stack::Main, kAcross},
    {"decoder.block.{}.layer.2.layer_norm.weight", K::FeedForwardNormGain},
    {"decoder.block.{}.layer.2.DenseReluDense.wi_0.weight", K::Gate},
    {"decoder.block.{}.layer.2.DenseReluDense.wo.weight", K::FeedForwardOutput},
    {"decoder.final_layer_norm.weight", K::FinalNormGain},
};
constexpr TensorRow kT5Plain[] = {
    {"encoder.block.{}.layer.1.DenseReluDense.wi.weight", K::Hidden, kOfEncoder},
    {"decoder.block.{}.layer.2.DenseReluDense.wi.weight", K::Hidden},
};
constexpr TensorRow kT5Gated[] = {
    {"encoder.block.{}.layer.1.DenseReluDense.wi_1.weight", K::Hidden, kOfEncoder},
    {"decoder.block.{}.layer.2.DenseReluDense.wi_1.weight", K::Hidden},
};
/// Returns the encoder's table for a model without a decoder, where the encoder is the main stack.
template <std::size_t n>
constexpr std::array<TensorRow, n> alone(const TensorRow (&rows)[n]) {
    std::array<TensorRow, n> all = std::to_array(rows);
    for (TensorRow &row : all)
        row.stack = Stack::Main;
    return all;
}
constexpr auto kT5Alone = alone(kT5Encoder);
constexpr auto kT5PlainAlone = alone({kT5Plain[0]});
constexpr auto kT5GatedAlone = alone({kT5Gated[0]});
constexpr TensorRow kT5Output[] = {{"lm_head.weight", K::OutputMatrix}};

struct T5Network {
    std::string_view word;
    Activation activation;
    bool gated;
};
/// Possible values of feed_forward_proj.
constexpr T5Network kT5Networks[] = {
    {"relu", Activation::Relu, false},
    {"gelu", Activation::Gelu, false},
    {"gelu_new", Activation::GeluTanh, false},
    {"silu", Activation::Silu, false},
    {"gated-gelu", Activation::GeluTanh, true}, // the tanh approximation, despite the name
    {"gated-gelu_new", Activation::GeluTanh, true},
    {"gated-silu", Activation::Silu, true},
    {"gated-relu", Activation::Relu, true},
};

T5Network t5Network(const FamilyFields &fields) {
    if (!fields.has("feed_forward_proj"))
        return kT5Networks[0];
    std::array<std::string_view, std::size(kT5Networks)> words{};
    for (std::size_t i = 0; i < words.size(); ++i)
        words[i] = kT5Networks[i].word;
    return kT5Networks[fields.field("feed_forward_proj").word(words).value_or(0)];
}

/// True if config.json declares a model without a decoder.
bool isEncoderAlone(const FamilyFields &fields) {
    const Field names = fields.field("architectures");
    if (!names.is(JsonValue::Kind::Array) || names.size() == 0)
        return false;
    const Field first = names.element(0);
    return first.is(JsonValue::Kind::String) && first.value().text().ends_with("EncoderModel");
}

void readAlone(FamilyModel &model, FamilyTensors &tensors, bool isGated, Index layers) {
    model.config.outputLayer = {};
    model.masks = {PaddingMask{}};
    model.encoderMasks = model.crossMasks = {};
    model.decoderStart = {};
    model.parameters.main.layers.resize(static_cast<std::size_t>(layers));
    tensors.read(model, kT5Words);
    tensors.read(model, kT5Alone);
    tensors.read(model, isGated ? std::span<const TensorRow>(kT5GatedAlone) : kT5PlainAlone);
}

FamilyModel readT5(FamilyFields &fields, FamilyTensors &tensors) {
    FamilyModel model;
    Config &config = model.config;
    config.width = fields.size("d_model", kMaxWidth);
    config.heads = fields.size("num_heads", kMaxHeads);
    config.headSize = fields.size("d_kv", kMaxWidth);
    config.scale.kind = Scale::Kind::Off;
    config.positions = Positions::Relative;
    config.relative = {fields.size("relative_attention_num_buckets", kMaxPositions, 32),
                       fields.size("relative_attention_max_distance", kMaxPositions, 128)};
    config.norm = {NormKind::RootMeanSquare, NormPosition::Before,
                   fields.positive("layer_norm_epsilon", 1e-6f), true, false};
    config.residual = true;
    const T5Network network = t5Network(fields);
    config.feedForward = {fields.size("d_ff", kMaxFeedForwardWidth), network.activation,
                          network.gated};
    // Tied embeddings used to imply this scaling. transformers 5 has a field for it.
    const bool saidTied = fields.flag("tie_word_embeddings", true);
    const bool isScaled = fields.flag("scale_decoder_outputs", saidTied);
    config.outputLayer.kind = OutputLayerKind::Language;
    config.outputLayer.scaled = isScaled;
    model.vocabulary = fields.size("vocab_size", kMaxVocabulary);
    model.masks = {CausalMask{}, PaddingMask{}};
    model.encoderMasks = {PaddingMask{}};
    model.crossMasks = {PaddingMask{}};
    model.decoderStart = {
        fields.id("decoder_start_token_id").value_or(fields.id("pad_token_id").value_or(0))};
    const Index encoderLayers = fields.size("num_layers", kMaxLayers);
    const Index decoderLayers = fields.size("num_decoder_layers", kMaxLayers, encoderLayers);
    if (!fields.isSound())
        return model;
    if (isEncoderAlone(fields)) {
        readAlone(model, tensors, network.gated, encoderLayers);
        return model;
    }

    model.parameters.encoder.layers.resize(static_cast<std::size_t>(encoderLayers));
    model.parameters.main.layers.resize(static_cast<std::size_t>(decoderLayers));
    const FamilyTensors::TiedNames words{kT5Words[0].name, "lm_head.weight"};
    // Newer files declare even v1.1 as tied, although it has a separate output matrix.
    const bool isOwn = !isScaled && tensors.has(words.embeddings) && tensors.has(words.output);
    const bool isTied = tensors.isTied(saidTied && !isOwn, words, true);
    tensors.read(model, kT5Words);
    tensors.read(model, kT5Encoder);
    tensors.read(model, kT5Decoder);
    tensors.read(model, network.gated ? std::span<const TensorRow>(kT5Gated) : kT5Plain);
    if (!isTied)
        tensors.read(model, kT5Output);
    return model;
}

constexpr std::string_view kT5Types[] = {"t5", "mt5"};
// Fields to ignore. feed_forward_proj determines the network, and texts may have any length.
constexpr std::string_view kT5Unused[] = {"dense_act_fn", "is_gated_act", "initializer_factor",
                                          "n_positions"};
// Tensors to ignore: copies of the embedding matrix, and an unused table.
constexpr std::string_view kT5Ignored[] = {
    "encoder.embed_tokens.weight", "decoder.embed_tokens.weight",
    "decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight"};

} // namespace

const Family kT5{
    .name = "T5",
    .paper = "Raffel et al. 2020, Exploring the Limits of Transfer Learning with a Unified "
             "Text-to-Text Transformer",
    .notes = "T5 v1.0 and v1.1, with `feed_forward_proj` plain or gated, and its encoder alone "
             "(`T5EncoderModel`); mT5",
    .modelTypes = kT5Types,
    .prefix = "",
    .unusedFields = kT5Unused,
    .unusedTensors = kT5Ignored,
    .read = readT5,
};

} // namespace headlight::core
