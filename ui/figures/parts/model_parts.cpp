#include "ui/figures/parts/model_parts.h"

#include <algorithm>

namespace headlight::ui {

using core::AttentionId;
using core::Block;
using core::Index;
using core::Part;
using core::Stack;
using core::Stage;
using core::StageId;
using Kind = ModelPart::Kind;

namespace {

AttentionId firstAttention(Stack stack) {
    return {0, Block::SelfAttention, stack};
}

/// If there are more stages than this, the embeddings have a separate diagram.
constexpr std::size_t kMaxJoined = 2;

} // namespace

ModelParts::ModelParts(const core::Model &model, const core::Plan &plan)
    : m_model(model), m_plan(plan) {
    if (model.hasEncoder())
        addStack(Stack::Encoder);
    addStack(model.mainStack());
    if (hasAny(Part::OutputLayer, {}))
        m_parts.push_back(
            {Kind::Head, {model.layerCount() - 1, Block::SelfAttention, model.mainStack()}});
    if (m_parts.empty())
        m_parts.push_back({Kind::Attention, firstAttention(model.mainStack())});
}

void ModelParts::addStack(Stack stack) {
    if (!isJoined(stack))
        m_parts.push_back({Kind::Embedding, firstAttention(stack)});
    const bool parallel = m_model.config.parallel;
    for (Index layer = 0; layer < m_model.layerCount(stack); ++layer) {
        for (const Block block : {Block::SelfAttention, Block::CrossAttention})
            if (hasAny(Part::Attention, {layer, block, stack}))
                m_parts.push_back({Kind::Attention, {layer, block, stack}, parallel});
        const AttentionId attention(layer, Block::SelfAttention, stack);
        if (hasAny(Part::FeedForward, attention))
            m_parts.push_back({Kind::FeedForward, attention, parallel});
    }
}

bool ModelParts::hasAny(Part part, AttentionId attention) const {
    return std::ranges::any_of(core::allStages(), [&](const core::StageInfo &info) {
        return info.part == part && info.stage != Stage::HeadOutputs && has(info.stage, attention);
    });
}

bool ModelParts::joins() const {
    const core::Config &config = m_model.config;
    return config.residual || config.normsAfter();
}

bool ModelParts::isSum(AttentionId attention) const {
    const auto step = m_plan.find({Stage::LayerOutput, attention});
    return step && has(Stage::LayerOutput, attention) && !m_plan[*step].renames;
}

std::vector<StageId> ModelParts::embeddingsOf(Stack stack) const {
    const core::Norm &norm = m_model.config.norm;
    const bool normed = norm.kind != core::NormKind::None && norm.embedding;
    std::vector<StageId> stages;
    for (const Stage stage :
         {Stage::Embeddings, Stage::FirstNeighbours, Stage::FirstFrame, Stage::SecondNeighbours,
          Stage::SecondFrame, Stage::FrameNeighbours, Stage::EmbeddingSum, Stage::Positioned,
          Stage::EmbeddingProjected, Stage::DistanceEmbeddings})
        if ((stage != Stage::Positioned || normed) && has(stage, firstAttention(stack)))
            stages.push_back({stage, firstAttention(stack)});
    if (m_model.configOf(stack).projectsFirst) // projected before the sum, unlike above
        std::ranges::stable_sort(stages, {}, [this](const StageId &at) { return m_plan.find(at); });
    return stages;
}

bool ModelParts::isJoined(Stack stack) const {
    return embeddingsOf(stack).size() <= kMaxJoined;
}

const ModelPart *ModelParts::firstOf(Stack stack, Index layer) const {
    const auto found = std::ranges::find_if(m_parts, [&](const ModelPart &part) {
        return part.kind != Kind::Embedding && part.kind != Kind::Head &&
               part.attention.stack == stack && part.attention.layer == layer;
    });
    return found == m_parts.end() ? nullptr : &*found;
}

const ModelPart *ModelParts::lastOf(Stack stack, Index layer) const {
    const ModelPart *last = nullptr;
    for (const ModelPart &part : m_parts)
        if (part.kind != Kind::Embedding && part.kind != Kind::Head &&
            part.attention.stack == stack && part.attention.layer == layer)
            last = &part;
    return last;
}

std::vector<StageId> ModelParts::ownStages(const ModelPart &part) const {
    std::vector<StageId> stages;
    const auto add = [&](Part of, AttentionId attention) {
        for (const core::StageInfo &info : core::allStages())
            if (info.part == of && info.stage != Stage::HeadOutputs && has(info.stage, attention))
                stages.push_back({info.stage, attention});
    };
    switch (part.kind) {
    case Kind::Embedding:
        return embeddingsOf(part.attention.stack);
    case Kind::Attention:
        add(Part::Attention, part.attention);
        if (const AttentionId layer(part.attention.layer, Block::SelfAttention,
                                    part.attention.stack);
            part.parallel && isSum(layer) && *lastOf(layer.stack, layer.layer) == part)
            stages.push_back({Stage::LayerOutput, layer});
        break;
    case Kind::FeedForward:
        add(Part::FeedForward, part.attention);
        if (part.parallel
                ? isSum(part.attention)
                : joins() && has(Stage::LayerOutput, part.attention)) // otherwise an alias of F
            stages.push_back({Stage::LayerOutput, part.attention});
        break;
    case Kind::Head:
        add(Part::Final, part.attention);
        add(Part::OutputLayer, part.attention);
        break;
    }
    return stages;
}

std::vector<StageId> ModelParts::stagesOf(const ModelPart &part) const {
    std::vector<StageId> stages;
    const auto add = [&stages](const std::vector<StageId> &more) {
        stages.insert(stages.end(), more.begin(), more.end());
    };
    const auto [layer, block, stack] = part.attention;
    const bool inLayer = part.kind == Kind::Attention || part.kind == Kind::FeedForward;
    const ModelPart *first = firstOf(stack, layer);
    if (inLayer && first && *first == part) {
        if (layer == 0 && isJoined(stack))
            add(embeddingsOf(stack));
        else if (layer > 0 && has(Stage::LayerInput, part.attention))
            stages.push_back({Stage::LayerInput, {layer, Block::SelfAttention, stack}});
    }
    if (part.kind == Kind::Attention && block == Block::CrossAttention && layer == 0 &&
        !m_model.hasEncoder())
        add(embeddingsOf(Stack::SourceEmbeddings));
    add(ownStages(part));
    // Add the last norm of the stack, unless the output layer begins with it.
    const bool isLast =
        inLayer && layer + 1 == m_model.layerCount(stack) && *lastOf(stack, layer) == part;
    if (isLast && (stack == Stack::Encoder || m_parts.back().kind != Kind::Head) &&
        has(Stage::FinalNorm, part.attention))
        stages.push_back({Stage::FinalNorm, part.attention});
    return stages;
}

std::vector<StageId> ModelParts::stages() const {
    std::vector<StageId> all;
    for (const ModelPart &part : m_parts)
        for (const StageId &at : stagesOf(part))
            all.push_back(at);
    return all;
}

const ModelPart &ModelParts::partOf(const core::Selection &selection) const & {
    const core::StageInfo &info = core::infoOf(selection.stage);
    const core::Model &model = m_model;
    const Stack stack = model.hasStack(selection.stack) ? selection.stack : model.mainStack();
    const auto find = [&](Kind kind, AttentionId attention) {
        const auto found = std::ranges::find_if(m_parts, [&](const ModelPart &one) {
            return one.kind == kind && one.attention == attention;
        });
        return found == m_parts.end() ? nullptr : &*found;
    };
    const auto or_ = [&](std::initializer_list<const ModelPart *> choices) -> const ModelPart & {
        for (const ModelPart *choice : choices)
            if (choice)
                return *choice;
        return m_parts.front();
    };
    const Index layer = selection.layer;
    const ModelPart *first = firstOf(stack, layer);
    const ModelPart *last = lastOf(stack, layer);
    switch (info.part) {
    case Part::Embedding:
        if (stack == Stack::SourceEmbeddings)
            return or_({find(Kind::Attention, {0, Block::CrossAttention, model.mainStack()})});
        return or_({layer == 0 ? find(Kind::Embedding, firstAttention(stack)) : nullptr, first});
    case Part::Layer:
        if (selection.stage == Stage::LayerInput)
            return or_(
                {layer == 0 ? find(Kind::Embedding, firstAttention(stack)) : nullptr, first});
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

StageId ModelParts::shown(const core::Selection &selection) const {
    const ModelPart &part = partOf(selection);
    const std::vector<StageId> stages = stagesOf(part);
    if (stages.empty())
        return {selection.stage, selection.attention()};
    const bool ofSource = selection.stack == Stack::SourceEmbeddings;
    // Find the nearest earlier stage. A step that the model lacks leaves the values unchanged. The
    // embeddings of distances are not an earlier form of any other stage.
    const StageId *nearest = nullptr;
    for (const StageId &at : stages)
        if (at.stage <= selection.stage &&
            (at.stage != Stage::DistanceEmbeddings || at.stage == selection.stage) &&
            (at.attention.stack == Stack::SourceEmbeddings) == ofSource) {
            nearest = &at;
            if (at.stage == selection.stage)
                break;
        }
    return nearest ? *nearest : stages.front();
}

core::Selection atStage(core::Selection selection, StageId at) {
    // Keep the layer for stages after the layers, so that the words above the picture still show
    // its weights.
    const core::Part part = core::infoOf(at.stage).part;
    if ((part == core::Part::Final || part == core::Part::OutputLayer) &&
        at.attention.stack == selection.stack)
        at.attention = selection.attention();
    const auto ofSource = [](Stack stack) {
        return stack == Stack::Encoder || stack == Stack::SourceEmbeddings;
    };
    const auto keysOfSource = [&](AttentionId attention) {
        return attention.block == Block::CrossAttention || ofSource(attention.stack);
    };
    if (ofSource(selection.stack) != ofSource(at.attention.stack))
        selection.query.reset(); // the query is a token of another sequence
    if (keysOfSource(selection.attention()) != keysOfSource(at.attention))
        selection.key.reset();
    selection.stage = at.stage;
    selection.setAttention(at.attention);
    return selection;
}

} // namespace headlight::ui
