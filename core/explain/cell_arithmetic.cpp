// The arithmetic of a cell, one function per operation.
#include "core/explain/cell_arithmetic.h"

#include "core/explain/arithmetic_line.h"
#include "core/explain/derivation.h"
#include "core/explain/symbols.h"

#include <algorithm>
#include <cmath>

namespace headlight::core {

namespace {

class CellArithmetic final : public ArithmeticLine {
  public:
    CellArithmetic(const Trace &trace, const Selection &selection)
        : ArithmeticLine(trace, selection),
          m_column(*m_region.column),
          m_derivations(derivationsOf(trace, selection)) {
        if (!m_derivations.empty())
            m_cell = m_derivations.back();
    }

  private:
    using Q = Quantity;

    double own() const { return at(m_own); }
    double at(const MatrixPart &matrix) const {
        return static_cast<double>(matrix(m_row, m_column));
    }
    bool isHidden() const { return ArithmeticLine::isHidden(m_column); }
    void values() override { m_line.result(own()); }
    void operation() override {
        std::visit([this](const auto &operation) { write(operation); }, m_step.operation);
    }
    void number(double value, Role role) { m_line.number(resultText(value), role); }
    /// Writes the operation's input at the same cell.
    void input() { number(at(read(0)), roleOfRead(0)); }
    /// Writes the sum of products.
    void terms(Role left, Role right) {
        for (const Term &term : m_cell.terms) {
            m_line.plain(&term != m_cell.terms.data() ? " + " : "");
            m_line.product(static_cast<double>(term.left), left, static_cast<double>(term.right),
                           right);
        }
    }

    bool writeChange(const Operation &change) override {
        if (std::holds_alternative<op::Zero>(change)) {
            values();
            m_line.aside(Note::Silenced);
        } else if (std::holds_alternative<op::UniformWeights>(change)) {
            uniform();
        } else if (std::holds_alternative<op::MeanRows>(change)) {
            mean();
        } else {
            const auto &cells = std::get<op::SetCells>(change).cells;
            if (std::ranges::none_of(cells, [this](const op::SetCells::Cell &cell) {
                    return cell.row == m_row && cell.column == m_column;
                }))
                return false;
            values();
            m_line.aside(Note::SetByHand, {resultText(sumOf(m_cell.terms))});
        }
        return true;
    }
    void uniform() {
        if (isHidden()) {
            values();
            return m_line.aside(Note::Hidden);
        }
        const std::string visible = text(visibleKeys());
        m_line.plain("1 ÷ " + visible);
        equalsOwn();
        m_line.aside(Note::UniformOver, {visible});
    }
    void mean() {
        m_line.words(Note::Mean);
        m_line.plain("( ");
        for (const Term &term : m_cell.terms) {
            m_line.term(static_cast<double>(term.left), m_role);
            m_line.plain(" ");
        }
        m_line.plain(")");
        equalsOwn();
        m_line.aside(Note::MeanOfRealTokens);
    }

    /// Writes only the value, if its computation is unknown or not written out.
    template <typename Other>
    void write(const Other &) {
        values();
    }

    void write(const op::AddSinusoids &) { embeddingSum(); }
    void write(const op::AddPositions &) { embeddingSum(); }
    void write(const op::AddTokenTypes &) { embeddingSum(); }
    /// E · √C + P + T, as far as the model has them. Only the last of these steps has a name.
    void embeddingSum() {
        m_line.term(m_derivations.front().number(Q::Input), m_role);
        for (const Derivation &step : m_derivations) {
            if (const auto *of = std::get_if<op::Scale>(step.by)) {
                m_line.plain("·√" + text(of->root));
            } else {
                m_line.plain(" + ");
                m_line.bracketed(step.number(Q::Other), m_role);
            }
        }
        equalsOwn();
    }

    void write(const op::Normalise &of) {
        if (!isNamed(0))
            return throughUnnamed();
        const auto mean = m_cell.find(Q::Mean);
        m_line.plain(mean ? "(" : "");
        m_line.term(m_cell.number(Q::Input), m_role);
        if (mean)
            m_line.plain((*mean < 0 ? " + " : " − ") + resultText(std::abs(*mean)) + ")");
        m_line.plain(" / √(" + resultText(m_cell.number(Q::Variance)) + " + " +
                     fullText(of.epsilon) + ")");
        if (const auto gain = m_cell.find(Q::Gain))
            m_line.plain("·" + LineWriter::inBrackets(*gain));
        if (const auto bias = m_cell.find(Q::Bias))
            m_line.plain(" + " + LineWriter::inBrackets(*bias));
        equalsOwn();
        if (of.kind == NormKind::Batch)
            m_line.aside(Note::StatisticsOfBatch);
    }

    void write(const op::Linear &of) {
        if (!isNamed(0) || !m_cell.matrix)
            return values();
        const Role role = roleOfParameters(m_step);
        terms(roleOfRead(0), role);
        if (const auto bias = m_cell.find(Q::Bias)) {
            m_line.plain(" + ");
            m_line.bracketed(*bias, role);
        }
        equalsOwn();
        if (of.transposed)
            m_line.aside(Note::RowOfEmbeddings, {text(m_cell.matrixColumn)});
        else
            m_line.aside(Note::ColumnOf,
                         {text(m_cell.matrixColumn), letterOf(m_step.parameters[0].id.which)});
    }

