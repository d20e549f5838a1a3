// One function an operation: its arithmetic for a cell and for a row.
#include "core/explain/arithmetic.h"

#include "core/explain/derivation.h"
#include "core/explain/explained_step.h"
#include "core/explain/line_writer.h"
#include "core/explain/statistics.h"
#include "core/explain/symbols.h"
#include "core/transformer/run/operands.h"

#include <algorithm>
#include <cmath>

namespace headlight::core {

namespace {

double asDouble(float number) {
    return static_cast<double>(number);
}

class Arithmetic : private ExplainedStep {
  public:
    Arithmetic(const Trace &trace, const Selection &selection)
        : ExplainedStep(trace, selection),
          m_row(*m_region.row),
          m_column(m_region.column),
          m_role(infoOf(selection.stage).role),
          m_own(matrix({selection.stage, selection.site()})) {
        if (auto derivations = derivationsOf(trace, selection); !derivations.empty())
            m_cell = std::move(derivations.back());
    }

    bool isThere() const { return m_row >= 0 && m_row < m_own.rows; }

    Line write() {
        place();
        if (m_shown.renames || !areSourcesThere())
            values();
        else if (const Operation *done = change(); !done || !writeChange(*done))
            std::visit([this](const auto &operation) { write(operation); }, m_step.operation);
        return m_line.take();
    }

  private:
    /// Of the sequence and the selection's head.
    SharedMatrix matrix(StageAt at) const {
        return m_trace.matrix(at.stage, at.site, m_selection.sequence, m_selection.head);
    }
    SharedMatrix read(std::size_t which) const { return matrix(readAt(which)); }
    /// A trace that could not be made has none.
    bool areSourcesThere() const {
        for (std::size_t i = 0; i < m_step.reads.size(); ++i)
            if (isNamed(i) && read(i).empty())
                return false;
        return true;
    }
    double own() const { return asDouble(m_own(m_row, *m_column)); }
    const Batch &batch() const { return m_trace.input().of(m_step.at.site.stack); }
    const Mask &mask() const { return m_trace.mask(m_selection.sequence, m_selection.site()); }
    bool isHidden(Index column) const { return mask().hidden(m_row, column); }

    /// "mat → cat:  ", "mat [3]:  ".
    void place() {
        // In pieces from left to right: a word written from the right must not turn the others.
        const Columns columns = infoOf(m_selection.stage).columns;
        if (m_named.shape.rank() == 2)
            m_line.aside(Note::Sequence);
        m_line.name(Piece::Kind::RowName, m_row);
        if (m_column && columns == Columns::Keys) {
            m_line.asidePlain(" → ");
            m_line.name(Piece::Kind::ColumnName, *m_column);
        } else if (m_column && columns == Columns::Words) {
            m_line.asidePlain(" [");
            m_line.name(Piece::Kind::ColumnName, *m_column);
            m_line.asidePlain("]");
        } else if (m_column) {
            m_line.asidePlain(" [" + text(*m_column) + "]");
        }
        m_line.asidePlain(":  ");
    }

    /// The numbers as they are.
    void values() {
        if (m_column)
            m_line.result(own());
        else
            m_line.vector(m_own.row(m_row), m_role);
    }
    void rowOf(const SharedMatrix &from, Role role) { m_line.vector(from.row(m_row), role); }
    /// The number of the selected cell, or the row.
    void cellOrRow(const SharedMatrix &from, Role role) {
        if (m_column)
            m_line.number(resultText(asDouble(from(m_row, *m_column))), role);
        else
            rowOf(from, role);
    }
    void equalsOwn() {
        m_line.plain(" = ");
        values();
    }

