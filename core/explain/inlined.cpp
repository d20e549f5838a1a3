#include "core/explain/inlined.h"

#include "core/explain/evaluation.h"
#include "core/transformer/run/operands.h"

#include <algorithm>

namespace headlight::core {

namespace {

using Kind = Expression::Kind;

bool isOwnNumber(const Expression &read) {
    return read.row.kind == Coordinate::Kind::Row && read.column.kind == Coordinate::Kind::Column;
}

/// True for sums and scales of numbers at the same place.
bool isEachNumber(const Expression &x) {
    if (x.is(Kind::Sum) || x.is(Kind::Mean) || x.is(Kind::Call))
        return false;
    return std::ranges::all_of(x.of, isEachNumber);
}

/// Tells apart the named parts of different steps.
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
        write(meaning.number);
        if (meaning.inSymbols)
            write(*meaning.inSymbols);
        meaning.remarks.insert(meaning.remarks.begin(), m_remarks.begin(), m_remarks.end());
        return meaning;
    }

  private:
    void write(Expression &x) {
        const Plan &plan = m_trace.plan();
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
        for (const Remark &one : inner.remarks)
            if (one.beside == Remark::Beside::Formula)
                m_remarks.push_back(one);
        setStep(inner.number, read);
        x = inner.inSymbols && m_which == Inline::All ? *inner.inSymbols : inner.number;
        write(x);
    }

    const Trace &m_trace;
    Index m_sequence;
    Slice m_made;
    Inline m_which;
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
