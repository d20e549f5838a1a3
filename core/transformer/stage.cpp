#include "core/transformer/stage.h"

#include <array>
#include <cassert>

namespace headlight::core {

namespace {

constexpr std::array<StageInfo, 14> kStages{{
    {Stage::Embeddings, "embeddings", "E", Role::Residual, false, false, false},
    {Stage::EmbeddingSum, "embedding_sum", "E + P", Role::Residual, false, false, false},
    {Stage::Positioned, "positioned", "X", Role::Residual, false, false, false},
    {Stage::Query, "query", "Q", Role::Query, true, true, false},
    {Stage::Key, "key", "K", Role::Key, true, true, false},
    {Stage::Value, "value", "V", Role::Value, true, true, false},
    {Stage::Scores, "scores", "QKᵀ", Role::Scores, true, true, true},
    {Stage::ScaledScores, "scaled_scores", "S", Role::Scores, true, true, true},
    {Stage::MaskedScores, "masked_scores", "S + M", Role::Scores, true, true, true},
    {Stage::UnmaskedWeights, "unmasked_weights", "A′", Role::Weights, true, true, true},
    {Stage::Weights, "weights", "A", Role::Weights, true, true, true},
    {Stage::Context, "context", "Z", Role::Context, true, true, false},
    {Stage::Concatenated, "concatenated", "Concat", Role::Context, true, false, false},
    {Stage::Output, "output", "O", Role::Residual, true, false, false},
}};

} // namespace

std::span<const StageInfo> allStages() {
    return kStages;
}

const StageInfo &infoOf(Stage stage) {
    const StageInfo &info = kStages[static_cast<std::size_t>(stage)];
    assert(info.stage == stage);
    return info;
}

std::string stageName(Stage stage, Index layer) {
    const StageInfo &info = infoOf(stage);
    if (!info.inAttention)
        return std::string(info.name);
    return "layers." + std::to_string(layer) + ".self_attention." + std::string(info.name);
}

std::optional<Stage> findStage(std::string_view name, Index layer) {
    for (const StageInfo &info : kStages)
        if (info.name == name || stageName(info.stage, layer) == name)
            return info.stage;
    return std::nullopt;
}

} // namespace headlight::core
