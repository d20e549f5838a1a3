#include "core/explain/symbol_writer.h"

#include "core/explain/inlined.h"
#include "core/explain/symbols.h"

namespace headlight::core {

namespace {

using Kind = Expression::Kind;
using Axis = Coordinate::Kind;

/// True if the expression is a matrix, so that products with it are cell by cell.
bool isMatrix(const Expression &x) {
    switch (x.kind) {
    case Kind::Named:
        return x.text.empty() && isMatrix(x.of[0]);
    case Kind::Add:
    case Kind::Subtract:
    case Kind::Multiply:
    case Kind::Divide:
        return isMatrix(x.of[0]);
    default:
        return x.is(Kind::Read) || x.is(Kind::Made) || x.is(Kind::Gradient) || x.is(Kind::Call) ||
               x.is(Kind::Choose);
    }
}

} // namespace

void SymbolWriter::stage(StageId at, const char *after) {
    const Role role = infoOf(at.stage).role;
    if (at.stage == Stage::Scores) {
        m_line.symbol("Q", Role::Query);
        m_line.symbol("Kᵀ", Role::Key);
        return;
    }
    m_line.symbol(symbolOf(m_trace, at) + after, role);
    if (m_isOfEachRow)
        m_line.beneath("i", role);
}

void SymbolWriter::gradient(StageId of) {
    const std::string symbol = symbolOf(m_trace, of);
    const bool brackets = symbol.find(' ') != symbol.npos; // such as X + O
    m_line.plain("∂loss/∂");
    m_line.symbol(brackets ? "(" + symbol + ")" : symbol, infoOf(of.stage).role);
}

/// Returns the step that a Read reads, or whose result a Made or a Gradient refers to.
const Step &SymbolWriter::stepOf(const Expression &x) const {
    return m_plan[x.is(Kind::Read) ? m_plan[x.step].reads[x.which] : x.step];
}

/// Returns the meaning of a stage without its own symbol: sums of scores, and the concatenated
/// heads.
std::optional<Expression> SymbolWriter::inOtherSymbols(const Expression &read) const {
    if (!read.is(Kind::Read))
        return std::nullopt;
    const StepId id = m_plan[read.step].reads[read.which];
    const StageInfo &info = infoOf(m_plan[id].at.stage);
    const bool isSum = info.role == Role::Scores && info.symbol.find('+') != info.symbol.npos;
    if (!isSum && m_plan[id].at.stage != Stage::Concatenated)
        return std::nullopt;
    Meaning meaning = inlinedMeaning(m_trace, m_sequence, {id, m_head, {}, {}}, Inline::All);
    return meaning.inSymbols ? std::move(*meaning.inSymbols) : std::move(meaning.number);
}

bool SymbolWriter::isSum(const Expression &x) const {
    if (x.is(Kind::Named))
        return x.text.empty() && isSum(x.of[0]);
    if (const auto other = inOtherSymbols(x))
        return isSum(*other);
    if (x.is(Kind::Read))
        return symbolOf(m_trace, stepOf(x).at).find('+') != std::string::npos;
    return x.is(Kind::Add) || x.is(Kind::Subtract) || (x.is(Kind::Sum) && isSum(x.of[0]));
}

void SymbolWriter::operand(const Expression &x, bool isDivisor) {
    const bool brackets = isSum(x) || (isDivisor && x.is(Kind::Multiply));
    m_line.plain(brackets ? "(" : "");
    expression(x);
    m_line.plain(brackets ? ")" : "");
}

void SymbolWriter::expression(const Expression &x) {
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
        return stage(stepOf(x).at);
    case Kind::Made:
        return stage(stepOf(x).at);
    case Kind::Gradient:
        return gradient(stepOf(x).at);
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
        return operand(x.of[1], x.is(Kind::Divide));
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
    case Kind::Exponential:
        return inside("exp(", ")");
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
            return m_line.symbol(x.text, roleOfParameters(m_plan[x.of[0].step]));
        if (x.quantity == Quantity::Other)
            return m_line.symbol(x.text, Role::Residual);
        return m_line.plain(x.text);
    case Kind::Call:
        return call(x);
    case Kind::Side:
        return sideBySide(x);
    case Kind::Given:
    case Kind::Table:
    case Kind::Maximum:
    case Kind::Sine:
    case Kind::Cosine:
    case Kind::ErrorFunction:
    case Kind::Positive:
        // These kinds do not occur in formulas.
        return;
    }
}

