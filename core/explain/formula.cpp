// Writes the formula of a stage.
#include "core/explain/formula.h"

#include "core/explain/explained_step.h"
#include "core/explain/inlined.h"
#include "core/explain/symbol_writer.h"
#include "core/explain/symbols.h"

#include <algorithm>

namespace headlight::core {

namespace {

using Kind = Expression::Kind;

class Formula : private ExplainedStep {
  public:
    Formula(const Trace &trace, const Selection &selection)
        : ExplainedStep(trace, selection),
          m_symbols(trace, selection.sequence, m_region.head, m_line) {}

    Line write() {
        if (m_shown.renames) {
            m_symbols.stage({m_selection.stage, m_selection.attention()});
            if (m_selection.stage == Stage::LayerInput)
                m_line.aside(Note::WhatTheLayerBeforeGave);
            return m_line.take();
        }
        Slice all = sliceAt(m_step); // the formula must hold for every value
        all.row.reset();
        all.column.reset();
        const Meaning meaning = inlinedMeaning(m_trace, m_selection.sequence, all, Inline::All);
        const Expression &x = meaning.inSymbols ? *meaning.inSymbols : meaning.number;
        m_symbols.setOfEachRow(meaning.isOfEachRow);
        if (x.is(Kind::Given)) {
            m_symbols.stage({m_selection.stage, m_selection.attention()});
        } else {
            begin(x);
            m_symbols.expression(x);
        }
        remarks(meaning);
        return m_line.take();
    }

  private:
    /// Writes "Q = ", unless the symbol equals the formula, as in "X + O".
    void begin(const Expression &x) {
        const StageId at{m_selection.stage, m_selection.attention()};
        const std::string own = symbolOf(m_trace, at);
        const bool isOfSource =
            !m_chain.front()->reads.empty() && own == symbolOf(m_trace, source()); // such as E · √8
        if (x.is(Kind::Side) || isOfSource || own.find_first_of("+(") != own.npos ||
            own.find("·") != own.npos)
            return;
        m_symbols.stage(at);
        m_line.plain(" = ");
    }

    void remarks(const Meaning &meaning) {
        std::vector<Note> written;
        const auto has = [&](Note note) {
            return std::ranges::any_of(meaning.remarks, [note](const Remark &one) {
                return one.beside == Remark::Beside::Formula && one.note == note;
            });
        };
        const bool isBoth = has(Note::PositionsAdded) && has(Note::TypesAdded);
        for (const Remark &one : meaning.remarks) {
            const bool isAdded = one.note == Note::PositionsAdded || one.note == Note::TypesAdded;
            const Note note = isBoth && isAdded ? Note::PositionsAndTypesAdded : one.note;
            if (one.beside != Remark::Beside::Formula ||
                std::ranges::find(written, note) != written.end())
                continue;
            written.push_back(note);
            m_line.aside(note, one.arguments);
        }
        if (!m_step.reads.empty() && m_step.heads() > m_plan[m_step.reads[0]].heads() &&
            !m_plan[m_step.reads[0]].isNamed())
            m_line.aside(Note::OfAllHeads);
    }

    LineWriter m_line;
    SymbolWriter m_symbols;
};

} // namespace

Line formulaOf(const Trace &trace, const Selection &selection) {
    const bool isThere = trace.plan().find({selection.stage, selection.attention()}).has_value();
    return isThere ? Formula(trace, selection).write() : Line();
}

} // namespace headlight::core
