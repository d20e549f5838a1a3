// Converts inputs of forward passes into batches of the training pass.
#pragma once

#include "../transformer/random_transformers.h"
#include "core/training/pass/example.h"
#include "core/training/pass/training_pass.h"

namespace headlight::core::test {

inline TokenRows tokenRowsOf(const Batch &batch, const Vocabulary &vocabulary) {
    TokenRows rows;
    for (const Sequence &sequence : batch.sequences()) {
        for (const Token &token : sequence.tokens)
            rows.ids.push_back(*vocabulary.idOf(token));
        rows.lengths.push_back(sequence.length);
    }
    return rows;
}

/// Returns a batch with targets at about two thirds of the possible positions, and at least one.
inline TrainingBatch randomTrainingBatch(Random &random, const Model &model, const Input &input,
                                         bool asksOnce, Index answers) {
    TrainingBatch batch;
    batch.tokens = tokenRowsOf(*input.batch, *model.vocabularyOf(model.mainStack()));
    if (input.source)
        batch.source = tokenRowsOf(*input.source, *model.vocabularyOf(model.sourceStack()));
    for (Index b = 0; b < input.batch->count(); ++b)
        for (Index t = 0; t < (asksOnce ? 1 : input.batch->length()); ++t) {
            const bool isAsked = t < (*input.batch)[b].length && !oneIn(random, 3);
            batch.answers.push_back(isAsked ? between(random, 0, answers - 1) : kLeftOut);
            batch.asked += isAsked ? 1 : 0;
        }
    if (batch.asked == 0) {
        batch.answers.front() = 0;
        batch.asked = 1;
    }
    if (oneIn(random, 2)) // only some targets count
        for (const Index answer : batch.answers) {
            batch.counts.push_back(answer != kLeftOut && oneIn(random, 2));
            batch.counted += batch.counts.back() ? 1 : 0;
        }
    return batch;
}

} // namespace headlight::core::test
