#include "core/analysis/stage_presence.h"

#include <algorithm>

namespace headlight::core {

namespace {

bool hasEmbeddingStage(const Model &model, Stage stage, Stack stack) {
    const StackWeights &weights = model.stack(stack);
    switch (stage) {
    case Stage::EmbeddingSum:
        return model.config.scaleEmbeddings || weights.tokenTypes ||
               model.config.positions == Positions::Sinusoidal ||
               model.config.positions == Positions::Learned;
    case Stage::EmbeddingProjected:
        return weights.embeddingProjection != nullptr;
    default:
        return true;
    }
}

bool hasAttentionStage(const Model &model, Stage stage, Site site) {
    if (!model.hasAttention(site))
        return false;
    const Config &config = model.config;
    const bool self = site.block == Block::SelfAttention;
    switch (stage) {
    case Stage::Norm:
        return config.normsBefore();
    case Stage::UnrotatedQuery:
    case Stage::UnrotatedKey:
        return self && config.positions == Positions::Rotary;
    case Stage::PositionBias:
    case Stage::BiasedScores:
        return self &&
               (config.positions == Positions::Alibi || config.positions == Positions::Relative);
    case Stage::MaskedScores:
        return !config.masking.afterSoftmax;
    case Stage::UnmaskedWeights:
        return config.masking.afterSoftmax;
    case Stage::HeadOutputs:
    case Stage::Output:
        return model.attention(site).output != nullptr;
    case Stage::ResidualSum:
        return config.residual && config.normsAfter();
    case Stage::Residual:
        return config.residual || config.normsAfter();
    default:
        return true;
    }
}

bool hasFeedForwardStage(const Model &model, Stage stage, Site site) {
    const Config &config = model.config;
    if (!model.layer(site.stack, site.layer).feedForward.hidden)
        return false;
    switch (stage) {
    case Stage::FeedForwardNorm:
        return config.normsBefore();
    case Stage::Gate:
        return config.feedForward.gated;
    case Stage::FeedForwardResidualSum:
        return config.residual && config.normsAfter();
    default:
        return true;
    }
}

bool hasHeadStage(const Config &config, Stage stage) {
    const OutputHead &head = config.head;
    switch (stage) {
    case Stage::HeadInput:
        return head.kind == HeadKind::MaskedLanguage ||
               (head.kind == HeadKind::Language && head.scaled);
    case Stage::Pooled:
    case Stage::ClassLogits:
        return head.kind == HeadKind::Classifier;
    default:
        return head.kind == HeadKind::Language || head.kind == HeadKind::MaskedLanguage;
    }
}

} // namespace

bool hasStage(const Model &model, Stage stage, Site site) {
    const Part part = infoOf(stage).part;
    if (part == Part::Head)
        return hasHeadStage(model.config, stage);
    if (!model.hasStack(site.stack))
        return false;
    if (part == Part::Embedding)
        return hasEmbeddingStage(model, stage, site.stack);
    if (site.stack == Stack::Source)
        return false;
    if (part == Part::Final)
        return model.config.hasNorm() && model.config.norm.final;
    if (site.layer < 0 || site.layer >= model.layerCount(site.stack))
        return false;
    if (part == Part::Layer)
        return true;
    return part == Part::Attention ? hasAttentionStage(model, stage, site)
                                   : hasFeedForwardStage(model, stage, site);
}

Stage nearestStage(const Model &model, Stage stage, Site site) {
    const auto stages = allStages();
    const auto own = static_cast<Index>(stage);
    const auto isThere = [&](Index index) {
        return index >= 0 && index < static_cast<Index>(stages.size()) &&
               hasStage(model, stages[static_cast<std::size_t>(index)].stage, site);
    };
    // The next one stands for what only what comes before it is called differently.
    if (stage == Stage::UnmaskedWeights || stage == Stage::UnrotatedQuery ||
        stage == Stage::UnrotatedKey || stage == Stage::Gate) {
        for (Index after = own; after < static_cast<Index>(stages.size()); ++after)
            if (isThere(after))
                return stages[static_cast<std::size_t>(after)].stage;
    }
    for (Index before = own; before >= 0; --before)
        if (isThere(before))
            return stages[static_cast<std::size_t>(before)].stage;
    return stage;
}

Index widestOf(const Model &model, Stage stage) {
    const Config &config = model.config;
    switch (infoOf(stage).columns) {
    case Columns::Words:
        if (const Parameter &output = model.weights.head.output)
            return output->columns();
        return model.weights.main.embeddings ? model.weights.main.embeddings->rows() : 0;
    case Columns::Classes:
        return config.head.classes;
    default:
        return std::max({config.width, config.concatenatedWidth(), config.tokenWidth(),
                         config.feedForward.width});
    }
}

} // namespace headlight::core
