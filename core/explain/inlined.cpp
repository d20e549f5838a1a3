#include "core/explain/inlined.h"

#include "core/explain/evaluation.h"
#include "core/transformer/run/operands.h"

#include <algorithm>
#include <iterator>

namespace headlight::core {

namespace {

using Kind = Expression::Kind;

bool isOwnNumber(const Expression &read) {
    return read.row.kind == Coordinate::Kind::Row && read.column.kind == Coordinate::Kind::Column;
}

/// True if the expression only adds and scales values at the same position.
bool isEachNumber(const Expression &x) {
    if (x.is(Kind::Sum) || x.is(Kind::Mean) || x.is(Kind::Call))
        return false;
    return std::ranges::all_of(x.of, isEachNumber);
}

/// Sets the step of named parts, so that parts of different steps can be distinguished.
void setStep(Expression &x, StepId step) {
    if (x.is(Kind::Named))
        x.step = step;
    for (Expression &part : x.of)
        setStep(part, step);
}

class Inlining {
  public:
    Inlining(const Trace &trace, Index sequence, const Slice &made, Inline which)
        : m_trace(trace), m_sequence(sequence), m_made(made), m_which(which) {}

    Meaning make() {
        Meaning meaning = meaningOf(m_trace, m_sequence, m_made);
        m_isCopy = meaning.number.is(Kind::Read);
        write(meaning.number);
        if (meaning.inSymbols)
            write(*meaning.inSymbols);
        meaning.remarks.insert(meaning.remarks.begin(), m_remarks.begin(), m_remarks.end());
        return meaning;
    }

  private:
    /// Inlines the argument of a function. The body then reads the new stage too, if the argument
    /// is a single stage before and after.
    void writeArgument(Expression &call) {
        const Expression before = call.of[0];
        write(call.of[0]);
        if (before.is(Kind::Read) && call.of[0].is(Kind::Read))
            readInstead(call.of[1], before, call.of[0]);
    }
    static void readInstead(Expression &x, const Expression &before, const Expression &now) {
        if (x.is(Kind::Read) && x.step == before.step && x.which == before.which) {
            x.step = now.step;
            x.which = now.which;
        }
        for (Expression &part : x.of)
            readInstead(part, before, now);
    }
    void write(Expression &x) {
        const Plan &plan = m_trace.plan();
        if (x.is(Kind::Call) && m_which == Inline::All)
            return writeArgument(x);
        for (Expression &part : x.of)
            write(part);
        if (!x.is(Kind::Read))
            return;
        const Step &reader = plan[x.step];
        const StepId read = reader.reads[x.which];
        if (plan[read].isNamed())
            return;
        const Slice slice{read,
                          headRead(m_made.head, plan[m_made.step].heads(), plan[read].heads()),
                          m_made.row, m_made.column};
        Meaning inner = meaningOf(m_trace, m_sequence, slice);
        if (m_which == Inline::EachNumber && (!isOwnNumber(x) || !isEachNumber(inner.number)))
            return;
        if (isEachNumber(inner.number) || m_isCopy)
            std::ranges::copy_if(
                inner.remarks, std::back_inserter(m_remarks),
                [](const Remark &one) { return one.beside == Remark::Beside::Formula; });
        setStep(inner.number, read);
        if (inner.number.is(Kind::Side)) { // the stage's symbol replaces its heads
            x = inner.number.of[0];
            x.head.reset();
        } else {
            x = inner.inSymbols && m_which == Inline::All ? *inner.inSymbols : inner.number;
        }
        write(x);
    }

    const Trace &m_trace;
    Index m_sequence;
    Slice m_made;
    Inline m_which;
    bool m_isCopy = false; ///< the meaning only copies a value
    std::vector<Remark> m_remarks;
};

} // namespace

Meaning inlinedMeaning(const Trace &trace, Index sequence, const Slice &made, Inline which) {
    return Inlining(trace, sequence, made, which).make();
}

bool readsUnnamed(const Plan &plan, const Expression &x) {
    bool found = false;
    forEachRead(x, [&](const Expression &read) {
        found |= !plan[plan[read.step].reads[read.which]].isNamed();
    });
    return found;
}

} // namespace headlight::core
