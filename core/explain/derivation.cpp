#include "core/explain/derivation.h"

#include "core/explain/matrix_part.h"
#include "core/format_number.h"
#include "core/selection/selected.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight::core {

namespace {

bool findsMinusInfinity(const Expression &x, Evaluation &evaluation) {
    if (x.is(Expression::Kind::Choose) && x.when == Expression::When::MinusInfinity)
        return evaluation.holds(x);
    return std::ranges::any_of(
        x.of, [&](const Expression &part) { return findsMinusInfinity(part, evaluation); });
}

/// Sets the parameter matrix that contains the right factors of the terms, and their position in
/// it.
void findMatrix(Derivation &found, const Expression &x, Evaluation &evaluation, const Step &step) {
    if (x.is(Expression::Kind::Learned) && !found.matrix) {
        const MatrixBlock place = evaluation.parameter(x).place();
        const auto indexOf = [&](const Coordinate &coordinate) {
            return coordinate.kind == Coordinate::Kind::Fixed    ? coordinate.index
                   : coordinate.kind == Coordinate::Kind::Column ? found.made.column.value_or(0)
                                                                 : 0;
        };
        const bool isTransposed = x.row.kind == Coordinate::Kind::Column;
        found.matrix = step.parameters[x.which].id;
        found.matrixRow = place.row + (isTransposed ? 0 : indexOf(x.row));
        found.matrixColumn =
            isTransposed ? place.row + indexOf(x.row) : place.column + indexOf(x.column);
    }
    for (const Expression &part : x.of)
        findMatrix(found, part, evaluation, step);
}

Derivation derivationOf(const Trace &trace, Index sequence, const Slice &made) {
    const Plan &plan = trace.plan();
    const Step &shown = plan[made.step];
    const Step &step = plan[plan.origin(made.step)];
    Derivation found;
    found.made = made;
    found.at = shown.at;
    found.isNamed = shown.isNamed();
    if (made.column)
        found.value =
            partAt(trace, made.step, sequence, made.head, *made.row)(*made.row, *made.column);
    if (infoOf(found.at.stage).overKeys())
        found.hiddenBy = trace.mask(sequence, found.at.attention).hiddenBy(*made.row, *made.column);
    if (shown.renames) {
        found.expression.kind = Expression::Kind::Read;
        found.expression.step = made.step;
        found.expression.row.kind = Coordinate::Kind::Row;
        found.expression.column.kind = Coordinate::Kind::Column;
        found.from = {step.at};
        return found;
    }
    for (const StepId read : step.reads)
        found.from.push_back(plan[read].at);
    Meaning meaning = meaningOf(trace, sequence, made);
    found.isOverwritten = meaning.overwritten.has_value();
    found.expression = std::move(found.isOverwritten ? *meaning.overwritten : meaning.number);
    found.remarks = std::move(meaning.remarks);
    found.numbers = std::move(meaning.asides);
    if (!made.column)
        return found;
    Evaluation evaluation(trace, sequence, made);
    const Expression &number = found.expression;
    evaluation.value(number);
    found.isMinusInfinity = findsMinusInfinity(number, evaluation);
    for (const auto &one : evaluation.numbers())
        found.numbers.push_back(one);
    if (const Expression *sum = outerSum(number)) {
        found.terms = evaluation.terms(*sum);
        found.heads = sum->groups;
        findMatrix(found, *sum, evaluation, step);
    } else if (const Expression *added = partNamed(number, Quantity::Other)) {
        findMatrix(found, *added, evaluation, step);
    }
    return found;
}

bool isOverKeys(const Step &step) {
    return infoOf(step.at.stage).overKeys();
}

/// Appends the derivation of a slice, after the derivations of its inputs that are unnamed or
/// belong to the same pair.
void collect(const Trace &trace, Index sequence, const Slice &made, std::vector<Derivation> &all) {
    const Plan &plan = trace.plan();
    const Step &step = plan[made.step];
    const Meaning meaning = meaningOf(trace, sequence, made);
    for (Slice read : readsOf(trace, sequence, made)) {
        const Step &source = plan[read.step];
        const bool isSamePair = isOverKeys(step) && isOverKeys(source);
        if (step.renames || (source.isNamed() && !isSamePair))
            continue;
        if (isSamePair) // softmax reads the whole row, but only this pair is of interest
            read.column = made.column;
        if (!read.row) // batch norm reads a column of all tokens
            read.row = made.row;
        if (!read.column && !outerSum(meaning.number))
            read.column = made.column; // norms read all columns
        collect(trace, sequence, read, all);
    }
    if (step.renames || !meaning.isClone() || all.empty())
        all.push_back(derivationOf(trace, sequence, made));
    else
        all.back().made = made, all.back().at = step.at, all.back().isNamed = step.isNamed();
}

} // namespace

std::optional<double> Derivation::find(Quantity quantity) const {
    for (const auto &[which, number] : numbers)
        if (which == quantity)
            return number;
    return std::nullopt;
}

bool Derivation::hasNote(Note note) const {
    return std::ranges::any_of(remarks, [note](const Remark &one) { return one.note == note; });
}

double Derivation::number(Quantity quantity) const {
    return find(quantity).value_or(std::numeric_limits<double>::quiet_NaN());
}

std::optional<Index> Derivation::whole(Quantity quantity) const {
    const std::optional<double> number = find(quantity);
    return number ? std::optional(static_cast<Index>(*number)) : std::nullopt;
}

std::string Derivation::wholeText(Quantity quantity) const {
    const std::optional<Index> number = whole(quantity);
    return number ? std::to_string(*number) : std::string(kNoNumber);
}

std::vector<double> Derivation::sumsOfHeads() const {
    std::vector<double> sums(static_cast<std::size_t>(heads));
    for (std::size_t i = 0; i < terms.size(); ++i)
        sums[i * sums.size() / terms.size()] += terms[i].product();
    return sums;
}

std::vector<Derivation> derivationsOf(const Trace &trace, const Selection &selection) {
    std::vector<Derivation> all;
    if (valueAt(trace, selection))
        collect(trace, selection.sequence,
                *asSlice(trace.plan(), *regionOf(trace.plan(), selection)), all);
    return all;
}

std::vector<Term> contributionOf(const Trace &trace, const Selection &selection) {
    Selection pair = selection;
    pair.stage = Stage::AttentionWeights;
    const Result<float> weight = valueAt(trace, pair);
    std::vector<Term> terms;
    if (!weight)
        return terms;
    const SharedMatrix values =
        trace.matrix(Stage::Value, selection.attention(), selection.sequence, selection.head);
    if (*selection.key < values.rows)
        for (const float value : values.row(*selection.key))
            terms.push_back({*weight, value});
    return terms;
}

} // namespace headlight::core
