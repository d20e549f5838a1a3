// Implements the meaning of a step, with one function for each operation.
#include "core/explain/meaning.h"

#include "core/explain/matrix_part.h"
#include "core/explain/meaning_of_step.h"
#include "core/explain/symbols.h"
#include "core/operations/distance_bias.h"
#include "core/operations/position.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight::core {

namespace {

using Kind = Expression::Kind;
using When = Expression::When;
using Q = Quantity;
using Beside = Remark::Beside;

std::string digits(Index index) {
    return std::to_string(index);
}

Expression given() {
    return leaf(Kind::Given);
}

class MeaningMaker : private MeaningOfStep {
  public:
    MeaningMaker(const Trace &trace, Index sequence, const Slice &made)
        : MeaningOfStep(trace, sequence, made.step, made.head), m_made(made) {}

    Meaning make() {
        const Operation *change = changeOfStep();
        const auto *set = change ? std::get_if<op::SetCells>(change) : nullptr;
        m_meaning.by = change && !set ? change : &m_step.operation;
        std::visit(*this, *m_meaning.by);
        if (set)
            overwrite(*change, *set);
        return std::move(m_meaning);
    }

    void operator()(const op::Captured &) {
        is(given());
        remark(Beside::Formula, Note::AsCaptured);
    }
    void operator()(const op::Clone &) {
        is(named(Q::Input, read(0)));
        m_meaning.inSymbols = given();
    }

    /// The token's one-hot row times the embedding matrix: one product.
    void operator()(const op::EmbeddingLookup &) {
        const Stack stack = m_step.at.attention.stack;
        remark(Beside::Formula, stack == Stack::SourceEmbeddings
                                    ? Note::OneVectorForEachWordOfSource
                                    : Note::OneVectorForEachWord);
        is(given());
        const Sequence &sequence = batch()[m_sequence];
        const Vocabulary *words = m_trace.model().vocabularyOf(stack);
        if (!m_made.row || sequence.embeddings || parameter(0).empty() || !words)
            return;
        if (const auto word = words->idOf(sequence[*m_made.row])) {
            m_meaning.asides = {{Q::Word, asDouble(*word)}};
            is(over(Kind::Sum, number(1) * parameter(0, fixed(*word), kColumn), 1));
            m_meaning.inSymbols = given();
        }
    }

