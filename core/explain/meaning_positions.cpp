// The meaning of the operations that depend on positions and distances.
#include "core/explain/meaning_maker.h"

#include "core/operations/distance_bias.h"
#include "core/operations/distance_table.h"
#include "core/operations/position.h"
#include "core/operations/query_tuning.h"

#include <algorithm>

namespace headlight::core {

void MeaningMakerBase::operator()(const op::AddRows &of) {
    switch (of.kind) {
    case op::AddRows::Kind::Sinusoids:
        return addSinusoids(of.order);
    case op::AddRows::Kind::Positions:
        return addLearnedRow(m_made.row.value_or(0) + of.offset, "P", Note::PositionsAdded);
    case op::AddRows::Kind::Same:
        return addLearnedRow(0, "b", Note::AddedForChoice);
    case op::AddRows::Kind::TokenTypes: {
        const std::vector<Index> &types = batch()[m_sequence].tokenTypes;
        const auto token = static_cast<std::size_t>(m_made.row.value_or(0));
        return addLearnedRow(types.empty() ? 0 : types[token], "T", Note::TypesAdded);
    }
    }
}

void MeaningMakerBase::addSinusoids(SinusoidOrder order) {
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

void MeaningMakerBase::operator()(const op::ApplyRotary &of) {
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

void MeaningMakerBase::operator()(const op::TuneQueries &of) {
    const auto factorAt = [tuning = of.tuning](Index row) {
        return static_cast<double>(tuningFactor(tuning, row));
    };
    Expression factor = table([factorAt](Index row, Index) { return factorAt(row); });
    factor.column = fixed(0);
    factor.role = Role::Scores;
    if (m_made.row)
        factor = number(factorAt(*m_made.row));
    is(named(Q::Input, read(0)) * named(Q::Factor, std::move(factor), "τ"));
    m_meaning.inSymbols = read(0) * symbol("τ", Role::Scores);
    remark(Beside::Formula, Note::TunedByPositions,
           {fullText(of.tuning.strength), digits(of.tuning.length)});
    if (m_made.row)
        for (const Beside beside : {Beside::Row, Beside::Number})
            remark(beside, Note::TunedByPosition, {digits(*m_made.row)});
}

void MeaningMakerBase::operator()(const op::DistanceBias &of) {
    if (const auto *alibi = std::get_if<DistanceBias::Alibi>(&of.by))
        addSlope(alibi->slopes);
    else
        addLearnedBias(std::get<DistanceBias::Relative>(of.by));
}

void MeaningMakerBase::addSlope(std::span<const float> slopes) {
    const std::size_t head = std::min(static_cast<std::size_t>(m_made.head), slopes.size() - 1);
    noteDistance();
    is(function(Kind::Negative, named(Q::Slope, number(static_cast<double>(slopes[head])), "m")) *
       function(Kind::Absolute, leaf(Kind::RowIndex) - leaf(Kind::KeyIndex)));
    remark(Beside::Formula, Note::SlopeOfHead, {fullText(slopes[head])});
}

void MeaningMakerBase::addLearnedBias(const DistanceBias::Relative &of) {
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

void MeaningMakerBase::operator()(const op::DistanceVectors &) {
    is(parameter(0, m_made.row ? fixed(*m_made.row) : kRow, kColumn));
    m_meaning.inSymbols = symbol("Δ", Role::Residual);
    remark(Beside::Formula, Note::VectorForDistances);
}

void MeaningMakerBase::operator()(const op::PickDistances &of) {
    remark(Beside::Formula, of.byKeys ? Note::PickedForKeys : Note::PickedForQueries);
    m_meaning.inSymbols = read(0);
    if (!m_made.row) // the operands, for meetingMatrices()
        return is(read(0, of.byKeys ? kColumn : kRow, fixed(0)));
    is(given());
    if (!m_made.column)
        return;
    const Index distance = *m_made.row - *m_made.column;
    const Index row = distanceRow(distance, of.table);
    is(named(Q::Input, read(0, of.byKeys ? kColumn : kRow, fixed(row))));
    m_meaning.inSymbols.reset();
    remark(Beside::Number, Note::ColumnOfDistance, {digits(row), digits(distance)});
    m_meaning.asides = {{Q::OtherIndex, asDouble(row)}};
}

void MeaningMakerBase::noteDistance() {
    if (m_made.row && m_made.column)
        m_meaning.asides = {{Q::Distance, asDouble(*m_made.column - *m_made.row)}};
}

void MeaningMakerBase::addRow(Expression row, const std::string &symbol, Note note) {
    is(named(Q::Input, read(0)) + named(Q::Other, std::move(row), symbol));
    remark(Beside::Formula, note);
}

void MeaningMakerBase::addLearnedRow(Index row, const std::string &symbol, Note note) {
    m_meaning.asides = {{Q::OtherIndex, asDouble(row)}};
    addRow(parameter(0, fixed(row), kColumn), symbol, note);
}

std::optional<Slice> pickedRow(const Step &step, const Slice &made) {
    const auto *pick = std::get_if<op::PickDistances>(&step.operation);
    if (!pick || (made.row && made.column))
        return std::nullopt;
    return Slice{step.reads[0], made.head, pick->byKeys ? made.column : made.row, {}};
}

} // namespace headlight::core
