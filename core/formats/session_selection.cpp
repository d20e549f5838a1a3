// `view` of a session file, and what a step shows: where to look.
#include "core/formats/json_reader.h"
#include "core/formats/session_parts.h"
#include "core/formats/session_words.h"
#include "core/in_quotes.h"
#include "core/transformer/model_stages.h"

#include <algorithm>

namespace headlight::core {

namespace {

/// More than any index can be; the session's own sizes are compared afterwards.
constexpr Index kMaximumIndex = kMaximumBatchTokens;

void readPlace(const Field &field, std::optional<Index> &place) {
    if (field.present())
        place = field.whole(0, kMaximumIndex);
}

/// A number, or null: then nothing is selected there.
void readClearable(const Field &field, std::optional<Index> &place, bool &clears) {
    if (field.is(JsonValue::Kind::Null))
        clears = true;
    else
        readPlace(field, place);
}

void checkBelow(const Field &field, const std::optional<Index> &index, Index count,
                const char *things) {
    if (index && *index >= count)
        field.fail(std::to_string(*index) + " is out of range",
                   "there are " + std::to_string(count) + " " + things + ", counted from 0");
}

/// Why a model does not have the stage.
const char *reasonFor(Stage stage, const Config &config) {
    switch (stage) {
    case Stage::EmbeddingSum:
        return "this model adds no positions, so it has no such stage";
    case Stage::EmbeddingProjected:
        return "this model's embeddings have the width of its layers";
    case Stage::UnrotatedQuery:
    case Stage::UnrotatedKey:
        return "nothing is rotated here, so there is no such stage";
    case Stage::PositionBias:
    case Stage::BiasedScores:
        return "nothing is added to the scores here, so there is no such stage";
    case Stage::MaskedScores:
        return "this model masks after softmax, so it has no such stage";
    case Stage::UnmaskedWeights:
        return "this model masks before softmax, so it has no such stage";
    case Stage::HeadOutputs:
    case Stage::Output:
        return "this layer has no output matrix, so it has no such stage";
    case Stage::Norm:
    case Stage::FeedForwardNorm:
    case Stage::ResidualSum:
    case Stage::FeedForwardResidualSum:
    case Stage::FinalNorm:
        return "this model has no norm there, so it has no such stage";
    case Stage::Residual:
        return "this model has no residual connections, so it has no such stage";
    case Stage::HeadInput:
    case Stage::Logits:
    case Stage::Probabilities:
        return config.head.kind == HeadKind::Language
                   ? "the output matrix reads what the last layer gives, so there is no such stage"
                   : "this model predicts no words";
    case Stage::Pooled:
    case Stage::ClassLogits:
        return "this model is no classifier";
    default:
        return infoOf(stage).part == Part::FeedForward ? "this model has no such feed-forward stage"
                                                       : "nothing of this is made of the sequence";
    }
}

/// The same; empty where it has it, or where more is wrong than the stage.
std::string missing(Stage stage, const Model &model, Site site) {
    const Part part = infoOf(stage).part;
    const bool inLayer = part == Part::Attention || part == Part::FeedForward;
    const bool known = !inLayer || site.stack == Stack::Source ||
                       (site.layer < model.layerCount(site.stack) &&
                        (part == Part::FeedForward || model.hasAttention(site)));
    return hasStage(model, stage, site) || !known ? "" : reasonFor(stage, model.config);
}

/// How many dimensions a vector of the stage has; of any stage where none is said.
Index dimensionsOf(const std::optional<Stage> &stage, const Model &model, const Extent &extent) {
    const Config &config = model.config;
    if (!stage)
        return std::max({config.width, config.tokenWidth(), config.concatenatedWidth(),
                         config.feedForward.width, config.head.classes,
                         model.vocabulary ? model.vocabulary->size() : Index(0)});
    if (infoOf(*stage).overKeys())
        return config.headSize; // of the vectors that the row is made of
    return stageShape(model, extent, *stage).sizes().back();
}

} // namespace

SelectionPatch readSelection(const Field &field) {
    SelectionPatch patch;
    if (!field.isObject())
        return patch;
    readPlace(field.member("sequence"), patch.sequence);
    if (const Field stack = field.member("stack"); stack.present())
        if (const auto word = stack.word(Words<Stack>::all))
            patch.stack = static_cast<Stack>(*word);
    if (const Field block = field.member("block"); block.present())
        if (const auto word = block.word(Words<Block>::all))
            patch.block = static_cast<Block>(*word);
    readPlace(field.member("layer"), patch.layer);
    readPlace(field.member("head"), patch.head);
    readClearable(field.member("query"), patch.query, patch.clearsCell);
    readClearable(field.member("key"), patch.key, patch.clearsCell);
    readClearable(field.member("dimension"), patch.dimension, patch.clearsCell);
    if (const Field view = field.member("view"); view.present())
        if (view.word({"flow", "heads", "similarity", "geometry"}))
            patch.view = view.value().text();
    if (const Field stage = field.member("stage"); stage.present())
        if (const auto name = stage.text()) {
            patch.stage = findStage(*name, {patch.layer.value_or(0),
                                            patch.block.value_or(Block::SelfAttention),
                                            patch.stack.value_or(Stack::Only)});
            if (!patch.stage)
                stage.fail(inQuotes(*name) + " is not a stage",
                           "use a name such as \"query\", \"scores\" or \"weights\"");
        }
    return patch;
}

bool isGiven(const Model &model, Site site) {
    return model.hasStack(site.stack) && site.stack != Stack::Source &&
           site.layer < model.layerCount(site.stack) &&
           !(model.attention(site) == AttentionWeights());
}

Site siteOf(const SelectionPatch &selection, const Model &model) {
    const Stack stack = selection.stack.value_or(model.mainStack());
    const Index layer = selection.layer.value_or(0);
    const bool only = isGiven(model, {layer, Block::CrossAttention, stack}) &&
                      !isGiven(model, {layer, Block::SelfAttention, stack});
    return {layer, selection.block.value_or(only ? Block::CrossAttention : Block::SelfAttention),
            stack};
}

const Batch *queriesOf(const Input &input, Site site) {
    const bool second = site.stack == Stack::Encoder || site.stack == Stack::Source;
    return second ? input.source.get() : input.batch.get();
}

const Batch *keysOf(const Input &input, Site site) {
    return site.block == Block::CrossAttention ? input.source.get() : queriesOf(input, site);
}

void checkSelection(const Field &field, const SelectionPatch &selection, const Session &session) {
    const Model &model = session.model;
    const Site site = siteOf(selection, model);
    if (const Batch *batch = session.input.batch.get())
        checkBelow(field.member("sequence"), selection.sequence, batch->count(), "sequences");
    if (const Batch *queries = queriesOf(session.input, site))
        checkBelow(field.member("query"), selection.query, queries->length(), "tokens");
    if (const Batch *keys = keysOf(session.input, site))
        checkBelow(field.member("key"), selection.key, keys->length(), "tokens");
    const Config &config = model.config;
    if (config.width == 0 || model.weights.main.layers.empty())
        return;
    checkBelow(field.member("head"), selection.head, config.heads, "heads");
    if (!model.hasStack(site.stack)) {
        field.member("stack").fail("the model has no such stack",
                                   model.hasEncoder() ? "it has \"encoder\" and \"decoder\""
                                                      : "it has one, which need not be named");
        return;
    }
    if (site.stack != Stack::Source)
        checkBelow(field.member("layer"), selection.layer, model.layerCount(site.stack), "layers");
    if (selection.block && site.stack != Stack::Source &&
        site.layer < model.layerCount(site.stack) && !isGiven(model, site))
        field.member("block").fail("the layer has no such attention",
                                   "the blocks are \"self\" and \"cross\"");
    const std::string why = selection.stage ? missing(*selection.stage, model, site) : "";
    if (!why.empty())
        field.member("stage").fail(why, "choose another stage");
    else if (session.input.batch)
        checkBelow(field.member("dimension"), selection.dimension,
                   dimensionsOf(selection.stage, model, Extent(session.input)), "dimensions");
}

} // namespace headlight::core
