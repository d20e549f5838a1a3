// The rows of each operation, one function per operation. The lines below them are those of
// cellArithmetic().
#include "core/explain/opened.h"

#include "core/explain/arithmetic_line.h"
#include "core/explain/cell_arithmetic.h"
#include "core/explain/derivation.h"
#include "core/explain/symbols.h"
#include "core/format_number.h"

#include <algorithm>
#include <cmath>

namespace headlight::core {

namespace {

using Q = Quantity;
using Numbers = std::vector<double>;

Line symbolLine(const std::string &symbol, Role role) {
    LineWriter line;
    line.symbol(symbol, role);
    return line.take();
}

Line plainLine(const std::string &text) {
    LineWriter line;
    line.plain(text);
    return line.take();
}

/// Returns " − 0.1234", or " + 0.1234" for a negative number.
std::string minus(double number) {
    return (number < 0 ? " + " : " − ") + resultText(std::abs(number));
}

class Opening final : public ArithmeticLine {
  public:
    Opening(const Trace &trace, const Selection &cell)
        : ArithmeticLine(trace, cell),
          m_column(*m_region.column),
          m_derivations(derivationsOf(trace, cell)) {
        if (!m_derivations.empty())
            m_cell = m_derivations.back();
    }

    OpenedArithmetic open() {
        if (!isThere() || m_derivations.empty())
            return {};
        (void)line(); // calls one of the functions below
        if (m_opened.lines.empty())
            m_opened.lines.push_back(conclusion());
        return std::move(m_opened);
    }

  private:
    void values() override { ownRow(false); }
    void operation() override {
        std::visit([this](const auto &operation) { write(operation); }, m_step.operation);
    }
    bool writeChange(const Operation &change) override {
        if (m_cell.by != &change)
            return false; // it affects another cell
        if (std::holds_alternative<op::MeanRows>(change)) {
            m_opened.columns = Piece::Kind::RowName;
            terms(symbolLine("Z", m_role), m_role, plainLine("1 ÷ n"), Role::Residual);
        }
        return true; // the line explains it
    }

    // Building blocks

    void row(std::string sign, Line name, Role role, Numbers numbers, bool isMade = false) {
        m_opened.rows.push_back(
            {std::move(sign), std::move(name), role, isMade, std::move(numbers)});
    }
    static Numbers numbersOf(std::span<const float> row) { return {row.begin(), row.end()}; }
    Line nameOfRow(Role role) const {
        LineWriter line;
        line.name(Piece::Kind::RowName, m_row, false);
        Line name = line.take();
        name.back().role = role;
        return name;
    }
    Line symbolOfStage(StageId at) const {
        return symbolLine(symbolOf(m_trace, at.stage), infoOf(at.stage).role);
    }
    void ownRow(bool isMade) {
        if (infoOf(m_selection.stage).columns == Columns::Keys ||
            infoOf(m_selection.stage).columns == Columns::Words)
            m_opened.columns = Piece::Kind::ColumnName;
        m_opened.stressed = m_column;
        row(isMade ? "=" : "", symbolOfStage({m_selection.stage, m_selection.attention()}), m_role,
            numbersOf(m_own.row(m_row)), isMade);
    }
    /// Returns the step's input, even if it has no name.
    MatrixPart readOfStep() const {
        const StepId step = m_step.reads[0];
        return partAt(m_trace, step, m_selection.sequence, m_trace.headOf(step, m_selection.head),
                      m_row);
    }
    /// For elementwise operations: writes the rows read and the resulting row.
    void each(std::initializer_list<const char *> signs = {}) {
        for (std::size_t i = 0; i < m_step.reads.size(); ++i) {
            const MatrixPart from = isNamed(i) ? read(i) : MatrixPart();
            if (from.columns == m_own.columns)
                row(i < signs.size() ? std::data(signs)[i] : "", symbolOfStage(readAt(i)),
                    roleOfRead(i), numbersOf(from.row(m_row)));
        }
        ownRow(true);
    }
    /// Writes the factors and their products, which are summed.
    void terms(Line left, Role leftRole, Line right, Role rightRole) {
        Numbers lefts, rights, products;
        for (const Term &term : m_cell.terms) {
            lefts.push_back(static_cast<double>(term.left));
            rights.push_back(static_cast<double>(term.right));
            products.push_back(term.product());
        }
        row("", std::move(left), leftRole, std::move(lefts));
        row("·", std::move(right), rightRole, std::move(rights));
        row("=", {}, Role::Residual, std::move(products), true);
        m_opened.adds = true;
        LineWriter line;
        if (const auto bias = m_cell.find(Q::Bias)) {
            line.number(resultText(sumOf(m_cell.terms)), Role::Residual);
            line.plain(" + ");
            line.bracketed(*bias, rightRole);
            line.plain(" = ");
        }
        line.result(static_cast<double>(m_cell.value));
        addLine(line.take());
    }
    /// Returns the line of cellArithmetic() without its location.
    Line conclusion() const {
        const Line whole = cellArithmetic(m_trace, m_selection);
        return {std::ranges::find_if(whole, [](const Piece &piece) { return !piece.isAside; }),
                whole.end()};
    }
    /// Adds a line with the notes of cellArithmetic(), except names of columns, because the rows
    /// show them.
    void addLine(Line line) {
        for (Piece &piece : conclusion())
            if (piece.isAside && piece.note != Note::ColumnOf &&
                piece.note != Note::RowOfEmbeddings)
                line.push_back(std::move(piece));
        m_opened.lines.push_back(std::move(line));
    }
    void addResult() {
        LineWriter line;
        line.result(static_cast<double>(m_cell.value));
        addLine(line.take());
    }