    void operator()(const op::AddRows &of) {
        switch (of.kind) {
        case op::AddRows::Kind::Sinusoids:
            return addSinusoids(of.order);
        case op::AddRows::Kind::Positions:
            return addLearnedRow(m_made.row.value_or(0) + of.offset, "P", Note::PositionsAdded);
        case op::AddRows::Kind::TokenTypes: {
            const std::vector<Index> &types = batch()[m_sequence].tokenTypes;
            const auto token = static_cast<std::size_t>(m_made.row.value_or(0));
            return addLearnedRow(types.empty() ? 0 : types[token], "T", Note::TypesAdded);
        }
        }
    }
    /// Vaswani et al. (2017), section 3.5.
    void addSinusoids(SinusoidOrder order) {
        const Index width = m_step.shape.last(0);
        Expression wave = table([width, order](Index row, Index column) {
            return static_cast<double>(sinusoidalPosition(row, column, width, order));
        });
        if (m_made.row && m_made.column) {
            const Index column = *m_made.column, sines = (width + 1) / 2;
            const Index sorted = order == SinusoidOrder::Interleaved ? column
                                 : column < sines                    ? 2 * column
                                                                     : 2 * (column - sines) + 1;
            const Index even = sorted - sorted % 2;
            const Expression angle =
                number(asDouble(*m_made.row)) /
                power(number(10000), number(asDouble(even)) / number(asDouble(width)));
            wave = function(sorted == even ? Kind::Sine : Kind::Cosine, angle);
        }
        if (m_made.row)
            m_meaning.asides = {{Q::OtherIndex, asDouble(*m_made.row)}};
        addRow(std::move(wave), "P", Note::PositionsAdded);
    }
    /// Ioffe and Szegedy (2015), Ba et al. (2016), Zhang and Sennrich (2019).
    void operator()(const op::Normalise &of) {
        const NormStatistics norm = statisticsOf(of.kind, of.epsilon);
        const bool isBatch = norm.isOfBatch(), centres = norm.centres();
        Expression normed = norm.centred(named(Q::Input, read(0))) / norm.deviation;
        if (!parameter(0).empty())
            normed = std::move(normed) * named(Q::Gain, parameter(0, fixed(0), kColumn), "γ");
        if (!parameter(1).empty())
            normed = std::move(normed) + named(Q::Bias, parameter(1, fixed(0), kColumn), "β");
        m_meaning.asides = {{Q::Count, asDouble(norm.count)},
                            {Q::Sequences, asDouble(isBatch ? batch().count() : 1)}};
        is(call(Note::NormName, {digits(static_cast<Index>(of.kind))}, read(0), std::move(normed)));
        remark(Beside::Formula,
               of.kind == NormKind::Layer ? Note::LayerNormOfRows
               : centres                  ? Note::BatchNormLeaks
                                          : Note::RmsNormOfRows,
               {fullText(of.epsilon)});
        const Expression root = function(Kind::Root, norm.variance);
        if (isBatch)
            remark(Beside::Number, Note::StatisticsOfBatch);
        else if (centres)
            remark(Beside::Row, Note::MeanAndDeviation, {}, {norm.mean, root});
        else
            remark(Beside::Row, Note::RootMeanSquare, {}, {root});
    }

    void operator()(const op::Linear &of) {
        const Index count = m_plan[m_step.reads[0]].shape.last(0);
        Expression product =
            over(Kind::Sum,
                 read(0, kRow, kSummed) * (of.transposed ? parameter(0, kColumn, kSummed)
                                                         : parameter(0, kSummed, kColumn)),
                 count);
        const Step &source = m_plan[m_plan.origin(m_step.reads[0])];
        if (std::holds_alternative<op::ConcatHeads>(source.operation))
            product.groups = m_plan[source.reads[0]].heads();
        if (!parameter(1).empty())
            product = std::move(product) +
                      named(Q::Bias, parameter(1, fixed(0), kColumn), of.transposed ? "b" : "");
        is(std::move(product));
        const ParameterSlice &slice = m_step.parameters[0];
        const std::string letter = letterOf(slice.id.which);
        if (m_made.column && of.transposed)
            remark(Beside::Number, Note::RowOfEmbeddings, {digits(*m_made.column)});
        else if (m_made.column)
            remark(Beside::Number, Note::ColumnOf,
                   {digits(*m_made.column + (slice.split == ParameterSlice::Split::Columns
                                                 ? m_made.head * parameter(0).columns
                                                 : 0)),
                    letter});
        if (of.transposed)
            remark(Beside::Formula, Note::DotProductWithWords);
        if (m_step.at.stage == Stage::EmbeddingProjected)
            remark(Beside::Formula, Note::ToTheLayersWidth);
        if (infoOf(m_step.at.stage).ofKeys())
            remarkOfKeys();
    }