void SymbolWriter::symbol(const Expression &x) {
    if (x.role)
        return m_line.symbol(x.text, *x.role);
    m_line.plain(x.text);
    if (m_isOfEachRow)
        m_line.beneath("i", Role::Scores);
}

void SymbolWriter::square(const Expression &x) {
    const Expression &base = x.of[0];
    if (!base.is(Kind::Read))
        return expression(base);
    const StageId at = stepOf(base).at;
    const std::string symbol = symbolOf(m_trace, at);
    m_line.symbol((isSum(base) ? "(" + symbol + ")" : symbol) + "²", infoOf(at.stage).role);
}

void SymbolWriter::bias(const Expression &learned) {
    const Step &step = m_plan[learned.step];
    m_line.symbol("b", roleOfParameters(step));
    m_line.beneath(letterOf(step.parameters[0].id.which), roleOfParameters(step));
}

/// Writes Q · Kᵀ, A · V or X · W_Q. If both factors belong to the same row, writes Σ A ⊙ G.
void SymbolWriter::product(const Expression &sum) {
    if (!sum.of[0].is(Kind::Multiply)) {
        m_line.plain("Σ ");
        return operand(sum.of[0], false);
    }
    const Expression &left = sum.of[0].of[0], &right = sum.of[0].of[1];
    const bool isOfRow = right.row.kind == Axis::Row;
    m_line.plain(isOfRow ? "Σ " : "");
    factor(left, left.row.kind == Axis::Summed);
    m_line.plain(isOfRow ? " ⊙ " : " · ");
    factor(right, right.row.kind == Axis::Column);
}

void SymbolWriter::factor(const Expression &x, bool isTransposed) {
    if (x.is(Kind::Learned)) {
        const Step &step = m_plan[x.step];
        const std::string letter = letterOf(step.parameters[x.which].id.which);
        if (letter.empty())
            return m_line.symbol(isTransposed ? "Eᵀ" : "E", Role::Residual);
        m_line.weight(letter, roleOfParameters(step));
        return m_line.plain(isTransposed ? "ᵀ" : "");
    }
    if (!isTransposed)
        return expression(x);
    if (!x.is(Kind::Gradient))
        return stage(stepOf(x).at, "ᵀ");
    m_line.plain("(");
    expression(x);
    m_line.plain(")ᵀ");
}

void SymbolWriter::call(const Expression &x) {
    const Expression &argument = x.of[0];
    const bool isPooled = outerSum(x.of[1]) != nullptr;
    if (x.name == Note::NormName && argument.is(Kind::Read))
        return expression(x.of[1]);
    if (x.name != Note::None)
        m_line.words(x.name, x.arguments);
    m_line.plain(x.text);
    if (argument.is(Kind::Symbol))
        return;
    m_line.plain(isPooled ? " " : "(");
    expression(argument);
    if (partNamed(x.of[1], Quantity::Sink)) {
        m_line.plain(", ");
        m_line.symbol("s", Role::Scores);
        if (const float temperature = m_trace.model().config.temperature; temperature != 1)
            m_line.plain(" / " + fullText(temperature));
    }
    m_line.plain(isPooled ? "" : ")");
}

void SymbolWriter::sideBySide(const Expression &x) {
    const auto head = [&](const Expression &part) {
        stage(stepOf(part).at);
        if (part.head)
            m_line.beneath(std::to_string(*part.head), infoOf(stepOf(part).at.stage).role);
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

} // namespace headlight::core