    /// Its computation is unknown.
    template <typename Other>
    void write(const Other &) {
        ownRow(false);
    }

    void write(const op::DotProduct &) {
        LineWriter key;
        key.name(Piece::Kind::ColumnName, m_column, false);
        Line name = key.take();
        name.back().role = Role::Key;
        terms(nameOfRow(Role::Query), Role::Query, std::move(name), Role::Key);
    }
    void write(const op::Linear &of) {
        if (m_cell.terms.empty())
            return ownRow(false);
        const Role role = roleOfParameters(m_step);
        LineWriter matrix;
        if (of.transposed)
            matrix.symbol("Eᵀ", role);
        else
            matrix.weight(letterOf(m_step.parameters[0].id.which), role);
        matrix.asidePlain(" [" + text(m_cell.matrixColumn) + "]");
        const Role read = roleOfRead(0);
        terms(nameOfRow(read), read, matrix.take(), role);
    }
    void write(const op::WeightedSum &) {
        m_opened.columns = Piece::Kind::ColumnName;
        LineWriter values;
        values.symbol("V", Role::Value);
        values.asidePlain("[" + text(m_column) + "]");
        terms(nameOfRow(Role::Weights), Role::Weights, values.take(), Role::Value);
    }
    void write(const op::Pool &) {
        m_opened.columns = Piece::Kind::ColumnName;
        if (const auto first = m_cell.whole(Q::OtherIndex))
            m_opened.firstColumn = *first;
        LineWriter share;
        share.plain(m_cell.terms.size() > 1 ? "1 ÷ n" : "1");
        const Role read = roleOfRead(0);
        terms(symbolOfStage(readAt(0)), read, share.take(), Role::Residual);
    }

