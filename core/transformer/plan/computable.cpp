#include "core/transformer/plan/computable.h"

#include "core/in_quotes.h"
#include "core/transformer/plan/plan.h"
#include "core/transformer/plan/trace_bytes.h"

#include <algorithm>
#include <cassert>

namespace headlight::core {

namespace {

Outcome fitsBudget(const Model &model, const Input &input) {
    const Extent extent(input);
    const Index bytes = heldBytes(model, extent);
    if (bytes <= kTraceBudgetBytes)
        return Done{};
    const bool sourceIsLonger = extent.sources > extent.targets;
    const Index most = maxTokens(model, extent);
    return Error{{"%1 tokens would need %2 MB for their attention",
                  sourceIsLonger ? extent.sources : extent.targets, bytes >> 20},
                 sourceIsLonger ? "source" : "text",
                 most > 0 ? Message("use at most %1 tokens with this model", most)
                          : Message("use fewer or shorter texts")};
}

/// Checks that a batch fits a stack of the model: its ids and words, token types, length, and the
/// shapes of its own embeddings.
Outcome fitsTokens(const Model &model, Stack stack, const Batch &batch, const std::string &where) {
    const Config config = model.configOf(stack);
    const Shape expected{batch.length(), config.tokenWidth()};
    const Parameter &matrix = model.embeddingMatrix(stack);
    const Vocabulary *vocabulary = model.vocabularyOf(stack);
    const Parameter &types = model.stack(stack).tokenTypes;
    for (Index b = 0; b < batch.count(); ++b) {
        const Sequence &sequence = batch[b];
        const std::string here = where + ".sequences[" + std::to_string(b) + "]";
        const Parameter &own = sequence.embeddings;
        if (own && Shape{own->rows(), own->columns()} != expected)
            return Error{{"the embeddings are %1, expected %2",
                          Shape{own->rows(), own->columns()}.text(), expected.text()},
                         here + ".embeddings",
                         ""};
        if (!own && matrix) {
            if (!vocabulary)
                return Error{"the model has an embedding matrix, but no vocabulary",
                             "model.vocabulary", "give the words, one for each row"};
            for (const Token &token : sequence.tokens) {
                if (token.id && (*token.id < 0 || *token.id >= matrix->rows()))
                    return Error{{"there is no word %1", *token.id},
                                 here + ".ids",
                                 {"use 0 to %1", matrix->rows() - 1}};
                if (!vocabulary->idOf(token))
                    return Error{{"%1 is not in the model's vocabulary", inQuotes(token.text)},
                                 here,
                                 "use its words, or give its vocabulary the word [UNK]"};
            }
        }
        if (!own && !matrix && !model.embeddings && config.convolves())
            return Error{"its tokens are audio, which is not looked up like words",
                         here + ".embeddings", "give the frames of the audio, or open a WAV file"};
        if (!own && !matrix && !model.embeddings)
            return Error{"the model has no vectors for words", "model.embeddings",
                         "give them, or give every sequence its own embeddings"};
        if (!own && !matrix && model.embeddings->width() != config.tokenWidth())
            return Error{"the words' vectors do not have the model's width", "model.embeddings",
                         ""};
        for (const Index type : sequence.tokenTypes)
            if (type < 0 || !types || type >= types->rows())
                return Error{{"there is no token type %1", type},
                             here + ".token_types",
                             types ? Message("use 0 to %1", types->rows() - 1)
                                   : Message("the model has no token_types")};
    }
    const Parameter &positions = model.stack(stack).positions;
    if (config.positions == Positions::Learned &&
        batch.length() > positions->rows() - config.positionOffset)
        return Error{
            {"%1 tokens are more than the model has learned positions for", batch.length()},
            where,
            {"use at most %1 tokens",
             std::max<Index>(0, positions->rows() - config.positionOffset)}};
    return Done{};
}

Outcome fitsSource(const Model &model, const Input &input) {
    const bool needed = model.hasCrossAttention();
    if (needed && !input.source)
        return Error{"the model attends to a second sequence, but there is none", "source",
                     "give a source text"};
    if (!needed && input.source)
        return Error{"there is a second sequence, but the model does not attend to it", "source",
                     "remove it, or give the layers cross_attention"};
    if (needed && input.source->count() != input.batch->count())
        return Error{
            {"%1 second sequences for %2 first ones", input.source->count(), input.batch->count()},
            "source",
            "give each sequence its own"};
    return Done{};
}

/// Checks that the next step can read the concatenated heads if an attention module has no W_O.
Outcome attentionsFit(const Model &model) {
    const Config &config = model.config;
    if (config.concatenatedWidth() == config.width)
        return Done{};
    std::vector<AttentionId> read = model.attentions();
    const bool endsThere = config.outputLayer.kind == OutputLayerKind::None &&
                           !(config.hasNorm() && config.norm.final);
    if (endsThere && !read.empty())
        read.pop_back();
    for (const AttentionId attention : read)
        if (!model.attentionParameters(attention).output)
            return Error{
                {"without an output matrix the heads output %1 dimensions, but the next step reads "
                 "%2",
                 config.concatenatedWidth(), config.width},
                std::string(attention.stack == Stack::Encoder ? "model.encoder" : "model") +
                    ".layers[" +
                    std::to_string(model.weightsLayer(attention.stack, attention.layer)) + "]." +
                    std::string(nameOf(attention.block)) + ".output",
                "give the matrix"};
    return Done{};
}

Outcome layersAreThere(const Model &model) {
    if (model.config.soundBands > 0 && !model.config.convolves() && !model.hasEncoder())
        return Error{"nothing reads the audio", "model.sound_bands",
                     "set projects_first to true, or give the model an encoder"};
    const auto check = [](Index declared, std::size_t own, const char *field) -> Outcome {
        if (declared == 0 || (own > 0 && declared >= static_cast<Index>(own)))
            return Done{};
        return Error{{"%1 layers, but parameters for %2", declared, own},
                     field,
                     "leave the number out, or give it for layers that share parameters"};
    };
    if (Outcome o = check(model.config.layerCount, model.parameters.main.layers.size(),
                          "model.layer_count");
        !o)
        return o;
    return check(model.config.encoderLayerCount, model.parameters.encoder.layers.size(),
                 "model.encoder.layer_count");
}

Outcome check(const Model &model, const Input &input) {
    assert(input.batch);
    if (model.captured)
        return captureError();
    if (Outcome outcome = validate(model.config); !outcome)
        return outcome;
    const auto sizeOf = [](const VocabularyPointer &words) { return words ? words->size() : 0; };
    if (Outcome outcome = validate(model.parameters, model.config, sizeOf(model.vocabulary),
                                   sizeOf(model.sourceVocabulary));
        !outcome)
        return outcome;
    if (Outcome outcome = layersAreThere(model); !outcome)
        return outcome;
    if (Outcome outcome = attentionsFit(model); !outcome)
        return outcome;
    if (Outcome outcome = fitsSource(model, input); !outcome)
        return outcome;
    if (Outcome outcome = fitsTokens(model, model.mainStack(), *input.batch, "batch"); !outcome)
        return outcome;
    if (input.source)
        if (Outcome outcome = fitsTokens(model, model.sourceStack(), *input.source, "source");
            !outcome)
            return outcome;
    if (Outcome outcome = validate(input.interventions, model, input); !outcome)
        return outcome;
    return fitsBudget(model, input);
}

} // namespace

Error captureError() {
    return {"a capture has no model, so it cannot be recomputed", "capture",
            "open a model or a lesson to change it"};
}

Result<Computable> Computable::of(Model model, Input input) {
    if (Outcome outcome = check(model, input); !outcome)
        return outcome.error();
    return Computable(std::move(model), std::move(input));
}

} // namespace headlight::core
