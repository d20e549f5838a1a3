#include "core/transformer/names/stage.h"

#include <array>
#include <cassert>
#include <charconv>

namespace headlight::core {

namespace {

constexpr auto kDimensions = Columns::Dimensions;
constexpr auto kKeys = Columns::Keys;
constexpr auto kDistances = Columns::Distances;

constexpr auto kStages = std::to_array<StageInfo>({
    {Stage::Embeddings, "embeddings", "E", Role::Residual, Part::Embedding, false, kDimensions},
    {Stage::FirstNeighbours, "first_neighbours", "J₁", Role::Residual, Part::Embedding, false,
     kDimensions},
    {Stage::FirstFrame, "first_frame", "X₁", Role::Residual, Part::Embedding, false, kDimensions},
    {Stage::SecondNeighbours, "second_neighbours", "J₂", Role::Residual, Part::Embedding, false,
     kDimensions},
    {Stage::SecondFrame, "second_frame", "X₂", Role::Residual, Part::Embedding, false, kDimensions},
    {Stage::FrameNeighbours, "frame_neighbours", "J", Role::Residual, Part::Embedding, false,
     kDimensions},
    {Stage::EmbeddingSum, "embedding_sum", "E + P", Role::Residual, Part::Embedding, false,
     kDimensions},
    {Stage::Positioned, "positioned", "X", Role::Residual, Part::Embedding, false, kDimensions},
    {Stage::EmbeddingProjected, "embedding_projected", "X·W_E", Role::Residual, Part::Embedding,
     false, kDimensions},
    {Stage::DistanceEmbeddings, "distance_embeddings", "Δ", Role::Residual, Part::Embedding, false,
     kDimensions},
    {Stage::LayerInput, "layer.input", "X", Role::Residual, Part::Layer, false, kDimensions},
    {Stage::Norm, "norm", "N", Role::Residual, Part::Attention, false, kDimensions},
    {Stage::CompressedQuery, "compressed_query", "c", Role::Query, Part::Attention, false,
     kDimensions},
    {Stage::NormedCompressedQuery, "normed_compressed_query", "c′", Role::Query, Part::Attention,
     false, kDimensions},
    {Stage::CompressedKeyValue, "compressed_key_value", "l", Role::Key, Part::Attention, false,
     kDimensions},
    {Stage::NormedCompressedKeyValue, "normed_compressed_key_value", "l′", Role::Key,
     Part::Attention, false, kDimensions},
    {Stage::UnrotatedSharedKey, "unrotated_shared_key", "Kˢ°", Role::Key, Part::Attention, false,
     kDimensions},
    {Stage::SharedKey, "shared_key", "Kˢ", Role::Key, Part::Attention, false, kDimensions},
    {Stage::OwnKey, "own_key", "Kᶜ", Role::Key, Part::Attention, true, kDimensions},
    {Stage::ProjectedQuery, "projected_query", "Q′", Role::Query, Part::Attention, true,
     kDimensions},
    {Stage::ProjectedKey, "projected_key", "K′", Role::Key, Part::Attention, true, kDimensions},
    {Stage::UnrotatedQuery, "unrotated_query", "Q°", Role::Query, Part::Attention, true,
     kDimensions},
    {Stage::UnrotatedKey, "unrotated_key", "K°", Role::Key, Part::Attention, true, kDimensions},
    {Stage::RotatedQuery, "rotated_query", "Q′", Role::Query, Part::Attention, true, kDimensions},
    {Stage::RotatedKey, "rotated_key", "K′", Role::Key, Part::Attention, true, kDimensions},
    {Stage::UntunedQuery, "untuned_query", "Qᵗ", Role::Query, Part::Attention, true, kDimensions},
    {Stage::Query, "query", "Q", Role::Query, Part::Attention, true, kDimensions},
    {Stage::Key, "key", "K", Role::Key, Part::Attention, true, kDimensions},
    {Stage::Value, "value", "V", Role::Value, Part::Attention, true, kDimensions},
    {Stage::Scores, "scores", "QKᵀ", Role::Scores, Part::Attention, true, kKeys},
    {Stage::ScaledScores, "scaled_scores", "S", Role::Scores, Part::Attention, true, kKeys},
    {Stage::CappedScores, "capped_scores", "S′", Role::Scores, Part::Attention, true, kKeys},
    {Stage::PositionKey, "position_key", "Kʳ", Role::Key, Part::Attention, true, kDimensions},
    {Stage::PositionQuery, "position_query", "Qʳ", Role::Query, Part::Attention, true, kDimensions},
    {Stage::QueryDistances, "query_distances", "QKʳᵀ", Role::Scores, Part::Attention, true,
     kDistances},
    {Stage::KeyDistances, "key_distances", "KQʳᵀ", Role::Scores, Part::Attention, true, kDistances},
    {Stage::ContentToPosition, "content_to_position", "C→P", Role::Scores, Part::Attention, true,
     kKeys},
    {Stage::PositionToContent, "position_to_content", "P→C", Role::Scores, Part::Attention, true,
     kKeys},
    {Stage::PositionBias, "position_bias", "P", Role::Scores, Part::Attention, true, kKeys},
    {Stage::BiasedScores, "biased_scores", "S + P", Role::Scores, Part::Attention, true, kKeys},
    {Stage::MaskedScores, "masked_scores", "S + M", Role::Scores, Part::Attention, true, kKeys},
    {Stage::UnmaskedWeights, "unmasked_weights", "A′", Role::Weights, Part::Attention, true, kKeys},
    {Stage::AttentionWeights, "weights", "A", Role::Weights, Part::Attention, true, kKeys},
    {Stage::SinkWeights, "sink_weights", "Aₛ", Role::Weights, Part::Attention, true, kDimensions},
    {Stage::Context, "context", "Z", Role::Context, Part::Attention, true, kDimensions},
    {Stage::Concatenated, "concatenated", "Concat", Role::Context, Part::Attention, false,
     kDimensions},
    {Stage::HeadOutputs, "head_outputs", "Z·W_O", Role::Residual, Part::Attention, true,
     kDimensions},
    {Stage::Output, "output", "O", Role::Residual, Part::Attention, false, kDimensions},
    {Stage::OutputNorm, "output_norm", "O′", Role::Residual, Part::Attention, false, kDimensions},
    {Stage::ResidualSum, "residual_sum", "X + O", Role::Residual, Part::Attention, false,
     kDimensions},
    {Stage::Residual, "residual", "R", Role::Residual, Part::Attention, false, kDimensions},
    {Stage::FeedForwardNorm, "feed_forward.norm", "N", Role::Residual, Part::FeedForward, false,
     kDimensions},
    {Stage::RouterLogits, "feed_forward.router_logits", "r", Role::Logits, Part::FeedForward, false,
     kDimensions},
    {Stage::RouterProbabilities, "feed_forward.router_probabilities", "p", Role::Weights,
     Part::FeedForward, false, kDimensions},
    {Stage::RouterScores, "feed_forward.router_scores", "p + b", Role::Weights, Part::FeedForward,
     false, kDimensions},
    {Stage::ExpertWeights, "feed_forward.expert_weights", "w", Role::Weights, Part::FeedForward,
     false, kDimensions},
    {Stage::ExpertInputs, "feed_forward.expert_inputs", "Nᵉ", Role::Residual, Part::FeedForward,
     false, kDimensions},
    {Stage::Gate, "feed_forward.gate", "G", Role::Hidden, Part::FeedForward, false, kDimensions},
    {Stage::Hidden, "feed_forward.hidden", "H", Role::Hidden, Part::FeedForward, false,
     kDimensions},
    {Stage::Activated, "feed_forward.activated", "σ(H)", Role::Hidden, Part::FeedForward, false,
     kDimensions},
    {Stage::ExpertOutputs, "feed_forward.expert_outputs", "D", Role::Residual, Part::FeedForward,
     false, kDimensions},
    {Stage::RoutedOutput, "feed_forward.routed_output", "Fᵉ", Role::Residual, Part::FeedForward,
     false, kDimensions},
    {Stage::SharedGate, "feed_forward.shared_gate", "Gˢ", Role::Hidden, Part::FeedForward, false,
     kDimensions},
    {Stage::SharedHidden, "feed_forward.shared_hidden", "Hˢ", Role::Hidden, Part::FeedForward,
     false, kDimensions},
    {Stage::SharedActivated, "feed_forward.shared_activated", "σ(Hˢ)", Role::Hidden,
     Part::FeedForward, false, kDimensions},
    {Stage::SharedOutput, "feed_forward.shared_output", "Fˢ", Role::Residual, Part::FeedForward,
     false, kDimensions},
    {Stage::FeedForwardOutput, "feed_forward.output", "F", Role::Residual, Part::FeedForward, false,
     kDimensions},
    {Stage::FeedForwardOutputNorm, "feed_forward.output_norm", "F′", Role::Residual,
     Part::FeedForward, false, kDimensions},
    {Stage::FeedForwardResidualSum, "feed_forward.residual_sum", "R + F", Role::Residual,
     Part::FeedForward, false, kDimensions},
    {Stage::LayerOutput, "layer.output", "Y", Role::Residual, Part::Layer, false, kDimensions},
    {Stage::FinalNorm, "final_norm", "N", Role::Residual, Part::Final, false, kDimensions},
    {Stage::OutputLayerInput, "head_input", "U", Role::Residual, Part::OutputLayer, false,
     kDimensions},
    {Stage::UncappedLogits, "uncapped_logits", "L°", Role::Logits, Part::OutputLayer, false,
     Columns::Words},
    {Stage::Logits, "logits", "L", Role::Logits, Part::OutputLayer, false, Columns::Words},
    {Stage::Probabilities, "probabilities", "p", Role::Weights, Part::OutputLayer, false,
     Columns::Words},
    {Stage::Pooled, "pooled", "U", Role::Residual, Part::OutputLayer, false, kDimensions},
    {Stage::DistillationPooled, "distillation_pooled", "Uᵈ", Role::Residual, Part::OutputLayer,
     false, kDimensions},
    {Stage::ClsLogits, "cls_logits", "Lᶜ", Role::Logits, Part::OutputLayer, false,
     Columns::Classes},
    {Stage::DistillationLogits, "distillation_logits", "Lᵈ", Role::Logits, Part::OutputLayer, false,
     Columns::Classes},
    {Stage::ClassLogits, "class_logits", "L", Role::Logits, Part::OutputLayer, false,
     Columns::Classes},
    {Stage::Projected, "projected", "Uˢ", Role::Residual, Part::OutputLayer, false, kDimensions},
});

constexpr std::string_view kBeforeLayer = "layers.";

std::string withLayer(AttentionId attention, std::string_view rest) {
    std::string name(prefixOf(attention.stack));
    name += kBeforeLayer;
    name += std::to_string(attention.layer);
    name += '.';
    name += rest;
    return name;
}

/// Finds a stage by StageInfo::lastName(), among the stages of these parts of the model.
std::optional<Stage> withLastName(std::string_view last, std::initializer_list<Part> parts) {
    for (const StageInfo &info : kStages)
        for (const Part part : parts)
            if (info.part == part && info.lastName() == last)
                return info.stage;
    return std::nullopt;
}

/// Parses the name after the layer number, such as "self_attention.query".
std::optional<StageId> withinLayer(std::string_view rest, AttentionId attention) {
    const auto found = [&](std::string_view last, Part part) -> std::optional<StageId> {
        const auto stage = withLastName(last, {part});
        return stage ? std::optional(StageId{*stage, attention}) : std::nullopt;
    };
    const std::size_t dot = rest.find('.');
    if (dot == rest.npos)
        return found(rest, Part::Layer);
    const std::string_view last = rest.substr(dot + 1);
    for (const Block block : {Block::SelfAttention, Block::CrossAttention})
        if (rest.substr(0, dot) == nameOf(block)) {
            attention.block = block;
            return found(last, Part::Attention);
        }
    if (rest.substr(0, dot) == "feed_forward")
        return found(last, Part::FeedForward);
    return std::nullopt;
}

} // namespace

std::span<const StageInfo> allStages() {
    return kStages;
}

const StageInfo &infoOf(Stage stage) {
    const StageInfo &info = kStages[static_cast<std::size_t>(stage)];
    assert(info.stage == stage);
    return info;
}

std::string stageName(Stage stage, AttentionId attention) {
    const StageInfo &info = infoOf(stage);
    switch (info.part) {
    case Part::Embedding:
    case Part::Final:
        return std::string(prefixOf(attention.stack)) + std::string(info.name);
    case Part::Layer:
        return withLayer(attention, info.lastName());
    case Part::Attention:
        return withLayer(attention,
                         std::string(nameOf(attention.block)) + "." + std::string(info.name));
    case Part::FeedForward:
        return withLayer(attention, info.name);
    case Part::OutputLayer:
        break;
    }
    return std::string(info.name);
}

std::optional<Stage> findStage(std::string_view name, AttentionId attention) {
    for (const StageInfo &info : kStages)
        if (info.name == name || stageName(info.stage, attention) == name)
            return info.stage;
    return std::nullopt;
}

std::optional<StageId> findStageAnywhere(std::string_view fullName) {
    if (const auto head = withLastName(fullName, {Part::OutputLayer}))
        return StageId{*head, {}};
    AttentionId attention;
    for (const Stack stack : {Stack::Encoder, Stack::Decoder, Stack::SourceEmbeddings})
        if (fullName.starts_with(prefixOf(stack))) {
            attention.stack = stack;
            fullName.remove_prefix(prefixOf(stack).size());
            break;
        }
    if (!fullName.starts_with(kBeforeLayer)) {
        const auto stage = withLastName(fullName, {Part::Embedding, Part::Final});
        return stage ? std::optional(StageId{*stage, attention}) : std::nullopt;
    }
    fullName.remove_prefix(kBeforeLayer.size());
    const char *end = fullName.data() + fullName.size();
    const auto [rest, error] = std::from_chars(fullName.data(), end, attention.layer);
    if (error != std::errc() || attention.layer < 0 || rest == end || *rest != '.')
        return std::nullopt;
    return withinLayer({rest + 1, static_cast<std::size_t>(end - rest - 1)}, attention);
}

StageId canonicalId(StageId at) {
    switch (infoOf(at.stage).part) {
    case Part::Embedding:
    case Part::Final:
        return {at.stage, {0, Block::SelfAttention, at.attention.stack}};
    case Part::Layer:
    case Part::FeedForward:
        return {at.stage, {at.attention.layer, Block::SelfAttention, at.attention.stack}};
    case Part::Attention:
        return at;
    case Part::OutputLayer:
        break;
    }
    return {at.stage, {}};
}

} // namespace headlight::core