    /// Su et al. (2021): dimension i and its partner are rotated by position · frequency.
    void operator()(const op::ApplyRotary &of) {
        const Expression x = named(Q::Input, read(0));
        m_meaning.isOfEachRow = true;
        m_meaning.inSymbols = symbol("R") * read(0);
        remark(Beside::Formula, Note::TurnsByAngle);
        if (m_made.row)
            remark(Beside::Row, Note::TurnedByPosition, {digits(*m_made.row)});
        is(x);
        if (!m_made.column)
            return;
        const Index pairs = std::ssize(of.turns.frequencies), column = *m_made.column;
        if (column >= 2 * pairs)
            return remark(Beside::Number, Note::DoesNotTurn);
        const Index partner = (column + pairs) % (2 * pairs), pair = column % pairs;
        const Expression own = x * named(Q::Cosine, turning(of.turns, pair, &RotaryTable::cosine));
        const Expression other = named(Q::Other, read(0, kRow, fixed(partner))) *
                                 named(Q::Sine, turning(of.turns, pair, &RotaryTable::sine));
        is(column < partner ? own - other : own + other);
        m_meaning.asides = {{Q::OtherIndex, asDouble(partner)}};
        if (!m_made.row)
            return;
        m_meaning.asides.emplace_back(
            Q::Angle, asDouble(*m_made.row) * of.turns.frequencies[static_cast<std::size_t>(pair)]);
        remark(Beside::Number, Note::TurnsWith,
               {digits(partner), column < partner ? "−" : "+", digits(*m_made.row)});
    }

    void operator()(const op::DotProduct &) {
        is(over(Kind::Sum, read(0, kRow, kSummed) * read(1, kColumn, kSummed),
                m_plan[m_step.reads[0]].shape.last(0)));
        remark(Beside::Formula, Note::EveryDotProduct);
    }
    void operator()(const op::WeightedSum &) { is(weightedSum(kRow)); }

    void operator()(const op::Each &of) { std::visit(*this, of.function); }
    void operator()(const op::Scale &of) {
        const Expression x = named(Q::Input, read(0));
        const Expression root = function(Kind::Root, number(asDouble(of.root)));
        const bool ofScores = infoOf(m_step.at.stage).overKeys();
        if (of.root > 0)
            is(of.divides ? x / root : x * root);
        else if (of.divides)
            is(x / number(static_cast<double>(of.divisor)));
        else
            is(of.factor == 1 ? x : x * number(static_cast<double>(of.factor)));
        if (of.root > 0 && of.divides)
            remark(Beside::Formula,
                   ofScores ? Note::DividedByRootOfHeadSize : Note::DividedByRootOfWidth);
        else if (of.root == 0 && !of.divides && of.factor == 1)
            remark(Beside::Formula, Note::ScalingIsOff);
    }
    void operator()(const op::Tanh &) { is(function(Kind::Tanh, named(Q::Input, read(0)))); }
    void operator()(Activation which) { is(activation(which)); }
    void operator()(const op::Softcap &of) {
        const Expression limit = number(static_cast<double>(of.limit));
        is(limit * function(Kind::Tanh, named(Q::Input, read(0)) / limit));
        remark(Beside::Formula, Note::KeptBetween, {fullText(of.limit)});
    }

    void operator()(const op::DistanceBias &of) { std::visit(*this, of.by); }
    /// Press et al. (2022).
    void operator()(const op::DistanceBias::Alibi &of) {
        const std::size_t head =
            std::min(static_cast<std::size_t>(m_made.head), of.slopes.size() - 1);
        noteDistance();
        is(function(Kind::Negative,
                    named(Q::Slope, number(static_cast<double>(of.slopes[head])), "m")) *
           function(Kind::Absolute, leaf(Kind::RowIndex) - leaf(Kind::KeyIndex)));
        remark(Beside::Formula, Note::SlopeOfHead, {fullText(of.slopes[head])});
    }
    /// Raffel et al. (2020).
    void operator()(const op::DistanceBias::Relative &of) {
        m_meaning.inSymbols = symbol("B[ bucket(j − i) ]");
        remark(Beside::Formula, Note::LearnedForDistances);
        is(given());
        if (!m_made.row || !m_made.column)
            return;
        const Index distance = *m_made.column - *m_made.row;
        const Index bucket = relativeBucket(distance, of.config, of.bothWays);
        noteDistance();
        m_meaning.asides.emplace_back(Q::Bucket, asDouble(bucket));
        is(call(Note::BucketOfDistance, {digits(bucket), digits(distance)}, symbol(""),
                parameter(0, fixed(bucket), fixed(0))));
        m_meaning.number.written = Expression::Written::Name;
    }

