#include "core/analysis/head_ablation.h"

#include "core/cancelled.h"
#include "core/kernels/kernels.h"
#include "core/tensor/in_parallel.h"
#include "core/transformer/run/forward.h"
#include "core/transformer/run/head_variants.h"

#include <algorithm>
#include <cmath>
#include <limits>

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

/// ln Σ exp of a row of logits that arrives in parts, and its largest logit. Sums are split at
/// fixed columns, so the result does not depend on the parts, bit for bit.
class LogSum {
  public:
    /// `first`: the column of the first logit, a multiple of kColumns.
    void add(Index first, std::span<const float> logits) {
        const RowKernels &rows = fastestKernels().rows;
        for (std::size_t from = 0; from < logits.size(); from += kColumns) {
            const auto some = logits.subspan(from, std::min(kColumns, logits.size() - from));
            const float largest = rows.maximum(some.data(), some.size());
            const double sum = rows.sumOfExponentials(some.data(), some.size(), largest);
            if (largest > m_largest) {
                m_top = first + static_cast<Index>(from) + largestIn(some);
                m_sum = m_sum * std::exp(m_largest - static_cast<double>(largest)) + sum;
                m_largest = largest;
            } else {
                m_sum += sum * std::exp(static_cast<double>(largest) - m_largest);
            }
        }
    }
    double value() const { return m_largest + std::log(m_sum); }
    Index top() const { return m_top; }

  private:
    static constexpr std::size_t kColumns = kLogitColumns;

    double m_largest = -std::numeric_limits<double>::infinity();
    double m_sum = 0; // the sum of exp(logit − m_largest)
    Index m_top = 0;
};

/// Returns the ids of the text's tokens after the first one. Empty if there is no loss, because the
/// model does not predict next tokens or one of the tokens is not in its vocabulary.
std::vector<Index> nextTokens(const Model &model, const Sequence &text) {
    const Vocabulary *const vocabulary =
        model.saysNext() ? model.vocabularyOf(model.mainStack()) : nullptr;
    std::vector<Index> ids;
    for (Index row = 0; vocabulary && row + 1 < text.length; ++row) {
        const std::optional<Index> id = vocabulary->idOf(text[row + 1]);
        if (!id)
            return {};
        ids.push_back(*id);
    }
    return ids;
}

/// The logits to read from a pass.
struct Asked {
    Index row = 0;             ///< the watched row
    Index token = 0;           ///< the watched token
    std::vector<Index> next{}; ///< the next token of each row, from row 0; empty: no loss

    /// Returns the rows of logits that are needed.
    std::vector<Index> rows() const {
        std::vector<Index> needed;
        for (Index at = 0; at < std::ssize(next); ++at)
            needed.push_back(at);
        if (row >= std::ssize(next))
            needed.push_back(row);
        return needed;
    }
};

/// Reads the prediction of one pass from its rows of logits.
class Prediction {
  public:
    explicit Prediction(const Asked &asked) : m_asked(&asked), m_rows(asked.next.size()) {}

    /// Adds the logits of a row from column `first` on. The columns of a row must be added in
    /// order. Threads may add different rows at the same time.
    void add(Index row, Index first, std::span<const float> logits) {
        const bool isLost = row < std::ssize(m_rows), isWatched = row == m_asked->row;
        if (!isLost && !isWatched)
            return;
        const auto take = [&](Index token, double &to) {
            if (token >= first && token < first + std::ssize(logits))
                to = logits[static_cast<std::size_t>(token - first)];
        };
        Row &own = isLost ? m_rows[static_cast<std::size_t>(row)] : m_other;
        own.logSum.add(first, logits);
        if (isLost)
            take(m_asked->next[static_cast<std::size_t>(row)], own.next);
        if (isWatched)
            take(m_asked->token, m_watched);
    }

    Predicted found() const {
        const auto place = static_cast<std::size_t>(m_asked->row);
        const LogSum &logSum = place < m_rows.size() ? m_rows[place].logSum : m_other.logSum;
        Predicted found{.logit = m_watched,
                        .probability = std::exp(m_watched - logSum.value()),
                        .top = logSum.top()};
        if (m_rows.empty())
            return found;
        double sum = 0;
        for (const Row &row : m_rows)
            sum += row.logSum.value() - row.next;
        found.loss = sum / static_cast<double>(m_rows.size());
        return found;
    }

  private:
    struct Row {
        LogSum logSum{};
        double next = 0; ///< logit of the next token
    };
    const Asked *m_asked;
    double m_watched = 0;    ///< logit of the watched token
    std::vector<Row> m_rows; ///< rows that have a loss
    Row m_other{};           ///< the watched row, if it has no loss
};

/// Reads the prediction of a complete pass.
Result<Predicted> predictedBy(const Trace &trace, const OutputRowId &place, const Asked &asked,
                              const std::stop_token &stop) {
    Prediction prediction(asked);
    if (asked.next.empty()) {
        const Result<OutputRowPointer> row = readOutput(trace, place, stop);
        if (!row)
            return row.error();
        prediction.add(asked.row, 0, (*row)->logits);
        return prediction.found();
    }
    const Outcome read = trace.inBlocks(
        *trace.plan().find({Stage::Logits, {}}), place.sequence, 0,
        [&](Index first, MatrixView rows) -> Outcome {
            inParallel(rows.rows,
                       [&](Index row, Index) { prediction.add(first + row, 0, rows.row(row)); });
            return Done{};
        },
        stop);
    if (!read)
        return read.error();
    return prediction.found();
}

