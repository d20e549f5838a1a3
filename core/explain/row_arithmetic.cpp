// The arithmetic of a row, one function per operation.
#include "core/explain/row_arithmetic.h"

#include "core/explain/arithmetic_line.h"
#include "core/explain/statistics.h"
#include "core/explain/symbols.h"

#include <algorithm>
#include <cmath>

namespace headlight::core {

namespace {

class RowArithmetic final : public ArithmeticLine {
  public:
    RowArithmetic(const Trace &trace, const Selection &selection)
        : ArithmeticLine(trace, selection) {}

  private:
    void values() override { m_line.vector(m_own.row(m_row), m_role); }
    void operation() override {
        std::visit([this](const auto &operation) { write(operation); }, m_step.operation);
    }
    /// Writes the row that the operation reads.
    void input() { rowOf(read(0), roleOfRead(0)); }
    void becomesOwn() {
        m_line.plain(" → ");
        values();
    }

    bool writeChange(const Operation &change) override {
        if (std::holds_alternative<op::Zero>(change)) {
            values();
            m_line.aside(Note::Silenced);
        } else if (std::holds_alternative<op::UniformWeights>(change)) {
            values();
            rowSum();
            m_line.aside(Note::UniformOver, {text(visibleKeys())});
        } else if (std::holds_alternative<op::MeanRows>(change)) {
            m_line.words(Note::Mean);
            equalsOwn();
            m_line.aside(Note::MeanOfRealTokens);
        } else { // single cells
            return false;
        }
        return true;
    }

    /// Writes only the values, if their computation is unknown or not written out.
    template <typename Other>
    void write(const Other &) {
        values();
    }

    void write(const op::AddSinusoids &) { embeddingSum(); }
    void write(const op::AddPositions &) { embeddingSum(); }
    void write(const op::AddTokenTypes &) { embeddingSum(); }
    /// E · √C + P + T, as far as the model has them. Only the last of these steps has a name.
    void embeddingSum() {
        rowOf(matrix(source()), m_role);
        for (const Step *step : m_chain)
            addend(*step);
        equalsOwn();
    }
    void addend(const Step &step) {
        if (const auto *of = std::get_if<op::Scale>(&step.operation))
            return m_line.plain("·√" + text(of->root));
        m_line.plain(" + ");
        if (const auto *of = std::get_if<op::AddSinusoids>(&step.operation)) {
            const Matrix all = sinusoidalPositions(m_own.rows, m_own.columns, of->order);
            return m_line.vector(all.view().row(m_row), m_role);
        }
        const ParameterBlock table(parameterOf(m_trace.model().parameters, step.parameters[0].id));
        if (const auto *of = std::get_if<op::AddPositions>(&step.operation))
            return m_line.vector(table.row(m_row + of->offset), m_role);
        const std::vector<Index> &types = batch()[m_selection.sequence].tokenTypes;
        m_line.vector(table.row(types.empty() ? 0 : types[static_cast<std::size_t>(m_row)]),
                      m_role);
    }

    void write(const op::Normalise &of) {
        if (!isNamed(0))
            return throughUnnamed();
        const MatrixPart x = read(0);
        rowOf(x, m_role);
        becomesOwn();
        if (of.kind == NormKind::Batch) // each column has its own statistics
            return;
        const Statistics found = statisticsOf(x.row(m_row), of.kind);
        const std::string deviation = resultText(std::sqrt(found.variance));
        if (of.kind == NormKind::RootMeanSquare)
            m_line.aside(Note::RootMeanSquare, {deviation});
        else
            m_line.aside(Note::MeanAndDeviation, {resultText(found.mean), deviation});
    }

    void write(const op::Linear &of) {
        if (!isNamed(0) || parameter(0).empty())
            return values();
        const Role role = roleOfParameters(m_step);
        input();
        m_line.plain(" · ");
        if (of.transposed)
            m_line.symbol("Eᵀ", role);
        else
            m_line.weight(letterOf(m_step.parameters[0].id.which), role);
        if (const ParameterBlock bias = parameter(1); !bias.empty()) {
            m_line.plain(" + ");
            m_line.vector(bias.row(0), role);
        }
        equalsOwn();
    }