    void operator()(const op::Mask &of) {
        const Expression x = named(Q::Input, read(0));
        const auto mask = [](double hidden, double visible) {
            return choose(When::Hidden, number(0), number(hidden), number(visible));
        };
        if (infoOf(m_step.at.stage).role == Role::Weights) {
            Expression factor = mask(0, 1);
            factor.name = Note::MaskWord;
            is(x * std::move(factor));
            return remark(Beside::Formula, Note::HiddenIsZero);
        }
        if (std::isinf(of.value)) {
            Expression addend = mask(static_cast<double>(of.value), 0);
            addend.text = "M";
            is(x + std::move(addend));
            return remark(Beside::Formula, Note::InfinityHides);
        }
        const std::string value = fullText(of.value);
        is(choose(When::Hidden, x, number(static_cast<double>(of.value)), x));
        m_meaning.inSymbols = read(0) + symbol("M", Role::Scores);
        remark(Beside::Formula, Note::NumberHides,
               {value, symbolOf(m_trace, m_plan[m_step.reads[0]].at.stage)});
        remark(Beside::Row, Note::StandsForHidden, {value});
        if (isHidden())
            remark(Beside::Number, Note::StandsForHidden, {value});
    }

    /// e^((x − maximum) ÷ T) ÷ Σ. Subtracting the maximum prevents overflow and does not change the
    /// result.
    void operator()(const op::Softmax &of) {
        if (!of.normalises)
            return withoutSoftmax(of);
        const Index count = m_step.shape.last(0);
        const bool isOfKeys = infoOf(m_step.at.stage).overKeys();
        const Expression one = named(Q::Input, read(0, kRow, kSummed));
        const Expression maximum = named(Q::Maximum, over(Kind::Maximum, one, count));
        const Expression exponential = named(
            Q::Exponential, function(Kind::Exponential, tempered(one - maximum, of.temperature)));
        const Expression sum = named(Q::Sum, over(Kind::Sum, exponential, count));
        Expression divisor = sum;
        const Expression largest = over(Kind::Maximum, read(0, kRow, kSummed), count);
        if (!parameter(0).empty()) { // OpenAI (2025): one more score, without a weight
            const Expression sink = named(Q::Sink, parameter(0, fixed(0), fixed(0)));
            const Expression addend =
                function(Kind::Exponential, tempered(sink - maximum, of.temperature));
            divisor = sum + addend;
            remark(Beside::Formula, Note::SinkTakesPart);
            for (const Beside beside : {Beside::Row, Beside::Number})
                remark(beside, Note::SinkTakes, {},
                       {sink, choose(When::MinusInfinity, largest, number(1), addend / divisor)});
        }
        const auto column = Coordinate::Kind::Column;
        is(call(Note::None, {}, tempered(read(0), of.temperature),
                choose(When::MinusInfinity, largest, number(0),
                       at(exponential, Coordinate::Kind::Summed, column) / divisor)));
        m_meaning.number.text = "softmax";
        if (isOfKeys)
            m_meaning.number.written = Expression::Written::Row;
        const bool isOfWords = infoOf(m_step.at.stage).columns == Columns::Words;
        remark(Beside::Formula, isOfWords ? Note::OverAllWords : Note::AlongEachRow);
        if (isOfWords)
            remark(Beside::Number, Note::SumOverWords, {digits(count)});
    }
    void withoutSoftmax(const op::Softmax &of) {
        is(choose(When::MinusInfinity, named(Q::Input, read(0)), number(0),
                  tempered(read(0), of.temperature)));
        m_meaning.inSymbols = tempered(read(0), of.temperature);
        const Operation &before = m_plan[m_step.reads[0]].operation;
        remark(Beside::Formula, mayHide(before) ? Note::NoSoftmaxHidden : Note::NoSoftmax);
    }

