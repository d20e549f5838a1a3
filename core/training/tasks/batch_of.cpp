#include "core/training/tasks/batch_of.h"

#include <algorithm>

namespace headlight::core {

namespace {

void fillRows(TokenRows &rows, std::span<const Example> examples, std::vector<Index> Example::*ids,
              Index length) {
    rows.ids.assign(examples.size() * static_cast<std::size_t>(length), 0);
    rows.lengths.clear();
    auto to = rows.ids.begin();
    for (const Example &example : examples) {
        std::ranges::copy(example.*ids, to);
        to += length;
        rows.lengths.push_back(static_cast<Index>((example.*ids).size()));
    }
}

/// Marks the example's targets that count towards the accuracy, starting at index `first`.
void countTargets(const Example &example, std::ptrdiff_t first, TrainingBatch &batch) {
    for (std::size_t i = 0; i < example.answers.size(); ++i)
        if (countsAt(example, i)) {
            batch.counts[static_cast<std::size_t>(first) + i] = true;
            ++batch.counted;
        }
}

Result<BatchPointer> batchOf(const std::vector<Index> &ids, const Vocabulary &vocabulary) {
    TokenizedText text;
    for (const Index id : ids)
        text.tokens.push_back(vocabulary.token(id));
    return Batch::create({text});
}

} // namespace

void fillBatch(std::span<const Example> examples, const TaskInfo &task, TrainingBatch &batch) {
    fillRows(batch.tokens, examples, &Example::tokens, task.length);
    if (task.sourceLength > 0)
        fillRows(batch.source, examples, &Example::source, task.sourceLength);
    const bool once = task.asks == TargetPositions::Class;
    const auto row = static_cast<std::size_t>(once ? 1 : task.length);
    batch.answers.assign(examples.size() * row, kLeftOut);
    batch.asked = 0;
    auto to = batch.answers.begin();
    const bool haveRules = std::ranges::any_of(
        examples, [](const Example &example) { return !example.rules.empty(); });
    batch.counts.assign(haveRules ? batch.answers.size() : 0, false);
    batch.counted = 0;
    for (const Example &example : examples) {
        std::ranges::copy(example.answers, to);
        if (haveRules)
            countTargets(example, to - batch.answers.begin(), batch);
        to += static_cast<std::ptrdiff_t>(row);
        batch.asked +=
            std::ranges::count_if(example.answers, [](Index answer) { return answer != kLeftOut; });
    }
}

Result<Input> inputOf(const Example &example, const Model &model, const Input &masks) {
    Input input = masks;
    Result<BatchPointer> batch = batchOf(example.tokens, *model.vocabularyOf(model.mainStack()));
    if (!batch)
        return batch.error();
    input.batch = *batch;
    if (!example.source.empty()) {
        Result<BatchPointer> source =
            batchOf(example.source, *model.vocabularyOf(model.sourceStack()));
        if (!source)
            return source.error();
        input.source = *source;
    }
    return input;
}

Result<TracePointer> traceOf(const Example &example, const Model &model, const Input &masks,
                             const std::stop_token &stop) {
    Result<Input> input = inputOf(example, model, masks);
    if (!input)
        return input.error();
    const Result<Computable> computable = Computable::of(model, *std::move(input));
    if (!computable)
        return computable.error();
    return forward(*computable, nullptr, stop);
}

} // namespace headlight::core
