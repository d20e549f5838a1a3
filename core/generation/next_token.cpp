#include "core/generation/next_token.h"

#include "core/tokenizers/word_tokenizer.h"

namespace headlight::core {

namespace {

std::optional<Index> paddingOf(const Vocabulary &vocabulary) {
    const std::optional<Index> id = vocabulary.idOf(kPadToken); // possibly the unknown token
    return id && vocabulary.word(*id) == kPadToken ? id : std::nullopt;
}

} // namespace

Outcome canWrite(const Model &model) {
    const char *remedy = "use a model whose output layer is \"language\"";
    switch (model.config.outputLayer.kind) {
    case OutputLayerKind::None:
        return Error{"it has no output layer, so it predicts no words", "model", remedy};
    case OutputLayerKind::MaskedLanguage:
        return Error{"it predicts masked words, not the next one", "model", remedy};
    case OutputLayerKind::Classifier:
        return Error{"it predicts the class of a text, not the next word", "model", remedy};
    case OutputLayerKind::Projection:
        return Error{"it maps a text to a vector, and predicts no words", "model", remedy};
    case OutputLayerKind::Language:
        break;
    }
    if (model.answersInPlace)
        return Error{"it predicts the answer to its task's question, not the next word",
                     "training.recipe.task", "use a model that was trained to generate text"};
    if (!model.vocabulary)
        return Error{"its output layer has no list of words", "model.vocabulary",
                     "give the words, one for each logit"};
    if (paddingOf(*model.vocabulary) && model.vocabulary->size() == 1)
        return Error{"its only word is [PAD]", "model.vocabulary", "give it a word"};
    return Done{};
}

Result<NextToken> nextToken(const Model &model, const OutputRow &row, const Sampling &sampling,
                            Index position) {
    if (Outcome outcome = canWrite(model); !outcome)
        return outcome.error();
    if (Outcome outcome = validate(sampling); !outcome)
        return outcome.error();
    const ChosenToken chosen =
        chooseToken(row.logits, sampling, position, paddingOf(*model.vocabulary));
    return NextToken{chosen.id, row.probabilities[static_cast<std::size_t>(chosen.id)],
                     chosen.chance};
}

} // namespace headlight::core