    void operator()(const op::ConcatHeads &) {
        const Step &source = m_plan[m_step.reads[0]];
        const Index size = source.shape.last(0);
        const auto ofHead = [&](Index head, Coordinate column) {
            Expression part = read(0, kRow, column);
            part.head = head;
            return part;
        };
        if (m_made.column) {
            const Index head = *m_made.column / size, column = *m_made.column % size;
            is(named(Q::Input, ofHead(head, fixed(column))));
            m_meaning.asides = {{Q::OtherIndex, asDouble(column)}, {Q::Count, asDouble(head)}};
            return remark(Beside::Number, Note::MadeByHead, {digits(head)});
        }
        m_meaning.number.kind = Kind::Side;
        m_meaning.number.text = "Concat";
        for (Index head = 0; head < source.heads(); ++head)
            m_meaning.number.of.push_back(ofHead(head, kColumn));
    }
    void operator()(const op::SplitHeads &) {
        const Index first = m_made.head * m_step.shape.last(0);
        is(read(0));
        if (!m_made.column)
            return;
        is(named(Q::Input, read(0, kRow, fixed(first + *m_made.column))));
        m_meaning.asides = {{Q::OtherIndex, asDouble(first + *m_made.column)}};
    }

    void operator()(const op::Add &) {
        is(named(Q::Input, read(0)) + named(Q::Other, read(1)));
        if (infoOf(m_step.at.stage).role == Role::Scores)
            remark(Beside::Formula, Note::WhatDistanceAdds);
        else if (m_trace.model().config.residual)
            remark(Beside::Formula, Note::WhatWasReadGoesOn);
    }
    void operator()(const op::Gate &of) {
        if (!of.isLimited())
            return is(activation(of.activation) * named(Q::Other, read(1)));
        const double most = static_cast<double>(of.limit);
        Expression gate = named(Q::Input, read(0)), hidden = named(Q::Other, read(1));
        if (of.limit > 0) {
            gate = choose(When::Positive, gate - number(most), number(most), gate);
            hidden = choose(When::Positive, hidden - number(most), number(most),
                            choose(When::Positive, number(-most) - hidden, number(-most), hidden));
            remark(Beside::Formula, Note::GateIsLimited, {fullText(of.limit)});
        }
        if (of.offset != 0)
            hidden = std::move(hidden) + number(static_cast<double>(of.offset));
        is(activationOf(of.activation, gate) * std::move(hidden));
    }

    /// Shazeer et al. (2017).
    void operator()(const op::KeepLargest &of) {
        const std::vector<Index> kept = chosenBy(m_id);
        Expression x = m_made.column ? named(Q::Input, read(0)) : read(0);
        if (of.normalises)
            x = std::move(x) /
                named(Q::Sum,
                      m_made.row
                          ? total(kept, [this](Index one) { return read(0, kRow, fixed(one)); })
                          : over(Kind::Sum, read(0, kRow, kSummed), m_step.shape.last(0)),
                      "Σ");
        remark(Beside::Formula, Note::LargestKept, {digits(of.count)});
        remark(Beside::Row, Note::LargestKept, {digits(of.count)});
        if (!m_made.row || !m_made.column || std::ranges::find(kept, *m_made.column) != kept.end())
            return is(std::move(x));
        is(named(Q::Input, read(0)) * number(0));
        remark(Beside::Number, Note::ExpertNotChosen, {digits(*m_made.column)});
    }
    void operator()(const op::ExpertLinear &of) {
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
        if (std::ranges::find(chosen, expert) == chosen.end()) { // 0, because the weight is 0
            is(named(Q::Input, read(1, kRow, fixed(expert))));
            return remark(Beside::Number, Note::ExpertNotChosen, {digits(expert)});
        }
        is(std::move(product));
        remark(Beside::Number, Note::MadeByExpert, {digits(expert)});
    }
    void operator()(const op::MixExperts &) {
        const Index experts = m_plan[m_step.reads[1]].shape.last(0), size = m_step.shape.last(0);
        m_meaning.inSymbols = over(Kind::Sum, read(1) * read(0), experts);
        remark(Beside::Formula, Note::OverChosenExperts);
        if (!m_made.row) // any row has the same structure
            return is(read(1, kRow, fixed(0)) * read(0, kRow, fixed(0)));
        is(total(chosenBy(m_plan.origin(m_step.reads[1])), [&](Index expert) {
            return read(1, kRow, fixed(expert)) *
                   (m_made.column ? read(0, kRow, fixed(expert * size + *m_made.column))
                                  : ofExpert(expert * size, size));
        }));
    }