    /// False: it is as the operation made it.
    bool writeChange(const Operation &change) {
        if (std::holds_alternative<op::Zero>(change)) {
            values();
            m_line.aside(Note::Silenced);
        } else if (std::holds_alternative<op::UniformWeights>(change)) {
            uniform();
        } else if (std::holds_alternative<op::MeanRows>(change)) {
            mean();
        } else {
            const auto &cells = std::get<op::SetCells>(change).cells;
            const bool isSet = std::ranges::any_of(cells, [&](const op::SetCells::Cell &cell) {
                return cell.row == m_row && m_column == cell.column;
            });
            if (!isSet)
                return false;
            values();
            m_line.aside(Note::SetByHand, {resultText(sumOf(m_cell.terms))});
        }
        return true;
    }
    void uniform() {
        Index visible = 0;
        for (Index column = 0; column < m_own.columns; ++column)
            visible += isHidden(column) ? 0 : 1;
        if (!m_column) {
            values();
            rowSum();
        } else if (isHidden(*m_column)) {
            values();
            return m_line.aside(Note::Hidden);
        } else {
            m_line.plain("1 ÷ " + text(visible));
            m_line.equals(own());
        }
        m_line.aside(Note::UniformOver, {text(visible)});
    }
    void mean() {
        m_line.words(Note::Mean);
        if (m_column) {
            m_line.plain("( ");
            for (const Term &term : m_cell.terms) {
                m_line.term(asDouble(term.left), m_role);
                m_line.plain(" ");
            }
            m_line.plain(")");
        }
        equalsOwn();
        m_line.aside(Note::MeanOfRealTokens);
    }

    /// Nothing is known of how it was made, or it is not written out.
    template <typename Other>
    void write(const Other &) {
        values();
    }

    void write(const op::AddSinusoids &) { embeddingSum(); }
    void write(const op::AddPositions &) { embeddingSum(); }
    void write(const op::AddTokenTypes &) { embeddingSum(); }

    /// E · √C + P + T, as far as the model has them: steps that have no name but the last one's.
    void embeddingSum() {
        const SharedMatrix words = matrix(source());
        termOrRow(words, m_row);
        for (const Step *step : m_chain)
            addend(*step);
        equalsOwn();
    }
    void addend(const Step &step) {
        if (std::holds_alternative<op::Scale>(step.operation))
            return m_line.plain("·√" + text(std::get<op::Scale>(step.operation).root));
        m_line.plain(" + ");
        if (const auto *of = std::get_if<op::AddSinusoids>(&step.operation)) {
            const Matrix all = sinusoidalPositions(m_own.rows, m_own.columns, of->order);
            return bracketedOrRow(all.view(), m_row);
        }
        const MatrixView table =
            parameterOf(m_trace.model().weights, step.parameters[0].id)->view();
        if (const auto *of = std::get_if<op::AddPositions>(&step.operation))
            return bracketedOrRow(table, m_row + of->offset);
        const std::vector<Index> &types = batch()[m_selection.sequence].tokenTypes;
        bracketedOrRow(table, types.empty() ? 0 : types[static_cast<std::size_t>(m_row)]);
    }
    void termOrRow(MatrixView from, Index row) {
        if (m_column)
            m_line.term(asDouble(from(row, *m_column)), m_role);
        else
            m_line.vector(from.row(row), m_role);
    }
    void bracketedOrRow(MatrixView from, Index row) {
        if (m_column)
            m_line.bracketed(asDouble(from(row, *m_column)), m_role);
        else
            m_line.vector(from.row(row), m_role);
    }

