#include "core/transformer/model_stages.h"

#include "core/transformer/embedding.h"

namespace headlight::core {

namespace {

bool hasEmbeddingStage(const Model &model, Stage stage, Stack stack) {
    switch (stage) {
    case Stage::EmbeddingSum:
        return hasEmbeddingSum(model, stack);
    case Stage::EmbeddingProjected:
        return lastEmbeddingStage(model.config) == Stage::EmbeddingProjected;
    default:
        return true;
    }
}

bool hasAttentionStage(const Model &model, Stage stage, Site site) {
    const Config &config = model.config;
    const bool self = site.block == Block::SelfAttention;
    const bool adds =
        self && (config.positions == Positions::Alibi || config.positions == Positions::Relative);
    switch (stage) {
    case Stage::Norm:
        return config.normsBefore();
    case Stage::UnrotatedQuery:
    case Stage::UnrotatedKey:
        return self && config.positions == Positions::Rotary;
    case Stage::PositionBias:
    case Stage::BiasedScores:
        return adds;
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

bool hasFeedForwardStage(const Config &config, Stage stage) {
    if (config.feedForward.width == 0)
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

bool hasHeadStage(const Model &model, Stage stage) {
    const OutputHead &head = model.config.head;
    const bool masked = head.kind == HeadKind::MaskedLanguage;
    switch (stage) {
    case Stage::HeadInput:
        return masked ||
               (head.kind == HeadKind::Language && head.scaled && !model.weights.head.output);
    case Stage::Logits:
    case Stage::Probabilities:
        return masked || head.kind == HeadKind::Language;
    default:
        return head.kind == HeadKind::Classifier;
    }
}

Index wordsOf(const Model &model) {
    if (model.weights.head.output)
        return model.weights.head.output->columns();
    return model.weights.main.embeddings ? model.weights.main.embeddings->rows() : 0;
}

} // namespace

bool hasStage(const Model &model, Stage stage, Site site) {
    const Part part = infoOf(stage).part;
    if (part == Part::Head)
        return hasHeadStage(model, stage);
    if (!model.hasStack(site.stack))
        return false;
    const bool inLayers = site.layer >= 0 && site.layer < model.layerCount(site.stack);
    switch (part) {
    case Part::Embedding:
        return hasEmbeddingStage(model, stage, site.stack);
    case Part::Final:
        return site.stack != Stack::Source && model.config.hasNorm() && model.config.norm.final;
    case Part::Layer:
        return inLayers;
    case Part::Attention:
        return model.hasAttention(site) && hasAttentionStage(model, stage, site);
    case Part::FeedForward:
        return inLayers && hasFeedForwardStage(model.config, stage);
    case Part::Head:
        break;
    }
    return false;
}

std::vector<StageAt> stagesOf(const Model &model) {
    std::vector<StageAt> all;
    const auto add = [&](Part part, Site site) {
        for (const StageInfo &info : allStages())
            if (info.part == part && info.stage != Stage::HeadOutputs &&
                info.stage != Stage::LayerOutput && hasStage(model, info.stage, site))
                all.push_back({info.stage, site});
    };
    for (const Stack stack : {Stack::Encoder, Stack::Source, model.mainStack()}) {
        if (!model.hasStack(stack))
            continue;
        const Site first(0, Block::SelfAttention, stack);
        add(Part::Embedding, first);
        for (Index layer = 0; layer < model.layerCount(stack); ++layer) {
            const Site site(layer, Block::SelfAttention, stack);
            add(Part::Layer, site);
            add(Part::Attention, site);
            add(Part::Attention, {layer, Block::CrossAttention, stack});
            add(Part::FeedForward, site);
            all.push_back({Stage::LayerOutput, site});
        }
        add(Part::Final, first);
    }
    add(Part::Head, {});
    return all;
}

Extent::Extent(const Input &input)
    : batch(input.batch->count()),
      targets(input.batch->length()),
      sources(input.source ? input.source->length() : 0) {}

Shape stageShape(const Model &model, const Extent &extent, Stage stage, Site site) {
    const StageInfo &info = infoOf(stage);
    const Config &config = model.config;
    const Index batch = extent.batch;
    const Index heads = info.ofKeys() ? config.groups() : config.heads;
    if (info.part == Part::Head) {
        const Index length = extent.targets;
        if (stage == Stage::Pooled)
            return {batch, config.width};
        if (stage == Stage::ClassLogits)
            return {batch, config.head.classes};
        if (stage == Stage::HeadInput)
            return {batch, length,
                    config.head.kind == HeadKind::MaskedLanguage ? config.tokenWidth()
                                                                 : config.width};
        return {batch, length, wordsOf(model)};
    }
    const Index queries = extent.queries(site);
    if (info.part == Part::Embedding)
        return {batch, queries,
                stage == Stage::EmbeddingProjected ? config.width : config.tokenWidth()};
    if (info.role == Role::Hidden)
        return {batch, queries, config.feedForward.width};
    if (!info.inAttention())
        return {batch, queries, config.width};
    const Index keys = extent.keys(site);
    if (info.overKeys())
        return {stage == Stage::PositionBias ? 1 : batch, heads, queries, keys};
    if (stage == Stage::HeadOutputs)
        return {batch, heads, queries, config.width};
    if (info.perHead)
        return {batch, heads, info.ofKeys() ? keys : queries, config.headSize};
    return {batch, queries,
            stage == Stage::Concatenated ? config.concatenatedWidth() : config.width};
}

} // namespace headlight::core
