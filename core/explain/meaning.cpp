// The meaning of operations that involve neither positions, distances nor experts.
#include "core/explain/meaning_maker.h"

#include "core/explain/symbols.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight::core {

namespace {

/// Operations other than positions, distances and experts, which are in separate files.
class MeaningMaker : private MeaningMakerBase {
  public:
    using MeaningMakerBase::MeaningMakerBase;
    using MeaningMakerBase::operator();

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

    /// The token's one-hot row times the embedding matrix. Only the token's own product is not 0.
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
        else if (m_made.column && slice.split == ParameterSlice::Split::Columns &&
                 m_step.heads() > 1) {
            const Index sharing = m_trace.model().headsOf(m_step.at.attention) / m_step.heads();
            const Index first = m_made.head * sharing;
            if (sharing > 1)
                remark(
                    Beside::Number, Note::ColumnOfHeads,
                    {digits(*m_made.column), letter, digits(first), digits(first + sharing - 1)});
            else
                remark(Beside::Number, Note::ColumnOfHead,
                       {digits(*m_made.column), letter, digits(m_made.head)});
        } else if (m_made.column)
            remark(Beside::Number, Note::ColumnOf, {digits(*m_made.column), letter});
        if (of.transposed)
            remark(Beside::Formula, Note::DotProductWithWords);
        if (m_step.at.stage == Stage::EmbeddingProjected)
            remark(Beside::Formula, Note::ToTheLayersWidth);
        if (infoOf(m_step.at.stage).ofKeys())
            remarkOfKeys();
    }

    void operator()(const op::DotProduct &) {
        is(over(Kind::Sum, read(0, kRow, kSummed) * read(1, kColumn, kSummed),
                m_plan[m_step.reads[0]].shape.last(0)));
        const Stage made = m_step.at.stage;
        remark(Beside::Formula, made == Stage::QueryDistances ? Note::QueriesWithDistances
                                : made == Stage::KeyDistances ? Note::KeysWithDistances
                                                              : Note::EveryDotProduct);
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
        if (of.root > 0 && of.divides && ofScores && isDisentangled())
            remark(Beside::Formula, Note::DividedByRootOfAddends,
                   {digits(m_trace.model().config.disentangled.terms())});
        else if (of.root > 0 && of.divides)
            remark(Beside::Formula,
                   ofScores ? Note::DividedByRootOfHeadSize : Note::DividedByRootOfWidth);
        else if (of.root == 0 && !of.divides && of.factor == 1)
            remark(Beside::Formula, Note::ScalingIsOff);
    }

    void operator()(const op::Tanh &) { is(function(Kind::Tanh, named(Q::Input, read(0)))); }

    void operator()(const op::Sigmoid &) {
        const Expression x = named(Q::Input, read(0));
        is(number(1) / (number(1) + function(Kind::Exponential, function(Kind::Negative, x))));
        remark(Beside::Formula, Note::EachByItself);
    }

    void operator()(Activation which) { is(activation(which)); }

