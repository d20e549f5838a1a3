#include "app/predicted_word.h"

#include "core/transformer/model/vocabulary.h"

namespace headlight::app {

std::string predictedWord(const core::Model &model, core::Index token) {
    const core::Vocabulary *const words = model.vocabularyOf(model.mainStack());
    const bool isClass = model.config.outputLayer.kind == core::OutputLayerKind::Classifier;
    return isClass || !words || token >= words->size() ? std::to_string(token) : words->word(token);
}

} // namespace headlight::app