/// Silences heads and collects their effects.
class AblationRun {
  public:
    AblationRun(const Computable &computable, const TracePointer &trace,
                const AblationTarget &target, Asked asked, const Predicted &now,
                std::stop_token stop, std::function<void(Index)> made)
        : m_computable(computable),
          m_trace(trace),
          m_target(target),
          m_asked(std::move(asked)),
          m_now(now),
          m_stop(std::move(stop)),
          m_made(std::move(made)) {}

    /// Silences each of these heads of an attention module in turn.
    Outcome silence(AttentionId attention, std::span<const Index> heads) {
        const HeadVariants::Wanted wanted{attention, m_target.state, m_target.place.sequence,
                                          m_asked.rows()};
        if (!HeadVariants::areAvailable(*m_trace, wanted))
            return silenceOneByOne(attention, heads);
        m_made(std::ssize(m_effects));
        const Result<HeadVariants> variants = HeadVariants::of(*m_trace, wanted, m_stop);
        if (!variants)
            return variants.error();
        const auto atOnce = static_cast<std::size_t>(variants->atOnce());
        for (std::size_t first = 0; first < heads.size(); first += atOnce) {
            const auto some = heads.subspan(first, std::min(atOnce, heads.size() - first));
            std::vector<Prediction> predictions(some.size(), Prediction(m_asked));
            const Outcome run = variants->run(
                some,
                [&](const HeadVariants::Row &row, Index column, std::span<const float> logits) {
                    if (!m_stop.stop_requested())
                        predictions[row.variant].add(row.row, column, logits);
                },
                m_stop);
            if (!run)
                return run;
            if (m_stop.stop_requested()) // some predictions are missing
                return cancelled();
            for (std::size_t variant = 0; variant < some.size(); ++variant) {
                if (first + variant > 0)
                    m_made(std::ssize(m_effects));
                add(attention, some[variant], predictions[variant].found());
            }
        }
        return Done{};
    }

    std::vector<HeadEffect> takeEffects() { return std::move(m_effects); }

  private:
    Outcome silenceOneByOne(AttentionId attention, std::span<const Index> heads) {
        for (const Index head : heads) {
            m_made(std::ssize(m_effects));
            Input input = m_computable.input();
            input.interventions.setHead(attention, head, m_target.state);
            const Result<Computable> without =
                Computable::of(m_computable.model(), std::move(input));
            if (!without)
                return without.error();
            const Result<TracePointer> silenced = forward(*without, m_trace, m_stop);
            if (!silenced)
                return silenced.error();
            const Result<Predicted> then = predictedBy(**silenced, m_target.place, m_asked, m_stop);
            if (!then)
                return then.error();
            add(attention, head, *then);
        }
        return Done{};
    }

    void add(AttentionId attention, Index head, const Predicted &then) {
        HeadEffect effect{attention,        head, then.logit - m_now.logit,
                          then.probability, {},   then.top};
        if (then.loss && m_now.loss)
            effect.lossDifference = *then.loss - *m_now.loss;
        m_effects.push_back(effect);
    }

    const Computable &m_computable;
    const TracePointer &m_trace;
    const AblationTarget &m_target;
    Asked m_asked;
    Predicted m_now;
    std::stop_token m_stop;
    std::function<void(Index)> m_made;
    std::vector<HeadEffect> m_effects;
};

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
    const bool isClassifier = trace->has(Stage::ClassLogits);
    Asked asked{.row = isClassifier ? 0 : target.place.row, .token = found.token};
    const Model &model = computable.model();
    if (target.withLoss && !isClassifier)
        asked.next = nextTokens(model, trace->batch()[target.place.sequence]);
    const Result<Predicted> now = predictedBy(*trace, target.place, asked, stop);
    if (!now)
        return now.error();
    found.logit = now->logit;
    found.probability = now->probability;
    found.loss = now->loss;
    found.top = now->top;

    std::vector<std::pair<AttentionId, std::vector<Index>>> modules;
    Index count = 0;
    for (const AttentionId attention : model.attentions()) {
        std::vector<Index> heads;
        for (Index head = 0; head < model.headsOf(attention); ++head)
            if (computable.input().interventions.stateOf(attention, head) == HeadState::On &&
                (!target.only || *target.only == std::pair(attention, head)))
                heads.push_back(head);
        count += std::ssize(heads);
        if (!heads.empty())
            modules.emplace_back(attention, std::move(heads));
    }
    AblationRun ablation(computable, trace, target, std::move(asked), *now, stop, [&](Index done) {
        if (made)
            made(done, count);
    });
    for (const auto &[attention, heads] : modules)
        if (Outcome silenced = ablation.silence(attention, heads); !silenced)
            return silenced.error();
    found.heads = ablation.takeEffects();
    return found;
}

} // namespace headlight::core