    void write(const op::Normalise &of) {
        if (!isNamed(0))
            return throughUnnamed();
        const SharedMatrix x = read(0);
        const bool isBatch = of.kind == NormKind::Batch;
        const bool centred = of.kind != NormKind::RootMeanSquare;
        if (!m_column && isBatch) { // each column has its own
            rowOf(x, m_role);
            m_line.plain(" → ");
            return values();
        }
        const Statistics found = statisticsOf(normedTogether(x, isBatch), of.kind);
        const std::string deviation = resultText(std::sqrt(found.variance));
        if (!m_column) {
            rowOf(x, m_role);
            m_line.plain(" → ");
            values();
            return centred
                       ? m_line.aside(Note::MeanAndDeviation, {resultText(found.mean), deviation})
                       : m_line.aside(Note::RootMeanSquare, {deviation});
        }
        m_line.plain(centred ? "(" : "");
        m_line.term(asDouble(x(m_row, *m_column)), m_role);
        if (centred)
            m_line.plain((found.mean < 0 ? " + " : " − ") + resultText(std::abs(found.mean)) + ")");
        m_line.plain(" / √(" + resultText(found.variance) + " + " + fullText(of.epsilon) + ")");
        if (const MatrixView gain = parameter(0); !gain.empty())
            m_line.plain("·" + LineWriter::inBrackets(asDouble(gain(0, *m_column))));
        if (const MatrixView bias = parameter(1); !bias.empty() && centred)
            m_line.plain(" + " + LineWriter::inBrackets(asDouble(bias(0, *m_column))));
        m_line.equals(own());
        if (isBatch)
            m_line.aside(Note::StatisticsOfBatch);
    }
    /// The row; of batch norm the column over all real tokens of the batch.
    std::vector<float> normedTogether(const SharedMatrix &x, bool isBatch) const {
        std::vector<float> numbers;
        if (!isBatch) {
            const auto row = x.row(m_row);
            return {row.begin(), row.end()};
        }
        const Batch &all = m_trace.input().of(readAt(0).site.stack);
        const Tensor tensor = m_trace.stage(readAt(0).stage, readAt(0).site);
        for (Index b = 0; b < all.count(); ++b)
            for (Index t = 0; t < all[b].length; ++t)
                numbers.push_back(tensor.view(b)(t, *m_column));
        return numbers;
    }
    MatrixView parameter(std::size_t which) const {
        return which < m_step.parameters.size()
                   ? sliceOf(m_trace.model().weights, m_step.parameters[which], m_step.heads(),
                             m_region.head)
                   : MatrixView();
    }

    /// What is between the last stage and this one has no name: the row before and the row after.
    void throughUnnamed() {
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
            m_line.plain(", ");
            if (const auto *of = std::get_if<op::Activate>(&operation))
                m_line.words(Note::ActivationName, {text(static_cast<Index>(of->activation))});
            if (const auto *of = std::get_if<op::Normalise>(&operation))
                m_line.words(Note::NormName, {text(static_cast<Index>(of->kind))});
        }
        m_line.plain(" → ");
        values();
    }

    void write(const op::Linear &of) {
        const MatrixView weight = parameter(0), bias = parameter(1);
        if (!isNamed(0) || weight.empty())
            return values();
        const SharedMatrix x = read(0);
        const Role role = roleOfParameters(m_step);
        const std::string letter = letterOf(m_step.parameters[0].id.which);
        if (!m_column) {
            rowOf(x, roleOfRead(0));
            m_line.plain(" · ");
            if (of.transposed)
                m_line.symbol("Eᵀ", role);
            else
                m_line.weight(letter, role);
            if (!bias.empty()) {
                m_line.plain(" + ");
                m_line.vector(bias.row(0), role);
            }
            m_line.plain(" = ");
            return m_line.vector(m_own.row(m_row), role);
        }
        terms(roleOfRead(0), role);
        if (const auto added = m_cell.find(Quantity::Bias)) {
            m_line.plain(" + ");
            m_line.bracketed(*added, role);
        }
        m_line.equals(own());
        if (of.transposed)
            m_line.aside(Note::RowOfEmbeddings, {text(m_cell.matrixColumn)});
        else
            m_line.aside(Note::ColumnOf, {text(m_cell.matrixColumn), letter});
    }
    /// The products that are added.
    void terms(Role left, Role right) {
        for (const Term &term : m_cell.terms) {
            m_line.plain(&term != m_cell.terms.data() ? " + " : "");
            m_line.product(asDouble(term.left), left, asDouble(term.right), right);
        }
    }

    /// A pair of dimensions turns as the hand of a clock does: x·cos φ − y·sin φ.
    void write(const op::Rotate &of) {
        const SharedMatrix x = read(0);
        if (!m_column) {
            rowOf(x, m_role);
            m_line.plain(" → ");
            values();
            return m_line.aside(Note::TurnedByPosition, {text(m_row)});
        }
        const auto pairs = static_cast<Index>(of.turns.frequencies.size());
        if (*m_column >= 2 * pairs) {
            m_line.number(resultText(asDouble(x(m_row, *m_column))), m_role);
            m_line.equals(own());
            return m_line.aside(Note::DoesNotTurn);
        }
        const Index other = (*m_column + pairs) % (2 * pairs);
        const bool isFirst = *m_column < pairs;
        m_line.product(m_cell.number(Quantity::Input), m_role, m_cell.number(Quantity::Cosine),
                       Role::Scores);
        m_line.plain(isFirst ? " − " : " + ");
        m_line.bracketed(m_cell.number(Quantity::Other), m_role);
        m_line.plain("·");
        m_line.bracketed(m_cell.number(Quantity::Sine), Role::Scores);
        m_line.equals(own());
        m_line.aside(Note::TurnsWith, {text(other), isFirst ? "−" : "+", text(m_row)});
    }