    void write(const op::Softmax &of) {
        const MatrixPart x = read(0);
        const auto maximum = m_cell.find(Q::Maximum);
        if (x.empty() || !maximum) { // the row sees nothing
            each();
            return addResult();
        }
        m_opened.columns = Piece::Kind::ColumnName;
        if (infoOf(m_selection.stage).columns == Columns::Classes)
            m_opened.columns = Piece::Kind::Plain;
        m_opened.stressed = m_column;
        Numbers exponentials;
        for (const float score : x.row(m_row))
            exponentials.push_back(
                exponentialOf(score, static_cast<float>(*maximum), of.temperature));
        row("", symbolOfStage(readAt(0)), roleOfRead(0), numbersOf(x.row(m_row)));
        const std::string power = "x" + minus(*maximum);
        row("",
            plainLine(of.temperature == 1
                          ? "exp(" + power + ")"
                          : "exp((" + power + ") ÷ " + fullText(of.temperature) + ")"),
            Role::Residual, std::move(exponentials), true);
        m_opened.adds = true;
        LineWriter sum;
        sum.plain("Σ = ");
        sum.number(resultText(m_cell.number(Q::Sum)), Role::Residual);
        m_opened.lines.push_back(sum.take());
        LineWriter share;
        share.number(resultText(m_cell.number(Q::Exponential)), Role::Residual);
        share.plain(" ÷ ");
        share.number(resultText(m_cell.number(Q::Sum)), Role::Residual);
        share.equals(static_cast<double>(m_cell.value));
        addLine(share.take());
    }

    /// For batch norm the statistics belong to a column, so the line alone explains it.
    void write(const op::Normalise &of) {
        const MatrixPart x = readOfStep();
        if (x.empty() || of.kind == NormKind::Batch)
            return;
        const auto mean = m_cell.find(Q::Mean); // RMS norm has no mean and does not centre
        Numbers centred = numbersOf(x.row(m_row)), squares;
        row("", nameOfRow(m_role), m_role, centred);
        for (double &number : centred) {
            number -= mean ? *mean : 0;
            squares.push_back(number * number);
        }
        m_opened.stressed = m_column;
        if (mean)
            row("", plainLine("x" + minus(*mean)), m_role, std::move(centred), true);
        row("", plainLine(mean ? "(x − μ)²" : "x²"), Role::Residual, std::move(squares), true);
        m_opened.adds = true;
        LineWriter variance;
        variance.plain("Σ ÷ " + m_cell.wholeText(Q::Count) + " = ");
        variance.number(resultText(m_cell.number(Q::Variance)), Role::Residual);
        m_opened.lines.push_back(variance.take());
        if (isNamed(0))
            m_opened.lines.push_back(conclusion());
        else
            addResult();
    }

    void write(const op::EmbeddingLookup &) { ownRow(false); }
    void write(const op::AddSinusoids &) { embeddingSum(); }
    void write(const op::AddPositions &) { embeddingSum(); }
    void write(const op::AddTokenTypes &) { embeddingSum(); }
    /// E · √C + P + T, from the derivation of each dimension.
    void embeddingSum() {
        std::vector<Numbers> addends(m_derivations.size() + 1);
        Selection one = m_selection;
        for (Index column = 0; column < m_own.columns; ++column) {
            one.dimension = column;
            const std::vector<Derivation> steps = derivationsOf(m_trace, one);
            addends.front().push_back(steps.front().number(Q::Input));
            for (std::size_t i = 0; i < steps.size() && i < m_derivations.size(); ++i)
                addends[i + 1].push_back(steps[i].number(Q::Other));
        }
        row("", symbolOfStage(source()), m_role, std::move(addends.front()));
        for (std::size_t i = 0; i < m_derivations.size(); ++i) {
            const Operation &by = *m_derivations[i].by;
            if (const auto *of = std::get_if<op::Scale>(&by))
                m_opened.rows.front().name.push_back(
                    {.kind = Piece::Kind::Plain, .text = " · √" + text(of->root)});
            else
                row("+",
                    symbolLine(std::holds_alternative<op::AddTokenTypes>(by) ? "T" : "P", m_role),
                    m_role, std::move(addends[i + 1]));
        }
        ownRow(true);
    }

    void write(const op::Scale &of) {
        if (!of.divides && of.root > 0)
            return embeddingSum();
        each();
    }
    void write(const op::ApplyRotary &) { each(); }
    void write(const op::Softcap &) { each(); }
    void write(const op::NoSoftmax &) { each(); }
    void write(const op::AlibiBias &) { ownRow(false); }
    void write(const op::RelativeBias &) { ownRow(false); }
    void write(const op::Tanh &) { through(); }
    void write(const op::Activate &) { isNamed(0) ? each() : through(); }
    void write(const op::SplitHeads &) { through(); }
    void write(const op::Gate &) { each({"", "⊙"}); }