    /// A pair of dimensions is rotated: x·cos φ − y·sin φ.
    void write(const op::ApplyRotary &) {
        const auto other = m_cell.find(Q::Other);
        const auto partner = m_cell.whole(Q::OtherIndex);
        if (!other || !partner) {
            number(m_cell.number(Q::Input), m_role);
            equalsOwn();
            return m_line.aside(Note::DoesNotTurn);
        }
        const char *sign = m_column < *partner ? "−" : "+";
        m_line.product(m_cell.number(Q::Input), m_role, m_cell.number(Q::Cosine), Role::Scores);
        m_line.plain(std::string(" ") + sign + " ");
        m_line.bracketed(*other, m_role);
        m_line.plain("·");
        m_line.bracketed(m_cell.number(Q::Sine), Role::Scores);
        equalsOwn();
        m_line.aside(Note::TurnsWith, {text(*partner), sign, text(m_row)});
    }

    void write(const op::DotProduct &) {
        terms(Role::Query, Role::Key);
        equalsOwn();
    }
    void write(const op::WeightedSum &) {
        terms(Role::Weights, Role::Value);
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
    void write(const op::AlibiBias &of) {
        m_line.plain("−" + fullText(of.slopes[static_cast<std::size_t>(m_region.head)]) + "·|" +
                     text(m_row) + " − " + text(m_column) + "|");
        equalsOwn();
    }
    void write(const op::RelativeBias &) {
        m_line.words(Note::BucketOfDistance,
                     {m_cell.wholeText(Q::Bucket), m_cell.wholeText(Q::Distance)});
        equalsOwn();
    }

    void write(const op::Mask &of) {
        input();
        if (roleOfRead(0) == Role::Weights) {
            m_line.plain(isHidden() ? "·0" : "·1");
            return equalsOwn();
        }
        if (!std::isfinite(of.value)) {
            m_line.plain(isHidden() ? " + (−∞)" : " + 0");
            return equalsOwn();
        }
        m_line.plain(" → ");
        values();
        if (isHidden())
            m_line.aside(Note::StandsForHidden, {fullText(of.value)});
    }

    /// For a word: exp(logit − largest) ÷ the sum over all words. For a key: the whole row.
    void write(const op::Softmax &of) {
        if (infoOf(m_selection.stage).columns != Columns::Words)
            return softmax(of);
        const double largest = m_cell.number(Q::Maximum);
        m_line.plain("exp(");
        number(m_cell.number(Q::Input), Role::Logits);
        m_line.plain(" − ");
        m_line.number(largest < 0 ? "(" + resultText(largest) + ")" : resultText(largest),
                      Role::Logits);
        m_line.plain(") ÷ " + resultText(m_cell.number(Q::Sum)));
        equalsOwn();
        m_line.aside(Note::SumOverWords, {text(m_own.columns)});
    }
    void write(const op::NoSoftmax &of) {
        input();
        if (of.temperature != 1)
            m_line.plain(" ÷ " + fullText(of.temperature));
        m_line.plain(std::isinf(at(read(0))) ? " → " : " = "); // −∞ is not divided; the result is 0
        values();
    }

    void write(const op::ConcatHeads &) {
        const Index size = m_own.columns / m_plan[m_step.reads[0]].heads();
        const Index head = m_column / size;
        m_line.symbol("Z", Role::Context);
        m_line.beneath(text(head), Role::Context);
        m_line.number("[", Role::Context);
        m_line.name(Piece::Kind::RowName, m_row, false);
        m_line.number(", " + text(m_column % size) + "]", Role::Context);
        equalsOwn();
        m_line.aside(Note::MadeByHead, {text(head)});
    }

    void write(const op::Add &) {
        if (m_role == Role::Scores)
            input();
        else
            m_line.term(at(matrix(source())), m_role);
        for (const Step *step : m_chain) { // a parallel layer adds more than one
            m_line.plain(" + ");
            m_line.bracketed(at(matrix(m_plan[step->reads[1]].at)), m_role);
        }
        equalsOwn();
    }
    void write(const op::SplitHeads &) { throughUnnamed(); }
    void write(const op::Activate &of) {
        if (!isNamed(0))
            return throughUnnamed();
        activated(of.activation);
        equalsOwn();
    }
    void write(const op::Gate &of) {
        activated(of.activation);
        m_line.plain("·");
        m_line.bracketed(at(read(1)), m_role);
        equalsOwn();
    }
    void activated(Activation activation) {
        activationName(activation);
        m_line.plain("(");
        number(at(read(0)), m_role);
        m_line.plain(")");
    }

    Index m_column;
    std::vector<Derivation> m_derivations;
    Derivation m_cell; ///< the last derivation
};

} // namespace

Line cellArithmetic(const Trace &trace, const Selection &selection) {
    CellArithmetic arithmetic(trace, selection);
    return arithmetic.isThere() ? arithmetic.line() : Line();
}

} // namespace headlight::core