    void write(const op::DotProduct &) {
        if (!m_column) {
            rowOf(read(0), Role::Query);
            m_line.plain(" · ");
            m_line.symbol("Kᵀ", Role::Key);
            return equalsOwn();
        }
        terms(Role::Query, Role::Key);
        m_line.equals(own());
    }

    void write(const op::Scale &of) {
        if (!of.divides && of.root > 0)
            return embeddingSum();
        cellOrRow(read(0), roleOfRead(0));
        if (of.root > 0)
            m_line.plain(" ÷ √" + text(of.root));
        else if (of.divisor != 1)
            m_line.plain(" ÷ " + fullText(of.divisor));
        equalsOwn();
    }

    void write(const op::AlibiBias &of) {
        if (!m_column)
            return values();
        m_line.plain("−" + fullText(of.slopes[static_cast<std::size_t>(m_region.head)]) + "·|" +
                     text(m_row) + " − " + text(*m_column) + "|");
        m_line.equals(own());
    }
    void write(const op::RelativeBias &of) {
        if (!m_column)
            return values();
        const Index distance = *m_column - m_row;
        m_line.words(Note::BucketOfDistance,
                     {text(relativeBucket(distance, of.config, of.bothWays)), text(distance)});
        m_line.equals(own());
    }

    void write(const op::Mask &of) {
        if (roleOfRead(0) == Role::Weights)
            return maskWeights();
        const SharedMatrix scores = read(0);
        if (std::isfinite(of.value)) {
            cellOrRow(scores, Role::Scores);
            m_line.plain(" → ");
            values();
            if (!m_column || isHidden(*m_column))
                m_line.aside(Note::StandsForHidden, {fullText(of.value)});
            return;
        }
        cellOrRow(scores, Role::Scores);
        m_line.plain(" + ");
        eachKey("−∞", "0", "(−∞)");
        equalsOwn();
    }
    void maskWeights() {
        cellOrRow(read(0), Role::Weights);
        m_line.plain(m_column ? "·" : " ⊙ ");
        eachKey("0", "1", "0");
        equalsOwn();
        if (!m_column)
            rowSum();
    }
    /// What the mask adds to each score, or takes each weight times.
    void eachKey(const std::string &hidden, const std::string &visible,
                 const std::string &hiddenAlone) {
        if (m_column)
            return m_line.plain(isHidden(*m_column) ? hiddenAlone : visible);
        m_line.plain("( ");
        for (Index column = 0; column < m_own.columns; ++column)
            m_line.plain((isHidden(column) ? hidden : visible) + " ");
        m_line.plain(")");
    }
    void rowSum() {
        double total = 0;
        for (const float weight : m_own.row(m_row))
            total += asDouble(weight);
        m_line.plain("  Σ = " + resultText(total));
    }

