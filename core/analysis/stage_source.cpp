#include "core/analysis/stage_source.h"

namespace headlight::core {

namespace {

/// The first of the stages that the trace has.
std::optional<StageAt> firstOf(const Trace &trace, Site site, std::initializer_list<Stage> stages) {
    for (const Stage stage : stages)
        if (trace.has(stage, site))
            return StageAt{stage, site};
    return std::nullopt;
}

Site withBlock(Site site, Block block) {
    return {site.layer, block, site.stack};
}

/// What an attention hands on; none where the layer does not have it.
std::optional<StageAt> endOf(const Trace &trace, Site attention) {
    return firstOf(trace, attention, {Stage::Residual, Stage::Output, Stage::Concatenated});
}

/// What a stack's layers read, and so the first of them.
std::optional<StageAt> embedded(const Trace &trace, Stack stack) {
    return firstOf(trace, {0, Block::SelfAttention, stack},
                   {Stage::EmbeddingProjected, Stage::Positioned});
}

/// What the stack gives when all its layers are through.
std::optional<StageAt> lastOf(const Trace &trace, Stack stack) {
    const Index layers = trace.model().layerCount(stack);
    if (layers == 0)
        return embedded(trace, stack);
    return firstOf(trace, {layers - 1, Block::SelfAttention, stack},
                   {Stage::FinalNorm, Stage::LayerOutput});
}

std::optional<StageAt> sourceInEmbedding(const Trace &trace, Stage stage, Site site) {
    switch (stage) {
    case Stage::EmbeddingSum:
        return firstOf(trace, site, {Stage::Embeddings});
    case Stage::Positioned:
        return firstOf(trace, site, {Stage::EmbeddingSum, Stage::Embeddings});
    case Stage::EmbeddingProjected:
        return firstOf(trace, site, {Stage::Positioned});
    default:
        return std::nullopt;
    }
}

std::optional<StageAt> sourceInLayer(const Trace &trace, Stage stage, Site site) {
    if (stage == Stage::LayerInput)
        return site.layer == 0
                   ? embedded(trace, site.stack)
                   : firstOf(trace, {site.layer - 1, site.block, site.stack}, {Stage::LayerOutput});
    if (const auto sum = firstOf(trace, site, {Stage::FeedForwardResidualSum}))
        return sum;
    if (trace.has(Stage::FeedForwardOutput, site) && !trace.model().config.residual)
        return StageAt{Stage::FeedForwardOutput, site};
    return inputOf(trace, Part::FeedForward, site);
}

std::optional<StageAt> sourceInAttention(const Trace &trace, Stage stage, Site site) {
    const auto normed = [&] {
        const auto norm = firstOf(trace, site, {Stage::Norm});
        return norm ? norm : inputOf(trace, Part::Attention, site);
    };
    const auto attendedTo = [&] {
        return site.block == Block::CrossAttention ? memoryOf(trace) : normed();
    };
    const auto before = [&](std::initializer_list<Stage> stages) {
        return firstOf(trace, site, stages);
    };
    switch (stage) {
    case Stage::UnrotatedQuery:
        return normed();
    case Stage::UnrotatedKey:
    case Stage::Value:
        return attendedTo();
    case Stage::Query:
        return trace.has(Stage::UnrotatedQuery, site) ? before({Stage::UnrotatedQuery}) : normed();
    case Stage::Key:
        return trace.has(Stage::UnrotatedKey, site) ? before({Stage::UnrotatedKey}) : attendedTo();
    case Stage::Scores:
        return before({Stage::Query});
    case Stage::ScaledScores:
        return before({Stage::Scores});
    case Stage::BiasedScores:
        return before({Stage::ScaledScores});
    case Stage::MaskedScores:
    case Stage::UnmaskedWeights:
        return before({Stage::BiasedScores, Stage::ScaledScores});
    case Stage::Weights:
        return before({Stage::MaskedScores, Stage::UnmaskedWeights});
    case Stage::Context:
        return before({Stage::Weights});
    case Stage::Concatenated:
    case Stage::HeadOutputs:
        return before({Stage::Context});
    case Stage::Output:
        return before({Stage::Concatenated});
    case Stage::Residual:
        if (const auto sum = before({Stage::ResidualSum}))
            return sum;
        return trace.model().config.residual ? inputOf(trace, Part::Attention, site)
                                             : before({Stage::Output, Stage::Concatenated});
    case Stage::Norm:
    case Stage::ResidualSum:
        return inputOf(trace, Part::Attention, site);
    default:
        return std::nullopt;
    }
}

std::optional<StageAt> sourceInFeedForward(const Trace &trace, Stage stage, Site site) {
    const auto before = [&](std::initializer_list<Stage> stages) {
        return firstOf(trace, site, stages);
    };
    switch (stage) {
    case Stage::Gate:
    case Stage::Hidden:
        if (const auto norm = before({Stage::FeedForwardNorm}))
            return norm;
        return inputOf(trace, Part::FeedForward, site);
    case Stage::Activated:
        return before({Stage::Gate, Stage::Hidden});
    case Stage::FeedForwardOutput:
        return before({Stage::Activated});
    default:
        return inputOf(trace, Part::FeedForward, site);
    }
}

std::optional<StageAt> sourceInHead(const Trace &trace, Stage stage) {
    const Stack main = trace.model().mainStack();
    switch (stage) {
    case Stage::Logits:
        if (trace.has(Stage::HeadInput))
            return StageAt{Stage::HeadInput, {}};
        return lastOf(trace, main);
    case Stage::Probabilities:
        return firstOf(trace, {}, {Stage::Logits});
    case Stage::ClassLogits:
        return firstOf(trace, {}, {Stage::Pooled});
    default:
        return lastOf(trace, main);
    }
}

} // namespace

std::optional<StageAt> sourceOf(const Trace &trace, Stage stage, Site site) {
    switch (infoOf(stage).part) {
    case Part::Embedding:
        return sourceInEmbedding(trace, stage, site);
    case Part::Layer:
        return sourceInLayer(trace, stage, site);
    case Part::Attention:
        return sourceInAttention(trace, stage, site);
    case Part::FeedForward:
        return sourceInFeedForward(trace, stage, site);
    case Part::Final:
        return firstOf(trace, {trace.model().layerCount(site.stack) - 1, site.block, site.stack},
                       {Stage::LayerOutput});
    case Part::Head:
        break;
    }
    return sourceInHead(trace, stage);
}

std::optional<StageAt> memoryOf(const Trace &trace) {
    return lastOf(trace, trace.model().sourceStack());
}

std::optional<StageAt> inputOf(const Trace &trace, Part part, Site site) {
    if (part == Part::FeedForward)
        if (const auto cross = endOf(trace, withBlock(site, Block::CrossAttention)))
            return cross;
    if (part == Part::FeedForward || site.block == Block::CrossAttention)
        if (const auto self = endOf(trace, withBlock(site, Block::SelfAttention)))
            return self;
    return firstOf(trace, site, {Stage::LayerInput});
}

SharedMatrix matrixAt(const Trace &trace, StageAt place, Index sequence, Index head) {
    const Tensor tensor = trace.stage(place.stage, place.site);
    if (tensor.isNull())
        return {};
    if (tensor.shape().rank() == 2)
        return tensor.matrix(0);
    return trace.matrix(place.stage, place.site, sequence, head);
}

} // namespace headlight::core
