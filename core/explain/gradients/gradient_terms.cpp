#include "core/explain/gradients/gradient_terms.h"

#include <algorithm>

namespace headlight::core {

namespace {

using Kind = Expression::Kind;

Expression numberOf(std::size_t count) {
    return number(static_cast<double>(count));
}

/// Returns a value that the step computes, in the same row.
Expression madeBy(StepId step, Coordinate column = kColumn) {
    Expression x = leaf(Kind::Made);
    x.step = step;
    x.row = kRow;
    x.column = column;
    return x;
}

} // namespace

std::vector<GradientTerm> ChainRule::termsOf(Index sequence, const Slice &number) const {
    const Step &step = m_plan[number.step];
    const auto isStage = [&step](Stage stage) { return step.isNamed() && step.at.stage == stage; };
    if (isStage(Stage::Probabilities) && !m_backwardPass.ofProbabilities.isNull())
        return {ofProbability(sequence, number)};
    std::vector<GradientTerm> terms;
    for (const Reader &reader : readersOf(m_plan, number.step, sequence, number.head)) {
        if (!hasGradient(reader.step))
            continue;
        if (auto meaning = backwardOf(m_trace, reader, number))
            terms.push_back({reader,
                             std::move(*meaning),
                             reader.sequence,
                             {reader.step, reader.head, number.row, number.column}});
    }
    if (isStage(Stage::Logits) || isStage(Stage::ClassLogits))
        terms.push_back(ofLoss(sequence, number));
    return terms;
}

std::vector<Remark> ChainRule::remarksOfLoss() const {
    const auto beside = Remark::Beside::Formula;
    return {{beside, Note::LossIs, {digitsText(m_backwardPass.loss)}},
            {beside, Note::OneWhereRight},
            {beside, Note::MeanOfAnswers, {std::to_string(m_backwardPass.asked.size())}}};
}

/// Returns (p − y) ÷ number of targets for each target of the row, where y is 1 at the target.
GradientTerm ChainRule::ofLoss(Index sequence, const Slice &logit) const {
    const Step &step = m_plan[logit.step];
    const Role role = infoOf(step.at.stage).role;
    const Expression targets = numberOf(m_backwardPass.asked.size());
    const Index count = step.shape.last(0);
    const Expression maximum = over(Kind::Maximum, madeBy(logit.step, kSummed), count);
    const auto exponential = [&](Coordinate column) {
        return function(Kind::Exponential,
                        madeBy(logit.step, column) - named(Quantity::Maximum, maximum));
    };
    const Expression sum = over(Kind::Sum, exponential(kSummed), count);
    const Expression p =
        named(Quantity::Probability, exponential(kColumn) / named(Quantity::Sum, sum), "p");
    std::optional<Expression> all;
    for (const Target &asked : m_backwardPass.asked) {
        const bool isHere = step.at.stage == Stage::ClassLogits
                                ? asked.sequence == logit.row
                                : asked.sequence == sequence && asked.row == logit.row;
        if (!isHere)
            continue;
        const Expression one = all ? std::move(*all) + p : p;
        all = asked.answer == logit.column ? one - number(1) : one;
    }
    GradientTerm term{{}, {}, sequence, logit};
    term.meaning.number = all ? std::move(*all) / targets : number(0);
    term.meaning.inSymbols = (symbol("P", role) - symbol("Y", role)) / targets;
    term.meaning.remarks = remarksOfLoss();
    return term;
}

/// Returns −y ÷ (number of targets · p).
GradientTerm ChainRule::ofProbability(Index sequence, const Slice &probability) const {
    const Expression divisor = numberOf(m_backwardPass.asked.size()) * madeBy(probability.step);
    const auto answers =
        std::ranges::count(m_backwardPass.asked, Target{sequence, probability.row.value_or(0),
                                                        probability.column.value_or(0)});
    GradientTerm term{{}, {}, sequence, probability};
    term.meaning.number =
        answers ? function(Kind::Negative, number(static_cast<double>(answers))) / divisor
                : number(0);
    term.meaning.inSymbols = function(Kind::Negative, symbol("Y", Role::Logits)) / divisor;
    term.meaning.remarks = remarksOfLoss();
    return term;
}

Evaluation ChainRule::evaluationOf(const GradientTerm &term) const {
    return {m_trace, term.sequence, term.made,
            [this](Index sequence, const Slice &cell) { return gradient(sequence, cell); }};
}

/// Returns the gradient that the backward pass stored for the step or for a stage that renames it.
Tensor ChainRule::gradientOf(StepId step) const {
    const auto [place, isNew] = m_gradients.try_emplace(step);
    for (StepId id = step; isNew && id < m_plan.size() && place->second.isNull(); ++id)
        if (m_plan[id].isNamed() && m_plan.origin(id) == step)
            place->second =
                m_backwardPass.gradients->stage(m_plan[id].at.stage, m_plan[id].at.attention);
    return place->second;
}

bool ChainRule::hasName(StepId step) const {
    for (StepId id = step; id < m_plan.size(); ++id)
        if (m_plan[id].isNamed() && m_plan.origin(id) == step)
            return true;
    return false;
}

bool ChainRule::hasGradient(StepId step) const {
    if (m_plan[step].isAside)
        return false;
    if (hasName(step))
        return !gradientOf(step).isNull();
    return std::ranges::any_of(readersOf(m_plan, step, 0, 0),
                               [this](const Reader &reader) { return hasGradient(reader.step); });
}

double ChainRule::gradient(Index sequence, const Slice &cell) const {
    if (hasName(cell.step)) {
        const Tensor tensor = gradientOf(cell.step);
        const Index own = m_plan[cell.step].sequences() == 1 ? 0 : sequence;
        return static_cast<double>(tensor.view(own, cell.head)(*cell.row, *cell.column));
    }
    const auto [place, isNew] = m_unnamed.try_emplace({sequence, cell});
    if (isNew)
        for (const GradientTerm &term : termsOf(sequence, cell))
            place->second += value(term);
    return place->second;
}

} // namespace headlight::core