    /// The rows of the result are sequences.
    void operator()(const op::Pool &of) {
        const Index sequence = m_made.row.value_or(m_sequence);
        const Index real = m_trace.batch()[sequence].length;
        const bool isMean = of.pooling == Pooling::Mean;
        const Index first = of.pooling == Pooling::Last ? real - 1 : 0, count = isMean ? real : 1;
        Expression x = read(0, isMean ? kToken : fixed(first), kColumn);
        x.sequence = sequence;
        Expression made = over(Kind::Mean, std::move(x), count, Coordinate::Kind::Token, first);
        is(call(isMean                         ? Note::MeanOfRealRowsOf
                : of.pooling == Pooling::First ? Note::FirstRowOf
                                               : Note::LastRealRowOf,
                {}, read(0), std::move(made)));
        m_meaning.asides = {{Q::Count, asDouble(count)}, {Q::OtherIndex, asDouble(first)}};
    }

    void operator()(const op::SetCells &) {} // handled by overwrite()
    void operator()(const op::Replace &of) {
        switch (of.by) {
        case op::Replace::By::Uniform:
            return byUniformWeights();
        case op::Replace::By::Zero:
            return byZero();
        case op::Replace::By::Mean:
            return byMean();
        }
    }
    void byUniformWeights() {
        const Index visible = m_made.row ? mask().visibleKeys(*m_made.row) : 0;
        const Expression count = named(Q::Visible, number(asDouble(visible)), "n");
        const bool seesNothing = m_made.row && visible == 0;
        is(choose(When::Hidden, count, number(0), seesNothing ? number(0) : number(1) / count));
        remark(Beside::Formula, Note::UniformHead);
        remark(Beside::Row, Note::UniformOver, {digits(visible)});
        if (isHidden())
            remark(Beside::Number, Note::Hidden);
        else
            remark(Beside::Number, Note::UniformOver, {digits(visible)});
    }
    void byZero() {
        is(number(0));
        remark(Beside::Formula, Note::HeadIsSilenced);
        remark(Beside::Number, Note::Silenced);
        remark(Beside::Row, Note::Silenced);
    }
    void byMean() {
        const Index real = batch()[m_sequence].length;
        m_meaning.asides = {{Q::Count, asDouble(real)}};
        is(over(Kind::Mean, weightedSum(kToken), real, Coordinate::Kind::Token));
        remark(Beside::Formula, Note::OverRealTokens);
        remark(Beside::Number, Note::MeanOfRealTokens);
        remark(Beside::Row, Note::MeanOfRealTokens);
    }

  private:
    bool isHidden() const {
        return m_made.row && m_made.column && mask().hidden(*m_made.row, *m_made.column);
    }