    void write(const op::ApplyRotary &) {
        rowOf(read(0), m_role);
        becomesOwn();
        m_line.aside(Note::TurnedByPosition, {text(m_row)});
    }

    void write(const op::DotProduct &) {
        rowOf(read(0), Role::Query);
        m_line.plain(" · ");
        m_line.symbol("Kᵀ", Role::Key);
        equalsOwn();
    }

    void write(const op::Scale &of) {
        if (!of.divides && of.root > 0)
            return embeddingSum();
        input();
        divisor(of);
        equalsOwn();
    }

    void write(const op::Softcap &of) {
        const std::string limit = fullText(of.limit);
        m_line.plain(limit + "·tanh(");
        input();
        m_line.plain(" ÷ " + limit + ")");
        equalsOwn();
    }

    void write(const op::Mask &of) {
        input();
        if (roleOfRead(0) == Role::Weights) {
            m_line.plain(" ⊙ ");
            eachKey("0", "1");
            equalsOwn();
            return rowSum();
        }
        if (std::isfinite(of.value)) {
            becomesOwn();
            return m_line.aside(Note::StandsForHidden, {fullText(of.value)});
        }
        m_line.plain(" + ");
        eachKey("−∞", "0");
        equalsOwn();
    }
    /// Writes the mask's addend of each score or factor of each weight.
    void eachKey(const std::string &hidden, const std::string &visible) {
        m_line.plain("( ");
        for (Index column = 0; column < m_own.columns; ++column)
            m_line.plain((isHidden(column) ? hidden : visible) + " ");
        m_line.plain(")");
    }

    void write(const op::Softmax &of) { softmax(of); }
    void write(const op::NoSoftmax &of) {
        const MatrixPart x = read(0);
        rowOf(x, Role::Scores);
        if (of.temperature != 1)
            m_line.plain(" ÷ " + fullText(of.temperature));
        // −∞ is not divided; hidden cells become 0.
        if (std::ranges::any_of(x.row(m_row), [](float score) { return std::isinf(score); }))
            becomesOwn();
        else
            equalsOwn();
    }

    void write(const op::WeightedSum &) {
        const MatrixPart weights = read(0);
        for (Index j = 0; j < weights.columns; ++j) {
            m_line.plain(j > 0 ? " + " : "");
            m_line.term(static_cast<double>(weights(m_row, j)), Role::Weights);
            m_line.plain("·");
            m_line.symbol("V", Role::Value);
            m_line.number("[", Role::Value);
            m_line.name(Piece::Kind::ColumnName, j, false);
            m_line.number("]", Role::Value);
        }
        equalsOwn();
    }
    void write(const op::ConcatHeads &) {
        const Index heads = m_plan[m_step.reads[0]].heads();
        const Index size = m_own.columns / heads;
        for (Index head = 0; head < heads; ++head) {
            m_line.plain(head > 0 ? "  " : "");
            m_line.symbol("Z", Role::Context);
            m_line.beneath(text(head), Role::Context);
            m_line.plain(" ");
            rowOf(m_own.columnBlock(head * size, size), Role::Context);
        }
    }

    void write(const op::Add &) {
        rowOf(matrix(source()), m_role);
        for (const Step *step : m_chain) { // a parallel layer adds several
            m_line.plain(" + ");
            rowOf(matrix(m_plan[step->reads[1]].at), m_role);
        }
        equalsOwn();
    }
    void write(const op::SplitHeads &) { throughUnnamed(); }
    void write(const op::Activate &of) {
        if (!isNamed(0))
            return throughUnnamed();
        activationName(of.activation);
        rowOf(read(0), m_role);
        equalsOwn();
    }
    void write(const op::Gate &of) {
        activationName(of.activation);
        rowOf(read(0), m_role);
        m_line.plain(" ⊙ ");
        rowOf(read(1), m_role);
        equalsOwn();
    }
};

} // namespace

Line rowArithmetic(const Trace &trace, const Selection &selection) {
    RowArithmetic arithmetic(trace, selection);
    return arithmetic.isThere() ? arithmetic.line() : Line();
}

} // namespace headlight::core
