#include "core/analysis/head_ablation.h"

#include "core/cancelled.h"
#include "core/transformer/run/forward.h"

#include <algorithm>
#include <cmath>

namespace headlight::core {

namespace {

/// The prediction of one pass.
struct Predicted {
    double logit = 0;
    double probability = 0;
    std::optional<double> loss{};
    Index top = 0;
};

Index largestIn(std::span<const float> numbers) {
    return std::ranges::max_element(numbers) - numbers.begin();
}

/// Returns ln Σ exp of the logits.
double logSumOf(std::span<const float> logits) {
    const double largest = *std::ranges::max_element(logits);
    double sum = 0;
    for (const float logit : logits)
        sum += std::exp(static_cast<double>(logit) - largest);
    return largest + std::log(sum);
}

/// Returns the mean −ln p of each next token; no value if the model does not predict next tokens.
std::optional<double> lossOf(const Trace &trace, Index sequence, const SharedMatrix &logits) {
    const Sequence &text = trace.batch()[sequence];
    const Model &model = trace.model();
    const Vocabulary *const vocabulary = model.vocabularyOf(model.mainStack());
    if (!model.saysNext() || text.length < 2 || !vocabulary)
        return std::nullopt;
    double sum = 0;
    for (Index row = 0; row + 1 < text.length; ++row) {
        const std::optional<Index> id = vocabulary->idOf(text[row + 1]);
        if (!id)
            return std::nullopt;
        sum += logSumOf(logits.row(row)) - static_cast<double>(logits(row, *id));
    }
    return sum / static_cast<double>(text.length - 1);
}

Result<Predicted> predictedBy(const Trace &trace, const AblationTarget &target, Index token,
                              const std::stop_token &stop) {
    const auto probabilityIn = [token](std::span<const float> logits) {
        return std::exp(static_cast<double>(logits[static_cast<std::size_t>(token)]) -
                        logSumOf(logits));
    };
    if (trace.has(Stage::ClassLogits) || !target.withLoss) {
        const Result<OutputRowPointer> row = readOutput(trace, target.place, stop);
        if (!row)
            return row.error();
        const std::vector<float> &logits = (*row)->logits;
        return Predicted{
            logits[static_cast<std::size_t>(token)], probabilityIn(logits), {}, largestIn(logits)};
    }
    const auto step = trace.plan().find({Stage::Logits, {}});
    const Result<SharedMatrix> logits = trace.madeMatrix(*step, target.place.sequence, 0, stop);
    if (!logits)
        return logits.error();
    return Predicted{
        (*logits)(target.place.row, token), probabilityIn(logits->row(target.place.row)),
        lossOf(trace, target.place.sequence, *logits), largestIn(logits->row(target.place.row))};
}

} // namespace

Result<AblatedHeads> ablateHeads(const Computable &computable, const TracePointer &trace,
                                 const AblationTarget &target, const std::stop_token &stop,
                                 const std::function<void(Index, Index)> &made) {
    if (!hasOutput(*trace))
        return Error{"the model predicts nothing: it has no output layer", "", ""};
    const Result<OutputRowPointer> row = readOutput(*trace, target.place, stop);
    if (!row)
        return row.error();
    const Index words = std::ssize((*row)->logits);
    AblatedHeads found;
    found.token = target.token.value_or(largestIn((*row)->logits));
    if (found.token < 0 || found.token >= words)
        return Error{{"the model has no token %1", found.token}, "", {"it has %1", words}};
    const Result<Predicted> now = predictedBy(*trace, target, found.token, stop);
    if (!now)
        return now.error();
    found.logit = now->logit;
    found.probability = now->probability;
    found.loss = now->loss;
    found.top = now->top;

    const Model &model = computable.model();
    std::vector<std::pair<AttentionId, Index>> heads;
    for (const AttentionId attention : model.attentions())
        for (Index head = 0; head < model.headsOf(attention); ++head)
            if (computable.input().interventions.stateOf(attention, head) == HeadState::On &&
                (!target.only || *target.only == std::pair(attention, head)))
                heads.emplace_back(attention, head);
    for (const auto &[attention, head] : heads) {
        if (made)
            made(std::ssize(found.heads), std::ssize(heads));
        Input input = computable.input();
        input.interventions.setHead(attention, head, target.state);
        const Result<Computable> without = Computable::of(model, std::move(input));
        if (!without)
            return without.error();
        const Result<TracePointer> silenced = forward(*without, trace, stop);
        if (!silenced)
            return silenced.error();
        const Result<Predicted> then = predictedBy(**silenced, target, found.token, stop);
        if (!then)
            return then.error();
        HeadEffect effect{attention,         head, then->logit - now->logit,
                          then->probability, {},   then->top};
        if (then->loss && now->loss)
            effect.lossDifference = *then->loss - *now->loss;
        found.heads.push_back(effect);
    }
    return found;
}

} // namespace headlight::core
