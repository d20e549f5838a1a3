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

/// The mean −ln p of the next tokens of a text, from its rows of logits one after the other.
class Loss {
  public:
    Loss(const Model &model, const Sequence &text)
        : m_text(text),
          m_vocabulary(model.saysNext() && text.length >= 2 ? model.vocabularyOf(model.mainStack())
                                                            : nullptr) {}

    void add(Index row, std::span<const float> logits) {
        if (!m_vocabulary || row + 1 >= m_text.length)
            return;
        if (const std::optional<Index> id = m_vocabulary->idOf(m_text[row + 1]))
            m_sum += logSumOf(logits) - static_cast<double>(logits[static_cast<std::size_t>(*id)]);
        else
            m_vocabulary = nullptr;
    }
    /// Returns no value if the model does not predict next tokens, or does not know one of them.
    std::optional<double> mean() const {
        return m_vocabulary ? std::optional(m_sum / static_cast<double>(m_text.length - 1))
                            : std::nullopt;
    }

  private:
    const Sequence &m_text;
    const Vocabulary *m_vocabulary; ///< null if there is no loss
    double m_sum = 0;
};

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
    Predicted predicted;
    Loss loss(trace.model(), trace.batch()[target.place.sequence]);
    const Outcome read = trace.inBlocks(
        *step, target.place.sequence, 0,
        [&](Index first, MatrixView rows) -> Outcome {
            for (Index row = 0; row < rows.rows; ++row) {
                const std::span<const float> logits = rows.row(row);
                loss.add(first + row, logits);
                if (first + row == target.place.row)
                    predicted = {logits[static_cast<std::size_t>(token)],
                                 probabilityIn(logits),
                                 {},
                                 largestIn(logits)};
            }
            return Done{};
        },
        stop);
    if (!read)
        return read.error();
    predicted.loss = loss.mean();
    return predicted;
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