    void write(const op::Mask &of) {
        const MatrixPart x = read(0);
        const bool isFactor = roleOfRead(0) == Role::Weights;
        row("", symbolOfStage(readAt(0)), roleOfRead(0), numbersOf(x.row(m_row)));
        if (isFactor || !std::isfinite(of.value)) {
            Numbers mask;
            for (Index column = 0; column < m_own.columns; ++column)
                mask.push_back(isFactor           ? isHidden(column) ? 0 : 1
                               : isHidden(column) ? static_cast<double>(of.value)
                                                  : 0);
            row(isFactor ? "⊙" : "+", symbolLine("M", Role::Residual), Role::Residual,
                std::move(mask));
        }
        ownRow(true);
    }

    /// Writes the head's own values, in its columns.
    void write(const op::ConcatHeads &) {
        const Index size = m_own.columns / m_plan[m_step.reads[0]].heads();
        const Index head = m_column / size;
        LineWriter name;
        name.symbol("Z", Role::Context);
        name.beneath(text(head), Role::Context);
        const MatrixPart columns = m_own.columnBlock(head * size, size);
        row("", name.take(), Role::Context, numbersOf(columns.row(m_row)));
        m_opened.stressed = m_column - head * size;
    }

    void write(const op::Add &) {
        const MatrixPart first = matrix(source());
        if (first.columns == m_own.columns)
            row("", symbolOfStage(source()), infoOf(source().stage).role,
                numbersOf(first.row(m_row)));
        for (const Step *step : m_chain) { // a parallel layer adds several
            const StageId at = m_plan[step->reads[1]].at;
            if (const MatrixPart other = matrix(at); other.columns == m_own.columns)
                row("+", symbolOfStage(at), infoOf(at.stage).role, numbersOf(other.row(m_row)));
        }
        ownRow(true);
    }

    /// Writes the rows before and after the unnamed steps that lead to this stage.
    void through() {
        const MatrixPart first = matrix(source());
        if (first.columns == m_own.columns && m_row < first.rows)
            row("", symbolOfStage(source()), infoOf(source().stage).role,
                numbersOf(first.row(m_row)));
        ownRow(true);
        addResult();
    }

    Index m_column;
    std::vector<Derivation> m_derivations;
    Derivation m_cell; ///< the last derivation
    OpenedArithmetic m_opened;
};

} // namespace

std::optional<Selection> openedCell(const Trace &trace, const Selection &selection) {
    const auto region = regionOf(trace.plan(), selection);
    if (!region)
        return std::nullopt;
    const StageInfo &info = infoOf(selection.stage);
    Selection cell = selection;
    if (!region->row)
        (info.ofKeys() ? cell.key : cell.query) = 0;
    const Index row = region->row.value_or(0);
    const MatrixPart matrix =
        partAt(trace, *trace.plan().find(region->at), selection.sequence, region->head, row);
    if (row >= matrix.rows || matrix.columns == 0)
        return std::nullopt;
    if (!region->column) {
        const auto numbers = matrix.row(row);
        const auto size = [](float number) { return std::isfinite(number) ? std::abs(number) : 0; };
        const auto largest = std::ranges::max_element(numbers, {}, size);
        (info.overKeys() ? cell.key : cell.dimension) = largest - numbers.begin();
    }
    return cell;
}

OpenedArithmetic openedArithmetic(const Trace &trace, const Selection &cell) {
    const auto region = regionOf(trace.plan(), cell);
    return region && region->row && region->column ? Opening(trace, cell).open()
                                                   : OpenedArithmetic();
}

int decimalsOf(const OpenedRow &row) {
    double sum = 0;
    int count = 0;
    for (const double number : row.numbers)
        if (std::isfinite(number) && number != 0) {
            sum += std::abs(number);
            ++count;
        }
    const double usual = count > 0 ? sum / count : 1;
    return usual >= 0.1 ? 2 : usual >= 0.01 ? 3 : 4;
}

} // namespace headlight::core