    /// Returns the experts that have a nonzero weight in the row. `weights`: the step that computed
    /// the weights. Empty if no row is given.
    std::vector<Index> chosenBy(StepId weights) const {
        std::vector<Index> chosen;
        if (!m_made.row)
            return chosen;
        const MatrixPart made = partAt(m_trace, weights, m_sequence, 0, *m_made.row);
        for (Index expert = 0; !made.empty() && expert < made.columns; ++expert)
            if (made(*m_made.row, expert) != 0)
                chosen.push_back(expert);
        return chosen;
    }
    /// Returns the sum of each(index).
    template <typename Each>
    static Expression total(const std::vector<Index> &indices, Each each) {
        std::optional<Expression> sum;
        for (const Index index : indices)
            sum = sum ? *std::move(sum) + each(index) : each(index);
        return sum ? *std::move(sum) : number(0);
    }
    /// Returns an expert's columns of the first input, as a table of one row.
    Expression ofExpert(Index first, Index count) const {
        const MatrixPart row =
            partAt(m_trace, m_plan.origin(m_step.reads[0]), m_sequence, 0, *m_made.row);
        std::vector<double> numbers;
        for (Index column = first; !row.empty() && column < first + count; ++column)
            numbers.push_back(static_cast<double>(row(*m_made.row, column)));
        Expression made = table([numbers](Index, Index column) {
            const auto place = static_cast<std::size_t>(column);
            return place < numbers.size() ? numbers[place]
                                          : std::numeric_limits<double>::quiet_NaN();
        });
        made.role = Role::Residual;
        return made;
    }

    void overwrite(const Operation &change, const op::SetCells &set) {
        for (const op::SetCells::Cell &cell : set.cells) {
            if (cell.row != m_made.row)
                continue;
            m_meaning.setInRow.emplace_back(cell.column, cell.value);
            if (cell.column != m_made.column)
                continue;
            m_meaning.by = &change;
            m_meaning.overwritten = std::move(m_meaning.number);
            is(number(static_cast<double>(cell.value)));
            std::erase_if(m_meaning.remarks,
                          [](const Remark &one) { return one.beside == Beside::Number; });
            remark(Beside::Number, Note::SetByHand, {}, {*m_meaning.overwritten});
        }
    }
    /// Returns attention weights · values.
    Expression weightedSum(Coordinate row) const {
        return over(Kind::Sum, read(0, row, kSummed) * read(1, kSummed, kColumn),
                    m_plan[m_step.reads[0]].shape.last(0));
    }
    Expression activation(Activation which) {
        return activationOf(which, named(Q::Input, read(0)));
    }
    Expression activationOf(Activation which, const Expression &x) {
        remark(Beside::Formula, Note::ActivationFormula, {digits(static_cast<Index>(which))});
        return named(Q::Activated, activated(which, x));
    }
    void noteDistance() {
        if (m_made.row && m_made.column)
            m_meaning.asides = {{Q::Distance, asDouble(*m_made.column - *m_made.row)}};
    }
    void addRow(Expression row, const std::string &symbol, Note note) {
        is(named(Q::Input, read(0)) + named(Q::Other, std::move(row), symbol));
        remark(Beside::Formula, note);
    }
    void addLearnedRow(Index row, const std::string &symbol, Note note) {
        m_meaning.asides = {{Q::OtherIndex, asDouble(row)}};
        addRow(parameter(0, fixed(row), kColumn), symbol, note);
    }
    /// Adds a remark on the sequence, or the shared head, that the keys and values come from.
    void remarkOfKeys() {
        const auto weights = m_plan.find({Stage::AttentionWeights, m_step.at.attention});
        const Index heads = weights ? m_plan[*weights].heads() : m_step.heads();
        if (m_step.at.attention.block == Block::CrossAttention)
            remark(Beside::Formula,
                   m_trace.model().hasEncoder() ? Note::OfWhatTheEncoderGives : Note::OfTheSource);
        else if (m_step.heads() < heads)
            remark(Beside::Formula, Note::SharedByHeads,
                   {digits(m_made.head), digits(m_step.heads())});
    }

    Slice m_made;
};

} // namespace

Meaning meaningOf(const Trace &trace, Index sequence, Slice made) {
    made.step = trace.plan().origin(made.step);
    // Limited, because the selected head may belong to another stack with more heads.
    made.head = std::min(made.head, trace.plan()[made.step].heads() - 1);
    return MeaningMaker(trace, sequence, made).make();
}

} // namespace headlight::core
