#include "core/explain/arithmetic_line.h"

#include "core/explain/symbols.h"
#include "core/transformer/run/operands.h"

namespace headlight::core {

ArithmeticLine::ArithmeticLine(const Trace &trace, const Selection &selection)
    : ExplainedStep(trace, selection),
      m_row(*m_region.row),
      m_role(infoOf(selection.stage).role),
      m_own(matrix({selection.stage, selection.attention()})) {}

Line ArithmeticLine::line() {
    place();
    if (m_shown.renames || !areSourcesThere())
        values();
    else if (const Operation *done = change(); !done || !writeChange(*done))
        operation();
    return m_line.take();
}

void ArithmeticLine::place() {
    // Separate pieces, so that right-to-left tokens do not reorder the rest.
    const Columns columns = infoOf(m_selection.stage).columns;
    const std::optional<Index> column = m_region.column;
    if (m_named.shape.rank() == 2)
        m_line.aside(Note::Sequence, {text(m_row)});
    else
        m_line.name(Piece::Kind::RowName, m_row);
    if (column && columns == Columns::Keys) {
        m_line.asidePlain(" → ");
        m_line.name(Piece::Kind::ColumnName, *column);
    } else if (column && columns == Columns::Words) {
        m_line.asidePlain(" [");
        m_line.name(Piece::Kind::ColumnName, *column);
        m_line.asidePlain("]");
    } else if (column) {
        m_line.asidePlain(" [" + text(*column) + "]");
    }
    m_line.asidePlain(":  ");
}

bool ArithmeticLine::areSourcesThere() const {
    for (std::size_t i = 0; i < m_step.reads.size(); ++i)
        if (isNamed(i) && read(i).empty())
            return false;
    return true;
}

ParameterBlock ArithmeticLine::parameter(std::size_t which) const {
    return which < m_step.parameters.size()
               ? sliceOf(m_trace.model().parameters, m_step.parameters[which], m_step.heads(),
                         m_region.head)
               : ParameterBlock();
}

void ArithmeticLine::rowSum() {
    double total = 0;
    for (const float weight : m_own.row(m_row))
        total += static_cast<double>(weight);
    m_line.plain("  Σ = " + resultText(total));
}

void ArithmeticLine::divisor(const op::Scale &of) {
    if (of.root > 0)
        m_line.plain(" ÷ √" + text(of.root));
    else if (of.divisor != 1)
        m_line.plain(" ÷ " + fullText(of.divisor));
}

void ArithmeticLine::softmax(const op::Softmax &of) {
    const bool divides = of.temperature != 1;
    m_line.plain(divides ? "softmax(" : "softmax");
    const MatrixPart x = read(0);
    m_line.vector(x.row(m_row), roleOfRead(0), m_region.column);
    if (divides)
        m_line.plain(" ÷ " + fullText(of.temperature) + ")");
    m_line.plain(" = ");
    m_line.vector(m_own.row(m_row), m_role, m_region.column);
    if (infoOf(m_selection.stage).overKeys())
        rowSum();
}

void ArithmeticLine::throughUnnamed() {
    if (m_chain.front()->shape.rank() == 2) // pooled
        return values();
    rowOf(matrix(source()), infoOf(source().stage).role);
    for (const Step *step : m_chain) {
        const Operation &operation = step->operation;
        if (std::holds_alternative<op::Linear>(operation)) {
            m_line.plain(" · ");
            m_line.weight(letterOf(step->parameters[0].id.which), m_role);
            if (has(step->parameters[1]))
                m_line.plain(" + b");
            continue;
        }
        if (const auto *of = std::get_if<op::Activate>(&operation)) {
            m_line.plain(", ");
            activationName(of->activation);
        }
        if (const auto *of = std::get_if<op::Normalise>(&operation)) {
            m_line.plain(", ");
            m_line.words(Note::NormName, {text(static_cast<Index>(of->kind))});
        }
    }
    m_line.plain(" → ");
    values();
    if (std::holds_alternative<op::SplitHeads>(m_step.operation))
        m_line.aside(Note::OfAllHeads);
}

} // namespace headlight::core