    void operator()(const op::Softcap &of) {
        const Expression limit = number(static_cast<double>(of.limit));
        is(limit * function(Kind::Tanh, named(Q::Input, read(0)) / limit));
        remark(Beside::Formula, Note::KeptBetween, {fullText(of.limit)});
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
               {value, symbolOf(m_trace, m_plan[m_step.reads[0]].at)});
        remark(Beside::Row, Note::StandsForHidden, {value});
        if (isHidden())
            remark(Beside::Number, Note::StandsForHidden, {value});
    }

    /// e^((x − maximum) ÷ T) ÷ Σ. Subtracting the maximum avoids overflow and does not change the
    /// result.
    void operator()(const op::Softmax &of) {
        if (!of.normalises)
            return withoutSoftmax(of.temperature);
        const Index count = m_step.shape.last(0);
        const bool isOfKeys = infoOf(m_step.at.stage).overKeys();
        const Expression one = named(Q::Input, read(0, kRow, kSummed));
        const Expression maximum = named(Q::Maximum, over(Kind::Maximum, one, count));
        const Expression exponential = named(
            Q::Exponential, function(Kind::Exponential, tempered(one - maximum, of.temperature)));
        const Expression sum = named(Q::Sum, over(Kind::Sum, exponential, count));
        Expression divisor = sum;
        const Expression largest = over(Kind::Maximum, read(0, kRow, kSummed), count);
        if (!parameter(0).empty()) { // a sink (OpenAI 2025) enters the sum but has no weight
            const Expression sink = named(Q::Sink, parameter(0, fixed(0), fixed(0)));
            const Expression addend =
                named(Q::SinkExponential,
                      function(Kind::Exponential, tempered(sink - maximum, of.temperature)));
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

    /// e^(s ÷ T) ÷ (e^(s ÷ T) + Σ e^(x ÷ T)), written with differences, which do not overflow.
    void operator()(const op::SinkWeight &of) {
        const Expression x = read(0, kRow, kSummed);
        const Expression sink = named(Q::Sink, parameter(0, fixed(0), fixed(0)), "s");
        const Expression sum = named(
            Q::Sum, over(Kind::Sum, function(Kind::Exponential, tempered(x - sink, of.temperature)),
                         m_plan[m_step.reads[0]].shape.last(0)));
        is(number(1) / (number(1) + sum));
        remark(Beside::Formula, Note::SinkIsNoToken);
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

    /// DeepSeek-AI (2024), section 2.1.3.
    void operator()(const op::JoinColumns &) {
        const Index shared = m_plan[m_step.reads[0]].shape.last(0);
        remark(Beside::Formula, Note::FirstOnesShared, {digits(shared)});
        if (m_made.column) {
            const bool isShared = *m_made.column < shared;
            const Index column = *m_made.column - (isShared ? 0 : shared);
            is(named(Q::Input, read(isShared ? 0 : 1, kRow, fixed(column))));
            m_meaning.asides = {{Q::OtherIndex, asDouble(column)}};
            return remark(Beside::Number, isShared ? Note::SharedByAllHeads : Note::OfTheHeadAlone);
        }
        m_meaning.number.kind = Kind::Side;
        m_meaning.number.of = {read(0), read(1)};
    }

    void operator()(const op::JoinNeighbours &of) {
        remark(Beside::Formula, Note::NeighboursSideBySide);
        const auto rowOf = [this](const op::JoinNeighbours::Part &part) {
            return m_made.row ? fixed(*m_made.row + part.shift) : kRow;
        };
        const auto isThere = [&](const op::JoinNeighbours::Part &part) {
            const Index row = rowOf(part).index;
            return !m_made.row || (row >= 0 && row < m_step.shape.last(1));
        };
        if (m_made.column) {
            const auto [part, column] = of.sourceOf(*m_made.column);
            if (!isThere(part)) {
                is(number(0));
                return remark(Beside::Number, Note::NoTokenThere);
            }
            is(named(Q::Input, read(part.which, rowOf(part), fixed(column))));
            m_meaning.asides = {{Q::OtherIndex, asDouble(column)}};
            if (m_made.row)
                remark(Beside::Number, Note::FromTokenAt, {digits(rowOf(part).index)});
            return;
        }
        m_meaning.number.kind = Kind::Side;
        for (const op::JoinNeighbours::Part &part : of.parts) {
            Coordinate columns = kColumn;
            columns.index = part.first;
            Expression own =
                isThere(part) ? read(part.which, rowOf(part), columns) : core::number(0);
            own.count = part.columns;
            m_meaning.number.of.push_back(std::move(own));
        }
    }

    void operator()(const op::Add &) {
        is(named(Q::Input, read(0)) + named(Q::Other, read(1)));
        if (infoOf(m_step.at.stage).role == Role::Scores)
            remark(Beside::Formula, Note::WhatDistanceAdds);
        else if (m_step.at.stage == Stage::FeedForwardOutput)
            remark(Beside::Formula, Note::NetworkForAllTokens);
        else if (m_trace.model().config.residual && m_step.at.stage != Stage::ClassLogits)
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

    /// Each row is a sequence.
    void operator()(const op::Pool &of) {
        const Index sequence = m_made.row.value_or(m_sequence);
        const Index real = m_trace.batch()[sequence].length;
        const bool isMean = of.pooling == Pooling::Mean;
        const auto [first, count] = of.rowsOf(sequence, real);
        Expression x = read(0, isMean ? kToken : fixed(first), kColumn);
        x.sequence = sequence;
        Expression made = over(Kind::Mean, std::move(x), count, Coordinate::Kind::Token, first);
        is(call(isMean                             ? Note::MeanOfRealRowsOf
                : of.pooling == Pooling::First     ? Note::FirstRowOf
                : of.pooling == Pooling::Second    ? Note::SecondRowOf
                : of.pooling == Pooling::LargestId ? Note::RowOfLargestId
                                                   : Note::LastRealRowOf,
                {}, read(0), std::move(made)));
        m_meaning.asides = {{Q::Count, asDouble(count)}, {Q::OtherIndex, asDouble(first)}};
    }

    void operator()(const op::SetCells &) {} // see overwrite()

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

  private:
    void withoutSoftmax(float temperature) {
        is(choose(When::MinusInfinity, named(Q::Input, read(0)), number(0),
                  tempered(read(0), temperature)));
        m_meaning.inSymbols = tempered(read(0), temperature);
        const Operation &before = m_plan[m_step.reads[0]].operation;
        remark(Beside::Formula, mayHide(before) ? Note::NoSoftmaxHidden : Note::NoSoftmax);
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
        if (m_step.at.stage == Stage::SinkWeights)
            return remark(Beside::Formula, Note::UniformHead);
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

    bool isHidden() const {
        return m_made.row && m_made.column && mask().hidden(*m_made.row, *m_made.column);
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

    /// Attention weights · values.
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

    bool isDisentangled() const {
        return m_step.at.attention.block == Block::SelfAttention &&
               m_trace.model().config.disentangled.isOn();
    }

    /// Adds a remark if the keys and values come from another sequence or are shared by several
    /// heads.
    void remarkOfKeys() {
        const auto weights = m_plan.find({Stage::AttentionWeights, m_step.at.attention});
        const Index heads = weights ? m_plan[*weights].heads() : m_step.heads();
        if (m_step.at.attention.block == Block::CrossAttention)
            remark(Beside::Formula,
                   m_trace.model().hasEncoder() ? Note::OfWhatTheEncoderGives : Note::OfTheSource);
        else if (m_step.shape.rank() == 4 && m_step.heads() < heads)
            remark(Beside::Formula, Note::SharedByHeads,
                   {digits(m_made.head), digits(m_step.heads())});
    }
};

} // namespace

Meaning meaningOf(const Trace &trace, Index sequence, Slice made) {
    made.step = trace.plan().origin(made.step);
    // Limits the head, because the selected head may belong to another stack with more heads.
    made.head = std::min(made.head, trace.plan()[made.step].heads() - 1);
    return MeaningMaker(trace, sequence, made).make();
}

} // namespace headlight::core
