// The meaning of the operations of experts.
#include "core/explain/meaning_maker.h"

#include <algorithm>

namespace headlight::core {

void MeaningMakerBase::operator()(const op::KeepLargest &of) {
    const std::vector<Index> kept = chosenBy(m_id);
    Expression x = m_made.column ? named(Q::Input, read(0)) : read(0);
    if (of.normalises)
        x = std::move(x) /
            named(Q::Sum,
                  m_made.row ? total(kept, [this](Index one) { return read(0, kRow, fixed(one)); })
                             : over(Kind::Sum, read(0, kRow, kSummed), m_step.shape.last(0)),
                  "Σ");
    if (of.factor != 1)
        x = std::move(x) * number(static_cast<double>(of.factor));
    const bool hasScores = m_step.reads.size() > 1;
    for (const Beside beside : {Beside::Formula, Beside::Row})
        remark(beside, hasScores ? Note::ChosenByScores : Note::LargestKept, {digits(of.count)});
    if (of.groups > 1)
        remark(Beside::Formula, Note::ChosenInGroups, {digits(of.keptGroups), digits(of.groups)});
    if (!m_made.row || !m_made.column || std::ranges::find(kept, *m_made.column) != kept.end())
        return is(std::move(x));
    is(named(Q::Input, read(0)) * number(0));
    remark(Beside::Number, Note::ExpertNotChosen, {digits(*m_made.column)});
}

void MeaningMakerBase::operator()(const op::ScaleForExperts &) {
    const Index experts = m_plan[m_step.reads[1]].shape.last(0);
    const Index size = m_plan[m_step.reads[0]].shape.last(0);
    m_meaning.inSymbols = read(1) * read(0);
    remark(Beside::Formula, Note::InputsOfExperts, {digits(experts)});
    if (!m_made.row) // one expert is enough for meetingOf()
        return is(read(1, kRow, fixed(0)) * read(0, kRow, fixed(0)));
    const std::vector<Index> chosen = chosenBy(m_plan.origin(m_step.reads[1]));
    if (!m_made.column) // the columns of the chosen experts, one after the other
        return is(total(chosen, [this](Index one) { return read(1, kRow, fixed(one)) * read(0); }));
    const Index expert = *m_made.column / size;
    if (std::ranges::find(chosen, expert) == chosen.end()) {
        is(named(Q::Input, read(1, kRow, fixed(expert))));
        return remark(Beside::Number, Note::ExpertNotChosen, {digits(expert)});
    }
    is(read(1, kRow, fixed(expert)) * read(0, kRow, fixed(*m_made.column % size)));
    remark(Beside::Number, Note::ReadByExpert, {digits(expert)});
}

void MeaningMakerBase::operator()(const op::ExpertLinear &of) {
    const Index experts = m_plan[m_step.reads[1]].shape.last(0);
    const Index width = m_plan[m_step.reads[0]].shape.last(0);
    const Index depth = of.readsOwnColumns ? width / experts : width;
    const Index expert = m_made.column.value_or(0) / (m_step.shape.last(0) / experts);
    Coordinate along = kSummed;
    along.index = of.readsOwnColumns ? expert * depth : 0;
    Expression product =
        over(Kind::Sum, read(0, kRow, along) * parameter(0, kSummed, kColumn), depth);
    if (!parameter(1).empty())
        product = std::move(product) + named(Q::Bias, parameter(1, fixed(0), kColumn));
    remark(Beside::Formula, Note::ExpertsSideBySide, {digits(experts)});
    if (!m_made.row || !m_made.column)
        return is(std::move(product));
    const std::vector<Index> chosen = chosenBy(m_plan.origin(m_step.reads[1]));
    if (std::ranges::find(chosen, expert) == chosen.end()) { // 0, because its weight is 0
        is(named(Q::Input, read(1, kRow, fixed(expert))));
        return remark(Beside::Number, Note::ExpertNotChosen, {digits(expert)});
    }
    is(std::move(product));
    remark(Beside::Number, Note::MadeByExpert, {digits(expert)});
}

void MeaningMakerBase::operator()(const op::MixExperts &of) {
    const Index experts = m_plan[m_step.reads[1]].shape.last(0), size = m_step.shape.last(0);
    const auto weighted = [&](Index expert, Expression output) {
        const Expression weight = read(1, kRow, fixed(expert));
        if (of.isWeighted)
            return weight * std::move(output);
        // A row also depends on which experts were chosen.
        return m_made.row && !m_made.column
                   ? choose(When::MinusInfinity, weight, number(0), std::move(output))
                   : std::move(output);
    };
    m_meaning.inSymbols = over(Kind::Sum, of.isWeighted ? read(1) * read(0) : read(0), experts);
    remark(Beside::Formula,
           of.isWeighted ? Note::OverChosenExperts : Note::OverChosenExpertsUnweighted);
    if (!m_made.row) // one term is enough for meetingOf() and meetingMatrices()
        return is(weighted(0, read(0, kRow, fixed(0))));
    const std::vector<Index> chosen = chosenBy(m_plan.origin(m_step.reads[1]));
    Expression sum = total(chosen, [&](Index expert) {
        return weighted(expert, m_made.column ? read(0, kRow, fixed(expert * size + *m_made.column))
                                              : ofExpert(expert * size, size));
    });
    const bool isCopy = !of.isWeighted && m_made.column && chosen.size() == 1;
    is(isCopy ? named(Q::Input, std::move(sum)) : std::move(sum));
}

std::vector<Index> MeaningMakerBase::chosenBy(StepId weights) const {
    std::vector<Index> chosen;
    if (!m_made.row)
        return chosen;
    const MatrixPart made = partAt(m_trace, weights, m_sequence, 0, *m_made.row);
    for (Index expert = 0; !made.empty() && expert < made.columns; ++expert)
        if (made(*m_made.row, expert) != 0)
            chosen.push_back(expert);
    return chosen;
}

Expression MeaningMakerBase::ofExpert(Index first, Index count) const {
    const MatrixPart row =
        partAt(m_trace, m_plan.origin(m_step.reads[0]), m_sequence, 0, *m_made.row);
    std::vector<double> numbers;
    for (Index column = first; !row.empty() && column < first + count; ++column)
        numbers.push_back(static_cast<double>(row(*m_made.row, column)));
    Expression made = table([numbers](Index, Index column) {
        const auto place = static_cast<std::size_t>(column);
        return place < numbers.size() ? numbers[place] : std::numeric_limits<double>::quiet_NaN();
    });
    made.role = Role::Residual;
    return made;
}

} // namespace headlight::core
