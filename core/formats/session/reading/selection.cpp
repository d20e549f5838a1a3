// Reads `view` of a session file, and the selections that steps show.
#include "core/formats/json/reader.h"
#include "core/formats/session/data/fields.h"
#include "core/formats/session/data/selection_patch.h"
#include "core/formats/session/reading/parts.h"
#include "core/in_quotes.h"
#include "core/selection/view.h"
#include "core/transformer/plan/model_stages.h"

#include <algorithm>

namespace headlight::core {

namespace {

/// Returns the reason why a model lacks the stage.
const char *reasonFor(Stage stage, const Config &config) {
    switch (stage) {
    case Stage::EmbeddingSum:
        return "this model adds no positions, so it has no such stage";
    case Stage::FirstNeighbours:
    case Stage::FirstFrame:
    case Stage::SecondNeighbours:
    case Stage::SecondFrame:
    case Stage::FrameNeighbours:
        return "this model's tokens are not audio, so it has no such stage";
    case Stage::EmbeddingProjected:
        return "this model's embeddings have the width of its layers";
    case Stage::ProjectedQuery:
    case Stage::ProjectedKey:
        return "this model has no norm of queries and keys, so it has no such stage";
    case Stage::UnrotatedQuery:
    case Stage::UnrotatedKey:
    case Stage::UnrotatedSharedKey:
        return "queries and keys are not rotated here, so there is no such stage";
    case Stage::RotatedQuery:
    case Stage::RotatedKey:
        return "no norm follows a rotation here, so there is no such stage";
    case Stage::UntunedQuery:
        return "queries are not multiplied by a factor here, so there is no such stage";
    case Stage::CappedScores:
    case Stage::UncappedLogits:
        return "the model does not cap these numbers, so it has no such stage";
    case Stage::CompressedQuery:
    case Stage::NormedCompressedQuery:
    case Stage::CompressedKeyValue:
    case Stage::NormedCompressedKeyValue:
    case Stage::SharedKey:
    case Stage::OwnKey:
        return "this model's attention is not latent, so it has no such stage";
    case Stage::DistanceEmbeddings:
    case Stage::PositionKey:
    case Stage::PositionQuery:
    case Stage::QueryDistances:
    case Stage::KeyDistances:
    case Stage::ContentToPosition:
    case Stage::PositionToContent:
        return "this model's attention is not disentangled, so it has no such stage";
    case Stage::PositionBias:
    case Stage::BiasedScores:
        return "the scores have no position bias here, so there is no such stage";
    case Stage::MaskedScores:
        return "this model masks after softmax, so it has no such stage";
    case Stage::UnmaskedWeights:
        return "this model masks before softmax, so it has no such stage";
    case Stage::SinkWeights:
        return "the heads here have no sinks, so there is no such stage";
    case Stage::HeadOutputs:
    case Stage::Output:
        return "this layer has no output matrix, so it has no such stage";
    case Stage::Norm:
    case Stage::FeedForwardNorm:
    case Stage::OutputNorm:
    case Stage::FeedForwardOutputNorm:
    case Stage::ResidualSum:
    case Stage::FeedForwardResidualSum:
    case Stage::FinalNorm:
        return "this model has no norm there, so it has no such stage";
    case Stage::Residual:
        return config.parallel
                   ? "all blocks of a layer are added at the same time, so there is no such stage"
                   : "this model has no residual connections, so it has no such stage";
    case Stage::RouterScores:
        return "the experts are chosen by their probabilities, so there is no such stage";
    case Stage::RoutedOutput:
    case Stage::SharedGate:
    case Stage::SharedHidden:
    case Stage::SharedActivated:
    case Stage::SharedOutput:
        return "this model has no network beside its experts, so it has no such stage";
    case Stage::ExpertInputs:
        return "no weight multiplies the input of an expert here, so there is no such stage";
    case Stage::RouterLogits:
    case Stage::RouterProbabilities:
    case Stage::ExpertWeights:
    case Stage::ExpertOutputs:
        return "this model has no experts, so it has no such stage";
    case Stage::OutputLayerInput:
    case Stage::Logits:
    case Stage::Probabilities:
        return config.outputLayer.kind == OutputLayerKind::Language
                   ? "the output matrix reads the last layer's output directly, so there is no "
                     "such stage"
                   : "this model predicts no words";
    case Stage::Pooled:
    case Stage::ClassLogits:
        return "this model is not a classifier";
    case Stage::Projected:
        return "this model does not map texts or pictures to a shared space";
    case Stage::DistillationPooled:
    case Stage::ClsLogits:
    case Stage::DistillationLogits:
        return "this model does not have two classifiers, so it has no such stage";
    default:
        return infoOf(stage).part == Part::FeedForward
                   ? "this model has no such feed-forward stage"
                   : "this stage is not computed for this sequence";
    }
}

/// Returns the reason why the model lacks the stage. Empty if the model has it, or if more than the
/// stage is missing.
Message missing(Stage stage, const Model &model, AttentionId attention) {
    const Part part = infoOf(stage).part;
    const bool inLayer = part == Part::Attention || part == Part::FeedForward;
    const bool known = !inLayer || attention.stack == Stack::SourceEmbeddings ||
                       (attention.layer < model.layerCount(attention.stack) &&
                        (part == Part::FeedForward || model.hasAttention(attention)));
    return hasStage(model, stage, attention) || !known ? Message() : reasonFor(stage, model.config);
}

/// Returns the size of the stage's vectors, or the maximum of all stages if it is unset.
Index dimensionsOf(const std::optional<Stage> &stage, AttentionId attention, const Model &model,
                   const Extent &extent) {
    const Config &config = model.config;
    const Plan plan = planOf(model, extent);
    const auto step = stage ? plan.find({*stage, attention}) : std::nullopt;
    if (!step)
        return std::max({config.width, config.widestEmbedding(), config.queryWidth(),
                         config.concatenatedWidth(), config.widestFeedForward(),
                         config.outputLayer.classes,
                         model.vocabulary ? model.vocabulary->size() : Index(0)});
    if (infoOf(*stage).overKeys())
        return std::max(config.headSize,
                        config.valueWidth()); // dimensions of queries, keys, values and contexts
    return plan[*step].shape.last(0);
}

} // namespace

SelectionPatch readSelection(const Field &field) {
    SelectionPatch patch;
    readInto(field, patch);
    return patch;
}

bool isGiven(const Model &model, AttentionId attention) {
    return model.hasStack(attention.stack) && attention.stack != Stack::SourceEmbeddings &&
           attention.layer < model.layerCount(attention.stack) &&
           !(model.attentionParameters(attention) == AttentionParameters());
}

AttentionId attentionIdOf(const SelectionPatch &selection, const Model &model) {
    const Stack stack = selection.stack.value_or(model.mainStack());
    const Index layer = selection.layer.value_or(0);
    const bool only = isGiven(model, {layer, Block::CrossAttention, stack}) &&
                      !isGiven(model, {layer, Block::SelfAttention, stack});
    return {layer, selection.block.value_or(only ? Block::CrossAttention : Block::SelfAttention),
            stack};
}

const Batch *queriesOf(const Input &input, AttentionId attention) {
    const bool second =
        attention.stack == Stack::Encoder || attention.stack == Stack::SourceEmbeddings;
    return second ? input.source.get() : input.batch.get();
}

const Batch *keysOf(const Input &input, AttentionId attention) {
    return attention.block == Block::CrossAttention ? input.source.get()
                                                    : queriesOf(input, attention);
}

namespace {

/// Unsets the fields of a selection whose values do not exist, and reports them.
template <typename Say>
void fit(SelectionPatch &selection, const Session &session, Say say) {
    const Model &model = session.model;
    const Input &input = session.input;
    const auto drop = [&](auto member, const char *name, const Message &what,
                          const Message &remedy) {
        (selection.*member).reset();
        say(member, name, what, remedy);
    };
    const auto dropFrom = [&](std::optional<Index> SelectionPatch::*member, const char *name,
                              Index count, const char *things) {
        if (const std::optional<Index> index = selection.*member; index && *index >= count)
            drop(member, name, {"%1 is out of range", *index},
                 {"there are %1 %2, counted from 0", count, things});
    };
    if (selection.stack && !model.hasStack(*selection.stack))
        drop(&SelectionPatch::stack, "stack", "the model has no such stack",
             model.hasEncoder() ? "it has \"encoder\" and \"decoder\""
                                : "it has only one, so leave the name out");
    const Stack stack = selection.stack.value_or(model.mainStack());
    dropFrom(&SelectionPatch::sequence, "sequence", input.batch->count(), "sequences");
    dropFrom(&SelectionPatch::head, "head", model.headsOf(stack), "heads");
    if (stack != Stack::SourceEmbeddings)
        dropFrom(&SelectionPatch::layer, "layer", model.layerCount(stack), "layers");
    if (selection.block && stack != Stack::SourceEmbeddings &&
        !isGiven(model, attentionIdOf(selection, model)))
        drop(&SelectionPatch::block, "block", "the layer has no such attention",
             "the blocks are \"self\" and \"cross\"");
    const AttentionId attention = attentionIdOf(selection, model);
    if (const Batch *queries = queriesOf(input, attention))
        dropFrom(&SelectionPatch::query, "query", queries->length(), "tokens");
    if (const Batch *keys = keysOf(input, attention))
        dropFrom(&SelectionPatch::key, "key", keys->length(), "tokens");
    const Message why = selection.stage ? missing(*selection.stage, model, attention) : Message();
    if (!why.empty())
        drop(&SelectionPatch::stage, "stage", why, "choose another stage");
    else
        dropFrom(&SelectionPatch::dimension, "dimension",
                 dimensionsOf(selection.stage, attention, model, Extent(input)), "dimensions");
    dropFrom(&SelectionPatch::distance, "distance", model.config.disentangled.table.rows(),
             "distances");
}

} // namespace

void fitSelection(const Field &field, SelectionPatch &shown, const SelectionPatch &below,
                  const Session &session) {
    SelectionPatch base = below;
    fit(base, session, [](auto, const char *, const Message &, const Message &) {});
    SelectionPatch whole = merged(std::move(base), shown);
    fit(whole, session,
        [&](auto member, const char *name, const Message &what, const Message &remedy) {
            if (!(shown.*member))
                return; // the value is not from this patch but from `below`
            (shown.*member).reset();
            field.member(name).fail(what, remedy);
        });
}

} // namespace headlight::core