    void write(const op::Softmax &of) {
        const SharedMatrix x = read(0);
        if (infoOf(m_selection.stage).columns == Columns::Words && m_column)
            return share();
        const bool divides = of.temperature != 1;
        m_line.plain(divides ? "softmax(" : "softmax");
        m_line.vector(x.row(m_row), roleOfRead(0), m_column);
        if (divides)
            m_line.plain(" ÷ " + fullText(of.temperature) + ")");
        m_line.plain(" = ");
        m_line.vector(m_own.row(m_row), m_role, m_column);
        if (infoOf(m_selection.stage).overKeys())
            rowSum();
    }
    /// e^(logit − largest) ÷ their sum over all words.
    void share() {
        const double largest = m_cell.number(Quantity::Maximum);
        m_line.plain("e^(");
        m_line.number(resultText(m_cell.number(Quantity::Input)), Role::Logits);
        m_line.plain(" − ");
        m_line.number(largest < 0 ? "(" + resultText(largest) + ")" : resultText(largest),
                      Role::Logits);
        m_line.plain(") ÷ " + resultText(m_cell.number(Quantity::Sum)));
        m_line.equals(own());
        m_line.aside(Note::SumOverWords, {text(m_own.columns)});
    }
    void write(const op::NoSoftmax &of) {
        const SharedMatrix x = read(0);
        cellOrRow(x, Role::Scores);
        if (of.temperature != 1)
            m_line.plain(" ÷ " + fullText(of.temperature));
        const auto isInfinite = [](float score) { return std::isinf(score); };
        // −∞ is not divided: what it hides is 0.
        const bool hides = m_column ? isInfinite(x(m_row, *m_column))
                                    : std::ranges::any_of(x.row(m_row), isInfinite);
        m_line.plain(hides ? " → " : " = ");
        values();
    }

    void write(const op::Mix &) {
        if (m_column) {
            terms(Role::Weights, Role::Value);
            return equalsOwn();
        }
        const SharedMatrix weights = read(0);
        for (Index j = 0; j < weights.columns; ++j) {
            m_line.plain(j > 0 ? " + " : "");
            m_line.term(asDouble(weights(m_row, j)), Role::Weights);
            m_line.plain("·");
            m_line.symbol("V", Role::Value);
            m_line.number("[", Role::Value);
            m_line.name(Piece::Kind::ColumnName, j, false);
            m_line.number("]", Role::Value);
        }
        equalsOwn();
    }
    void write(const op::Concatenate &) {
        const Index heads = m_plan[m_step.reads[0]].heads();
        const Index size = m_own.columns / heads;
        const auto head = [this](Index which) {
            m_line.symbol("Z", Role::Context);
            m_line.beneath(text(which), Role::Context);
        };
        if (m_column) {
            head(*m_column / size);
            m_line.number("[", Role::Context);
            m_line.name(Piece::Kind::RowName, m_row, false);
            m_line.number(", " + text(*m_column % size) + "]", Role::Context);
            m_line.equals(own());
            return m_line.aside(Note::MadeByHead, {text(*m_column / size)});
        }
        for (Index which = 0; which < heads; ++which) {
            m_line.plain(which > 0 ? "  " : "");
            head(which);
            m_line.plain(" ");
            const SharedMatrix columns = m_own.columnBlock(which * size, size);
            m_line.vector(columns.row(m_row), Role::Context);
        }
    }

    void write(const op::Add &) {
        const SharedMatrix x = read(0), y = read(1);
        if (m_role == Role::Scores)
            cellOrRow(x, m_role);
        else
            termOrRow(x, m_row);
        m_line.plain(" + ");
        bracketedOrRow(y, m_row);
        equalsOwn();
    }
    void write(const op::Activate &of) {
        if (!isNamed(0))
            return throughUnnamed();
        activated(of.activation);
        equalsOwn();
    }
    void write(const op::Gate &of) {
        activated(of.activation);
        const SharedMatrix hidden = read(1);
        m_line.plain(m_column ? "·" : " ⊙ ");
        bracketedOrRow(hidden, m_row);
        equalsOwn();
    }
    void activated(Activation activation) {
        m_line.words(Note::ActivationName, {text(static_cast<Index>(activation))});
        m_line.plain(m_column ? "(" : "");
        cellOrRow(read(0), m_role);
        m_line.plain(m_column ? ")" : "");
    }

    Index m_row;
    std::optional<Index> m_column;
    Role m_role;
    SharedMatrix m_own;
    Derivation m_cell; ///< where a cell is selected
    LineWriter m_line;
};

} // namespace

Line arithmeticOf(const Trace &trace, const Selection &selection) {
    const auto region = regionOf(trace.plan(), selection);
    if (!region || !region->row)
        return {};
    Arithmetic arithmetic(trace, selection);
    return arithmetic.isThere() ? arithmetic.write() : Line();
}

} // namespace headlight::core
