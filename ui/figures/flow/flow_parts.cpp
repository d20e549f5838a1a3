#include "ui/figures/flow/flow_parts.h"

#include <algorithm>

namespace headlight::ui {

using core::Block;
using core::Index;
using core::Part;
using core::Site;
using core::Stack;
using core::Stage;
using core::StageAt;
using Kind = FlowPart::Kind;

namespace {

Site firstSite(Stack stack) {
    return {0, Block::SelfAttention, stack};
}

/// More stages than that are a diagram of their own.
constexpr std::size_t kMostJoined = 2;

} // namespace

FlowParts::FlowParts(const core::Trace &trace) : m_trace(trace) {
    const core::Model &model = trace.model();
    if (model.hasEncoder())
        addStack(Stack::Encoder);
    addStack(model.mainStack());
    if (hasAny(Part::OutputLayer, {}))
        m_parts.push_back(
            {Kind::Head, {model.layerCount() - 1, Block::SelfAttention, model.mainStack()}});
    if (m_parts.empty())
        m_parts.push_back({Kind::Attention, firstSite(model.mainStack())});
}

void FlowParts::addStack(Stack stack) {
    if (!isJoined(stack))
        m_parts.push_back({Kind::Embedding, firstSite(stack)});
    const auto [residual, parallel] =
        std::pair(m_trace.model().config.residual, m_trace.model().config.parallel);
    for (Index layer = 0; layer < m_trace.model().layerCount(stack); ++layer) {
        for (const Block block : {Block::SelfAttention, Block::CrossAttention})
            if (hasAny(Part::Attention, {layer, block, stack}))
                m_parts.push_back({Kind::Attention, {layer, block, stack}, residual, parallel});
        const Site site(layer, Block::SelfAttention, stack);
        if (hasAny(Part::FeedForward, site))
            m_parts.push_back({Kind::FeedForward, site, residual, parallel});
    }
}

bool FlowParts::hasAny(Part part, Site site) const {
    return std::ranges::any_of(core::allStages(), [&](const core::StageInfo &info) {
        return info.part == part && info.stage != Stage::HeadOutputs && has(info.stage, site);
    });
}

bool FlowParts::joins() const {
    const core::Config &config = m_trace.model().config;
    return config.residual || config.normsAfter();
}

bool FlowParts::isSum(Site site) const {
    const auto step = m_trace.plan().find({Stage::LayerOutput, site});
    return step && has(Stage::LayerOutput, site) && !m_trace.plan()[*step].renames;
}

std::vector<StageAt> FlowParts::embeddingsOf(Stack stack) const {
    const core::Norm &norm = m_trace.model().config.norm;
    const bool normed = norm.kind != core::NormKind::None && norm.embedding;
    std::vector<StageAt> stages;
    for (const Stage stage :
         {Stage::Embeddings, Stage::EmbeddingSum, Stage::Positioned, Stage::EmbeddingProjected})
        if ((stage != Stage::Positioned || normed) && has(stage, firstSite(stack)))
            stages.push_back({stage, firstSite(stack)});
    return stages;
}

bool FlowParts::isJoined(Stack stack) const {
    return embeddingsOf(stack).size() <= kMostJoined;
}

const FlowPart *FlowParts::firstOf(Stack stack, Index layer) const {
    const auto found = std::ranges::find_if(m_parts, [&](const FlowPart &part) {
        return part.kind != Kind::Embedding && part.kind != Kind::Head &&
               part.site.stack == stack && part.site.layer == layer;
    });
    return found == m_parts.end() ? nullptr : &*found;
}

const FlowPart *FlowParts::lastOf(Stack stack, Index layer) const {
    const FlowPart *last = nullptr;
    for (const FlowPart &part : m_parts)
        if (part.kind != Kind::Embedding && part.kind != Kind::Head && part.site.stack == stack &&
            part.site.layer == layer)
            last = &part;
    return last;
}

std::vector<StageAt> FlowParts::ownStages(const FlowPart &part) const {
    std::vector<StageAt> stages;
    const auto add = [&](Part of, Site site) {
        for (const core::StageInfo &info : core::allStages())
            if (info.part == of && info.stage != Stage::HeadOutputs && has(info.stage, site))
                stages.push_back({info.stage, site});
    };
    switch (part.kind) {
    case Kind::Embedding:
        return embeddingsOf(part.site.stack);
    case Kind::Attention:
        add(Part::Attention, part.site);
        if (const Site layer(part.site.layer, Block::SelfAttention, part.site.stack);
            part.parallel && isSum(layer) && *lastOf(layer.stack, layer.layer) == part)
            stages.push_back({Stage::LayerOutput, layer});
        break;
    case Kind::FeedForward:
        add(Part::FeedForward, part.site);
        if (part.parallel ? isSum(part.site)
                          : joins() && has(Stage::LayerOutput, part.site)) // else a name for F
            stages.push_back({Stage::LayerOutput, part.site});
        break;
    case Kind::Head:
        add(Part::Final, part.site);
        add(Part::OutputLayer, part.site);
        break;
    }
    return stages;
}

std::vector<StageAt> FlowParts::stagesOf(const FlowPart &part) const {
    std::vector<StageAt> stages;
    const auto add = [&stages](const std::vector<StageAt> &more) {
        stages.insert(stages.end(), more.begin(), more.end());
    };
    const auto [layer, block, stack] = part.site;
    const bool inLayer = part.kind == Kind::Attention || part.kind == Kind::FeedForward;
    const FlowPart *first = firstOf(stack, layer);
    if (inLayer && first && *first == part) {
        if (layer == 0 && isJoined(stack))
            add(embeddingsOf(stack));
        else if (layer > 0 && has(Stage::LayerInput, part.site))
            stages.push_back({Stage::LayerInput, {layer, Block::SelfAttention, stack}});
    }
    if (part.kind == Kind::Attention && block == Block::CrossAttention && layer == 0 &&
        !m_trace.model().hasEncoder())
        add(embeddingsOf(Stack::Source));
    add(ownStages(part));
    // The last norm of a stack, unless a head begins with it.
    const bool isLast =
        inLayer && layer + 1 == m_trace.model().layerCount(stack) && *lastOf(stack, layer) == part;
    if (isLast && (stack == Stack::Encoder || m_parts.back().kind != Kind::Head) &&
        has(Stage::FinalNorm, part.site))
        stages.push_back({Stage::FinalNorm, part.site});
    return stages;
}

StageAt FlowParts::resultOf(const FlowPart &part) const {
    const std::vector<StageAt> stages = ownStages(part);
    return stages.empty() ? StageAt{Stage::LayerInput, part.site} : stages.back();
}

/// Of a parallel layer's later parts: what the layer reads, the norm that they share, and what the
/// parts before have made.
std::vector<StageAt> FlowParts::besideOf(const FlowPart &part) const {
    const auto [layer, block, stack] = part.site;
    const Site site(layer, Block::SelfAttention, stack);
    std::vector<StageAt> stages;
    if (const auto embedded = embeddingsOf(stack); layer == 0 && !embedded.empty())
        stages.push_back(embedded.back());
    else if (has(Stage::LayerInput, site))
        stages.push_back({Stage::LayerInput, site});
    const Stage norm = part.kind == Kind::FeedForward ? Stage::FeedForwardNorm : Stage::Norm;
    const FlowPart *first = firstOf(stack, layer);
    if (first && !has(norm, part.site) && has(Stage::Norm, first->site))
        stages.push_back({Stage::Norm, first->site});
    for (const FlowPart &one : m_parts) {
        if (one == part)
            break;
        if (one.site.layer == layer && one.site.stack == stack && one.kind == Kind::Attention)
            stages.push_back(resultOf(one));
    }
    return stages;
}

std::optional<StageAt> FlowParts::memory() const {
    if (!m_trace.model().hasEncoder()) {
        const auto source = embeddingsOf(Stack::Source);
        return source.empty() ? std::nullopt : std::optional(source.back());
    }
    const Index last = m_trace.model().layerCount(Stack::Encoder) - 1;
    const FlowPart *part = lastOf(Stack::Encoder, last);
    if (has(Stage::FinalNorm, firstSite(Stack::Encoder)) && part)
        return StageAt{Stage::FinalNorm, part->site};
    return part ? std::optional(resultOf(*part)) : std::nullopt;
}

std::vector<StageAt> FlowParts::inputsOf(const FlowPart &part) const {
    const auto [layer, block, stack] = part.site;
    std::vector<StageAt> inputs;
    if (part.kind == Kind::Embedding)
        return inputs;
    const auto here = std::ranges::find(m_parts, part);
    const bool follows =
        here != m_parts.begin() && here != m_parts.end() && std::prev(here)->site.stack == stack;
    const FlowPart *before = follows ? &*std::prev(here) : nullptr;
    const FlowPart *first = firstOf(stack, layer);
    const bool begins = part.kind != Kind::Head && first && *first == part;
    if (part.parallel && !begins && part.kind != Kind::Head)
        inputs = besideOf(part);
    else if (before && (!begins || layer == 0))
        inputs.push_back(resultOf(*before));
    if (part.kind == Kind::Attention && block == Block::CrossAttention &&
        (layer > 0 || m_trace.model().hasEncoder()))
        if (const auto read = memory())
            inputs.push_back(*read);
    // The last that a capture has of a part may be no vectors, and then it is not what goes on.
    std::erase_if(inputs, [](StageAt at) { return core::infoOf(at.stage).overKeys(); });
    return inputs;
}

std::vector<StageAt> FlowParts::stages() const {
    std::vector<StageAt> all;
    for (const FlowPart &part : m_parts)
        for (const StageAt &at : stagesOf(part))
            all.push_back(at);
    return all;
}

const FlowPart &FlowParts::partOf(const core::Selection &selection) const & {
    const core::StageInfo &info = core::infoOf(selection.stage);
    const core::Model &model = m_trace.model();
    const Stack stack = model.hasStack(selection.stack) ? selection.stack : model.mainStack();
    const auto find = [&](Kind kind, Site site) {
        const auto found = std::ranges::find_if(
            m_parts, [&](const FlowPart &one) { return one.kind == kind && one.site == site; });
        return found == m_parts.end() ? nullptr : &*found;
    };
    const auto or_ = [&](std::initializer_list<const FlowPart *> choices) -> const FlowPart & {
        for (const FlowPart *choice : choices)
            if (choice)
                return *choice;
        return m_parts.front();
    };
    const Index layer = selection.layer;
    const FlowPart *first = firstOf(stack, layer);
    const FlowPart *last = lastOf(stack, layer);
    switch (info.part) {
    case Part::Embedding:
        if (stack == Stack::Source)
            return or_({find(Kind::Attention, {0, Block::CrossAttention, model.mainStack()})});
        return or_({layer == 0 ? find(Kind::Embedding, firstSite(stack)) : nullptr, first});
    case Part::Layer:
        if (selection.stage == Stage::LayerInput)
            return or_({layer == 0 ? find(Kind::Embedding, firstSite(stack)) : nullptr, first});
        return or_({last, first});
    case Part::Attention:
        return or_({find(Kind::Attention, {layer, selection.block, stack}), first});
    case Part::FeedForward:
        return or_({find(Kind::FeedForward, {layer, Block::SelfAttention, stack}), last, first});
    case Part::Final:
        if (stack == Stack::Encoder)
            return or_({lastOf(stack, model.layerCount(stack) - 1)});
        return m_parts.back();
    case Part::OutputLayer:
        break;
    }
    return m_parts.back();
}

StageAt FlowParts::shown(const core::Selection &selection) const {
    const FlowPart &part = partOf(selection);
    const std::vector<StageAt> stages = stagesOf(part);
    if (stages.empty())
        return {selection.stage, selection.site()};
    const bool ofSource = selection.stack == Stack::Source;
    // The nearest before it: what the model lacks changed nothing on the way.
    const StageAt *nearest = nullptr;
    for (const StageAt &at : stages)
        if (at.stage <= selection.stage && (at.site.stack == Stack::Source) == ofSource)
            nearest = &at;
    return nearest ? *nearest : stages.front();
}

core::Selection atStage(core::Selection selection, StageAt at) {
    const auto ofSource = [](Stack stack) {
        return stack == Stack::Encoder || stack == Stack::Source;
    };
    const auto keysOfSource = [&](Site site) {
        return site.block == Block::CrossAttention || ofSource(site.stack);
    };
    if (ofSource(selection.stack) != ofSource(at.site.stack))
        selection.query.reset(); // a token of another sequence
    if (keysOfSource(selection.site()) != keysOfSource(at.site))
        selection.key.reset();
    selection.stage = at.stage;
    selection.setSite(at.site);
    return selection;
}

} // namespace headlight::ui
