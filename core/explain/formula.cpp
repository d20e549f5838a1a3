// Writes a meaning in symbols.
#include "core/explain/formula.h"

#include "core/explain/explained_step.h"
#include "core/explain/inlined.h"
#include "core/explain/line_writer.h"
#include "core/explain/symbols.h"

#include <algorithm>

namespace headlight::core {

namespace {

using Kind = Expression::Kind;
using Axis = Coordinate::Kind;

class Formula : private ExplainedStep {
  public:
    Formula(const Trace &trace, const Selection &selection)
        : ExplainedStep(trace, selection), m_role(infoOf(selection.stage).role) {}

    Line write() {
        if (m_shown.renames) {
            symbolOfStage({m_selection.stage, m_selection.attention()});
            if (m_selection.stage == Stage::LayerInput)
                m_line.aside(Note::WhatTheLayerBeforeGave);
            return m_line.take();
        }
        Slice all = sliceAt(m_step); // the formula is that of every number
        all.row.reset();
        all.column.reset();
        const Meaning meaning = inlinedMeaning(m_trace, m_selection.sequence, all, Inline::All);
        const Expression &x = meaning.inSymbols ? *meaning.inSymbols : meaning.number;
        m_isOfEachRow = meaning.isOfEachRow;
        if (x.is(Kind::Given)) {
            symbolOfStage({m_selection.stage, m_selection.attention()});
        } else {
            begin(x);
            expression(x);
        }
        remarks(meaning);
        return m_line.take();
    }

  private:
    /// Writes "Q = ", unless the symbol says the same as the formula: "X + O".
    void begin(const Expression &x) {
        const std::string own = symbolOf(m_trace, m_selection.stage);
        const bool isOfSource =
            !m_step.reads.empty() && own == symbolOf(m_trace, source().stage); // E · √8
        if (x.is(Kind::Side) || isOfSource || own.find_first_of("+(") != own.npos ||
            own.find("·") != own.npos)
            return;
        symbolOfStage({m_selection.stage, m_selection.attention()});
        m_line.plain(" = ");
    }
    void symbolOfStage(StageId at, const char *after = "") {
        const Role role = infoOf(at.stage).role;
        if (at.stage == Stage::Scores) {
            m_line.symbol("Q", Role::Query);
            m_line.symbol("Kᵀ", Role::Key);
            return;
        }
        m_line.symbol(symbolOf(m_trace, at.stage) + after, role);
        if (m_isOfEachRow)
            m_line.beneath("i", role);
    }

    const Step &stepRead(const Expression &read) const {
        return m_plan[m_plan[read.step].reads[read.which]];
    }
    /// Returns the meaning of a stage that has no symbol of its own: sums of scores, and the heads
    /// side by side.
    std::optional<Expression> inOtherSymbols(const Expression &read) const {
        if (!read.is(Kind::Read))
            return std::nullopt;
        const StepId id = m_plan[read.step].reads[read.which];
        const StageInfo &info = infoOf(m_plan[id].at.stage);
        const bool isSum = info.role == Role::Scores && info.symbol.find('+') != info.symbol.npos;
        if (!isSum && m_plan[id].at.stage != Stage::Concatenated)
            return std::nullopt;
        Meaning meaning =
            inlinedMeaning(m_trace, m_selection.sequence, {id, m_region.head, {}, {}}, Inline::All);
        return meaning.inSymbols ? std::move(*meaning.inSymbols) : std::move(meaning.number);
    }

    bool isSum(const Expression &x) const {
        if (x.is(Kind::Named))
            return x.text.empty() && isSum(x.of[0]);
        if (const auto other = inOtherSymbols(x))
            return isSum(*other);
        if (x.is(Kind::Read))
            return symbolOf(m_trace, stepRead(x).at.stage).find('+') != std::string::npos;
        return x.is(Kind::Add) || x.is(Kind::Subtract) || (x.is(Kind::Sum) && isSum(x.of[0]));
    }
    /// True for what is a matrix with a number for each cell.
    static bool isMatrix(const Expression &x) {
        return x.is(Kind::Named) ? x.text.empty() && isMatrix(x.of[0])
                                 : x.is(Kind::Read) || x.is(Kind::Call) || x.is(Kind::Choose);
    }

    void operand(const Expression &x) {
        const bool brackets = isSum(x);
        m_line.plain(brackets ? "(" : "");
        expression(x);
        m_line.plain(brackets ? ")" : "");
    }
    void expression(const Expression &x) {
        const auto inside = [&](const char *before, const char *after) {
            m_line.plain(before);
            expression(x.of[0]);
            m_line.plain(after);
        };
        switch (x.kind) {
        case Kind::Number:
            return m_line.plain(x.text.empty() ? fullText(static_cast<float>(x.number)) : x.text);
        case Kind::RowIndex:
            return m_line.plain("i");
        case Kind::KeyIndex:
            return m_line.plain("j");
        case Kind::Read:
            if (const auto other = inOtherSymbols(x))
                return expression(*other);
            return symbolOfStage(stepRead(x).at);
        case Kind::Learned:
            return bias(x);
        case Kind::Symbol:
            return symbol(x);
        case Kind::Sum:
            return product(x);
        case Kind::Mean:
            m_line.words(Note::MeanOf);
            m_line.plain(" ");
            return expression(x.of[0]);
        case Kind::Add:
        case Kind::Subtract:
            expression(x.of[0]);
            m_line.plain(x.is(Kind::Add) ? " + " : " − ");
            return expression(x.of[1]);
        case Kind::Multiply:
        case Kind::Divide:
            operand(x.of[0]);
            m_line.plain(x.is(Kind::Divide)                       ? " / "
                         : isMatrix(x.of[0]) && isMatrix(x.of[1]) ? " ⊙ "
                                                                  : " · ");
            return operand(x.of[1]);
        case Kind::Power:
            return square(x);
        case Kind::Negative:
            return inside("−", "");
        case Kind::Absolute:
            return inside("|", "|");
        case Kind::Root:
            return x.of[0].is(Kind::Number) ? inside("√", "") : inside("√(", ")");
        case Kind::Tanh:
            return inside("tanh(", ")");
        case Kind::Choose:
            if (x.name != Note::None)
                return m_line.words(x.name);
            if (!x.text.empty())
                return m_line.symbol(x.text, Role::Scores);
            return expression(x.of[2]);
        case Kind::Named:
            if (x.text.empty())
                return expression(x.of[0]);
            if (x.of[0].is(Kind::Learned) && x.quantity == Quantity::Bias && x.text == "b")
                return m_line.symbol(x.text, roleOf(x.of[0]));
            if (x.quantity == Quantity::Other)
                return m_line.symbol(x.text, Role::Residual);
            return m_line.plain(x.text);
        case Kind::Call:
            return call(x);
        case Kind::Side:
            return sideBySide(x);
        default:
            return;
        }
    }
    void symbol(const Expression &x) {
        if (x.text == "M")
            return m_line.symbol(x.text, Role::Scores);
        m_line.plain(x.text);
        if (m_isOfEachRow)
            m_line.beneath("i", Role::Scores);
    }
    void square(const Expression &x) {
        const Expression &base = x.of[0];
        if (!base.is(Kind::Read))
            return expression(base);
        const StageId at = stepRead(base).at;
        const std::string symbol = symbolOf(m_trace, at.stage);
        m_line.symbol((isSum(base) ? "(" + symbol + ")" : symbol) + "²", infoOf(at.stage).role);
    }
    std::string letterOfParameter(const Expression &learned) const {
        return letterOf(m_plan[learned.step].parameters[learned.which].id.which);
    }
    Role roleOf(const Expression &learned) const { return roleOfParameters(m_plan[learned.step]); }
    void bias(const Expression &learned) {
        const Step &step = m_plan[learned.step];
        m_line.symbol("b", roleOf(learned));
        m_line.beneath(letterOf(step.parameters[0].id.which), roleOf(learned));
    }
    /// Writes Q · Kᵀ, A · V or X · W_Q.
    void product(const Expression &sum) {
        const Expression &left = sum.of[0].of[0], &right = sum.of[0].of[1];
        const bool isTransposed = right.row.kind == Axis::Column;
        expression(left);
        m_line.plain(" · ");
        if (right.is(Kind::Read))
            symbolOfStage(stepRead(right).at, isTransposed ? "ᵀ" : "");
        else if (isTransposed)
            m_line.symbol("Eᵀ", Role::Residual);
        else
            m_line.weight(letterOfParameter(right), roleOf(right));
    }
    void call(const Expression &x) {
        const Expression &argument = x.of[0];
        const bool isPooled = outerSum(x.of[1]) != nullptr;
        if (x.name == Note::NormName && argument.is(Kind::Read))
            return expression(x.of[1]);
        if (x.name == Note::None)
            m_line.plain(x.text);
        else
            m_line.words(x.name, x.arguments);
        m_line.plain(isPooled ? " " : "(");
        expression(argument);
        m_line.plain(isPooled ? "" : ")");
    }
    void sideBySide(const Expression &x) {
        const auto head = [&](const Expression &part) {
            symbolOfStage(stepRead(part).at);
            m_line.beneath(text(*part.head), infoOf(stepRead(part).at.stage).role);
        };
        m_line.plain(x.text + "(");
        head(x.of.front());
        m_line.plain(x.of.size() > 2 ? ", …" : "");
        if (x.of.size() > 1) {
            m_line.plain(", ");
            head(x.of.back());
        }
        m_line.plain(")");
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

    Role m_role;
    bool m_isOfEachRow = false;
    LineWriter m_line;
};

} // namespace

Line formulaOf(const Trace &trace, const Selection &selection) {
    const bool isThere = trace.plan().find({selection.stage, selection.attention()}).has_value();
    return isThere ? Formula(trace, selection).write() : Line();
}

} // namespace headlight::core
