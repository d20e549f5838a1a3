// Builds the rows from the meaning of the value: the factors of a sum, or the inputs of each
// column.
#include "core/explain/opened.h"

#include "core/explain/arithmetic.h"
#include "core/explain/arithmetic_writer.h"
#include "core/explain/symbols.h"
#include "core/selection/selected.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight::core {

namespace {

using Kind = Expression::Kind;
using Axis = Coordinate::Kind;
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

Numbers asNumbers(const std::vector<float> &row) {
    return {row.begin(), row.end()};
}

/// Returns the number of decimals with which two printed numbers add up to the printed sum, which
/// has four decimals.
int decimalsOfSum(double a, double b, double sum) {
    constexpr int most = 9;
    int decimals = 4;
    const auto isRight = [&] {
        const double printed = decimalValue(a, decimals) + decimalValue(b, decimals);
        return !(std::abs(printed - decimalValue(sum, 4)) > 0.5e-4);
    };
    while (decimals < most && !isRight())
        ++decimals;
    return decimals;
}

bool isOfColumn(const Expression &x) {
    return x.is(Kind::Named) ? isOfColumn(x.of[0])
                             : x.is(Kind::Read) && x.column.kind == Axis::Column && !x.head;
}

/// Returns an expression over x as text: "(x − μ)^2". Statistics are written as symbols or as
/// values.
std::string inLetters(const Expression &x, Evaluation &evaluation, bool asSymbols) {
    const auto part = [&](std::size_t which) {
        return inLetters(x.of[which], evaluation, asSymbols);
    };
    const auto inBrackets = [&](std::size_t which) {
        const bool isSum = x.of[which].is(Kind::Subtract);
        return isSum ? "(" + part(which) + ")" : part(which);
    };
    switch (x.kind) {
    case Kind::Number:
        return fullText(static_cast<float>(x.number));
    case Kind::Subtract:
        return part(0) + " − " + part(1);
    case Kind::Divide:
        return inBrackets(0) + " ÷ " + part(1);
    case Kind::Power:
        return inBrackets(0) + "²"; // the exponent is always 2 here
    case Kind::Exponential:
        return "exp(" + part(0) + ")";
    case Kind::Named: {
        if (!x.of[0].is(Kind::Mean) && !x.of[0].is(Kind::Maximum))
            return part(0);
        if (asSymbols)
            return x.text;
        const double value = evaluation.value(x);
        return value < 0 ? "(" + resultText(value) + ")" : resultText(value);
    }
    default:
        return "x";
    }
}

class Opening {
  public:
    Opening(const Trace &trace, const Selection &cell, Index column)
        : m_trace(trace), m_selection(cell), m_column(column), m_write(trace, cell) {}

    OpenedArithmetic open() {
        if (!m_write.isThere() || !valueAt(m_trace, m_selection))
            return {};
        const Expression &number = m_write.meaning().number;
        if (m_write.isRename() || !m_write.areSourcesThere()) {
            ownRow(false);
        } else if (const Expression *sum = outerSum(number); sum && isOpened(*sum)) {
            terms(*sum);
        } else if (m_write.isIntervention()) {
            // the conclusion already shows the intervention
        } else if (!statistics(number)) {
            eachColumn();
        }
        if (m_opened.lines.empty())
            m_opened.lines.push_back(conclusion());
        return std::move(m_opened);
    }

  private:
    void row(std::string sign, Line name, Role role, Numbers numbers, bool isMade = false) {
        m_opened.rows.push_back(
            {std::move(sign), std::move(name), role, isMade, std::move(numbers)});
    }
    Line symbolOfStage(StageId at) const {
        return symbolLine(symbolOf(m_trace, at), infoOf(at.stage).role);
    }
    static Line nameOf(Piece::Kind kind, Index index, Role role) {
        LineWriter line;
        line.name(kind, index, false);
        Line name = line.take();
        name.back().role = role;
        return name;
    }
    Line nameOfRow(Role role) const {
        return nameOf(Piece::Kind::RowName, *m_write.evaluation().made().row, role);
    }
    void ownRow(bool isMade) {
        const Columns columns = infoOf(m_selection.stage).columns;
        if (columns == Columns::Keys || columns == Columns::Words)
            m_opened.columns = Piece::Kind::ColumnName;
        m_opened.stressed = m_column;
        const auto numbers = m_write.own().row(*m_write.evaluation().made().row);
        row(isMade ? "=" : "", symbolOfStage({m_selection.stage, m_selection.attention()}),
            m_write.role(), {numbers.begin(), numbers.end()}, isMade);
    }

    /// Returns the line of arithmeticOf() without its position.
    Line conclusion() const {
        const Line whole = arithmeticOf(m_trace, m_selection);
        return {std::ranges::find_if(whole, [](const Piece &piece) { return !piece.isAside; }),
                whole.end()};
    }
    /// Adds a line with the remarks of the conclusion. Leaves out column names, because the rows
    /// show them. Keeps a column's head, which the rows do not show.
    void addLine(Line line) {
        for (Piece &piece : conclusion())
            if (piece.isAside && piece.note != Note::ColumnOf &&
                piece.note != Note::RowOfEmbeddings)
                line.push_back(std::move(piece));
        m_opened.lines.push_back(std::move(line));
    }
    void addResult() {
        LineWriter line;
        line.result(static_cast<double>(ownNumber()));
        addLine(line.take());
    }
    float ownNumber() const { return m_write.own()(*m_write.evaluation().made().row, m_column); }

    /// True for a product of two values that are read, and for a mean.
    static bool isOpened(const Expression &sum) {
        return sum.is(Kind::Mean) || sum.of[0].of[0].is(Kind::Read);
    }

    /// Adds rows for the factors and for their products, which are summed.
    void terms(const Expression &sum) {
        Numbers lefts, rights, products;
        for (const Term &term : m_write.evaluation().terms(sum)) {
            lefts.push_back(static_cast<double>(term.left));
            rights.push_back(static_cast<double>(term.right));
            products.push_back(term.product());
        }
        Role rightRole = Role::Residual;
        if (sum.is(Kind::Mean)) {
            const bool isRead = sum.of[0].is(Kind::Read); // the mean of the tokens of a sequence
            m_opened.columns = isRead ? Piece::Kind::ColumnName : Piece::Kind::RowName;
            m_opened.firstColumn = sum.first;
            row("",
                isRead ? symbolOfStage(m_write.stageOf(sum.of[0]))
                       : symbolLine("Z", m_write.role()),
                isRead ? m_write.roleOf(sum.of[0]) : m_write.role(), std::move(lefts));
            row("·", plainLine(sum.count > 1 || !isRead ? "1 ÷ n" : "1"), rightRole,
                std::move(rights));
        } else {
            const Expression &left = sum.of[0].of[0], &right = sum.of[0].of[1];
            rightRole = m_write.roleOf(right);
            row("", nameOfRow(m_write.roleOf(left)), m_write.roleOf(left), std::move(lefts));
            row("·", nameOfFactors(right), rightRole, std::move(rights));
        }
        row("=", {}, Role::Residual, std::move(products), true);
        m_opened.adds = true;
        const Expression &number = m_write.meaning().number;
        LineWriter line;
        if (number.is(Kind::Add)) {
            const double total = m_write.evaluation().value(sum);
            const double bias = m_write.evaluation().value(number.of[1]);
            const int decimals = decimalsOfSum(total, bias, static_cast<double>(ownNumber()));
            const std::string text = decimalText(bias, decimals);
            line.number(decimalText(total, decimals), Role::Residual);
            line.plain(" + ");
            line.number(bias < 0 ? "(" + text + ")" : text, rightRole);
            line.plain(" = ");
        }
        line.result(static_cast<double>(ownNumber()));
        addLine(line.take());
    }
    Line nameOfFactors(const Expression &right) {
        const Role role = m_write.roleOf(right);
        if (right.is(Kind::Read) && right.row.kind == Axis::Column)
            return nameOf(Piece::Kind::ColumnName, m_column, role);
        LineWriter name;
        if (right.is(Kind::Read)) {
            m_opened.columns = Piece::Kind::ColumnName;
            name.symbol(symbolOf(m_trace, m_write.stageOf(right)), role);
            name.asidePlain("[" + std::to_string(m_column) + "]");
            return name.take();
        }
        if (right.row.kind == Axis::Column)
            name.symbol("Eᵀ", role);
        else
            name.weight(letterOf(m_write.parameterOf(right).which), role);
        name.asidePlain(" [");
        if (infoOf(m_selection.stage).columns == Columns::Words)
            name.name(Piece::Kind::ColumnName, m_column);
        else
            name.asidePlain(std::to_string(m_column));
        name.asidePlain("]");
        return name.take();
    }

    /// Adds rows for the inner sum or mean of a softmax or norm: its exponentials or squares.
    /// Returns false if there is none.
    bool statistics(const Expression &number) {
        if (!number.is(Kind::Call))
            return false;
        const Expression *statistic = lastStatistic(number.of[1]);
        if (!statistic || isOfBatch(*statistic)) // values of other sequences have no row here
            return statistic != nullptr;
        if (number.of[1].is(Kind::Choose) && m_write.evaluation().holds(number.of[1])) {
            eachColumn(); // all keys are hidden
            addResult();
            return true;
        }
        const Expression &each = statistic->of[0].of[0];
        const bool isOfRow = each.is(Kind::Named); // the exponentials of a softmax
        const Columns columns = infoOf(m_selection.stage).columns;
        if (isOfRow && columns != Columns::Classes)
            m_opened.columns = Piece::Kind::ColumnName;
        m_opened.stressed = m_column;
        const Expression &read = number.of[0].is(Kind::Divide) ? number.of[0].of[0] : number.of[0];
        const Role role = m_write.roleOf(read);
        row("", isOfRow ? symbolOfStage(m_write.stageOf(read)) : nameOfRow(m_write.role()),
            isOfRow ? role : m_write.role(), asNumbers(m_write.rowOf(read)));
        Evaluation &evaluation = m_write.evaluation();
        if (each.is(Kind::Power) && each.of[0].is(Kind::Subtract))
            row("", plainLine(inLetters(each.of[0], evaluation, false)), m_write.role(),
                evaluation.each(statistic->of[0], each.of[0]), true);
        row("", plainLine(inLetters(each, evaluation, !isOfRow)), Role::Residual,
            evaluation.each(statistic->of[0], each), true);
        m_opened.adds = true;
        LineWriter sum;
        sum.words(Note::Sum);
        sum.plain(statistic->of[0].is(Kind::Mean)
                      ? " ÷ " + std::to_string(statistic->of[0].count) + " = "
                      : " = ");
        sum.number(resultText(evaluation.value(*statistic)), Role::Residual);
        m_opened.lines.push_back(sum.take());
        if (isOfRow)
            addShare(number.of[1].of[2]);
        else if (m_write.isWritten())
            m_opened.lines.push_back(conclusion());
        else
            addResult();
        return true;
    }
    static bool isOfBatch(const Expression &x) {
        bool found = false;
        forEachRead(x, [&](const Expression &read) {
            found |= read.rowsOf != Expression::RowsOf::Sequence;
        });
        return found;
    }
    /// Adds "0.41 ÷ 1.32 = 0.31".
    void addShare(const Expression &quotient) {
        const Expression &divisor = quotient.of[1];
        if (divisor.is(Kind::Add)) { // a softmax with a sink
            LineWriter more;
            more.words(Note::Sum);
            more.plain(" + ");
            more.number(resultText(m_write.evaluation().value(divisor.of[1])), Role::Residual);
            more.plain(" = ");
            more.number(resultText(m_write.evaluation().value(divisor)), Role::Residual);
            m_opened.lines.push_back(more.take());
        }
        LineWriter share;
        share.number(resultText(m_write.evaluation().value(quotient.of[0])), Role::Residual);
        share.plain(" ÷ ");
        share.number(resultText(m_write.evaluation().value(quotient.of[1])), Role::Residual);
        share.equals(static_cast<double>(ownNumber()));
        addLine(share.take());
    }
    /// Returns the named sum or mean that is computed last: for a norm, the variance and not the
    /// mean.
    static const Expression *lastStatistic(const Expression &x) {
        if (x.is(Kind::Named) && (x.of[0].is(Kind::Sum) || x.of[0].is(Kind::Mean)))
            return &x;
        const Expression *found = nullptr;
        for (const Expression &part : x.of)
            if (const Expression *inner = lastStatistic(part))
                found = inner->quantity == Quantity::Mean && found ? found : inner;
        return found;
    }

    /// Adds the rows that are combined column by column, and the resulting row.
    void eachColumn() {
        if (NumberWriter::isOfOneHead(m_write.meaning().number))
            return ofOneHead(m_write.meaning().number);
        if (!m_write.isWritten())
            return through();
        const Meaning ofRow = m_write.meaningOfRow();
        const bool reads = column(ofRow.number, "");
        ownRow(reads);
    }
    /// Adds the rows of an expression's operands. Returns false if it reads none.
    bool column(const Expression &x, const std::string &sign) {
        const auto both = [&](const char *between) {
            const bool first = column(x.of[0], sign);
            const bool second = column(x.of[1], first ? between : sign);
            return first || second;
        };
        switch (x.kind) {
        case Kind::Read:
            if (isOfColumn(x) && std::ssize(m_write.rowOf(x)) == m_write.own().columns) {
                row(sign, symbolOfStage(m_write.stageOf(x)), m_write.roleOf(x),
                    asNumbers(m_write.rowOf(x)));
                return true;
            }
            return false;
        case Kind::Named:
            if (x.of[0].is(Kind::Sum) && !x.of[0].of[0].is(Kind::Multiply))
                return false;                                   // one number for the row
            if (!x.text.empty() && !x.of[0].is(Kind::Number)) { // values of a table
                row(sign, symbolLine(x.text, m_write.role()), m_write.role(),
                    m_write.evaluation().row(x.of[0]));
                return true;
            }
            return column(x.of[0], sign);
        case Kind::Choose:
            if (x.name != Note::None || !x.text.empty()) {
                row(sign, symbolLine("M", Role::Residual), Role::Residual,
                    m_write.evaluation().row(x));
                return true;
            }
            return column(x.of[2], sign);
        case Kind::Multiply:
            if (x.of[1].is(Kind::Root) && column(x.of[0], sign)) {
                m_opened.rows.back().name.push_back(
                    {.kind = Piece::Kind::Plain,
                     .text = " · √" + fullText(static_cast<float>(x.of[1].of[0].number))});
                return true;
            }
            return both("⊙");
        case Kind::Add:
        case Kind::Subtract:
            return both("+");
        case Kind::Call:
            return column(x.of[0], sign);
        default: {
            bool reads = false;
            for (const Expression &part : x.of)
                reads |= column(part, sign);
            return reads;
        }
        }
    }
    /// Adds the row of the head from which the result takes its columns.
    void ofOneHead(const Expression &number) {
        const Expression &read = number.of[0];
        LineWriter name;
        name.symbol("Z", Role::Context);
        name.beneath(std::to_string(*read.head), Role::Context);
        row("", name.take(), Role::Context, asNumbers(m_write.rowOf(read)));
        m_opened.stressed = read.column.index;
    }
    /// Adds the rows before and after the unnamed steps that lead to this stage.
    void through() {
        const MatrixPart first = m_write.matrix(m_write.sourceStage());
        const Index at = *m_write.evaluation().made().row;
        if (first.columns == m_write.own().columns && at < first.rows) {
            const auto numbers = first.row(at);
            row("", symbolOfStage(m_write.sourceStage()), infoOf(m_write.sourceStage().stage).role,
                {numbers.begin(), numbers.end()});
        }
        ownRow(true);
        addResult();
    }

    const Trace &m_trace;
    const Selection &m_selection;
    Index m_column;
    mutable ArithmeticWriter m_write;
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
        (info.rowsAreDistances() ? cell.distance : info.ofKeys() ? cell.key : cell.query) = 0;
    const Index row = region->row.value_or(0);
    const MatrixPart matrix =
        partAt(trace, *trace.plan().find(region->at), selection.sequence, region->head, row);
    if (row >= matrix.rows || matrix.columns == 0)
        return std::nullopt;
    if (!region->column) {
        const auto numbers = matrix.row(row);
        // Over keys, softmax favours the largest value. In other rows, the sign does not matter.
        const float hidden = -std::numeric_limits<float>::max();
        const auto size = [&info, hidden](float number) {
            if (!std::isfinite(number))
                return info.overKeys() ? hidden : 0;
            return info.overKeys() ? number : std::abs(number);
        };
        const auto largest = std::ranges::max_element(numbers, {}, size);
        (info.overKeys()        ? cell.key
         : info.overDistances() ? cell.distance
                                : cell.dimension) = largest - numbers.begin();
    }
    return cell;
}

OpenedArithmetic openedArithmetic(const Trace &trace, const Selection &cell) {
    const auto region = regionOf(trace.plan(), cell);
    return region && region->row && region->column ? Opening(trace, cell, *region->column).open()
                                                   : OpenedArithmetic();
}

namespace {

/// Returns the number of decimals that makes most values of a row readable: 2 to 4.
int usualDecimals(const OpenedRow &row) {
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

/// True if the printed factors of each column give the column's printed product.
bool areProductsRight(const std::vector<OpenedRow> &rows, const std::vector<int> &decimals) {
    const auto printed = [&](std::size_t row, std::size_t column) {
        return decimalValue(rows[row].numbers[column], decimals[row]);
    };
    // Half a unit of the product's last digit, plus the possible rounding error of doubles.
    const double half = (0.5 + 1e-6) * std::pow(10, -decimals[2]);
    for (std::size_t column = 0; column < rows[2].numbers.size(); ++column)
        if (std::abs(printed(0, column) * printed(1, column) - printed(2, column)) > half)
            return false;
    return true;
}

} // namespace

std::vector<int> decimalsOf(const OpenedArithmetic &opened) {
    constexpr int most = 5; // wider columns would leave space for only a few terms
    const std::vector<OpenedRow> &rows = opened.rows;
    std::vector<int> decimals;
    for (const OpenedRow &row : rows)
        decimals.push_back(usualDecimals(row));
    // The factor of a mean is 1 ÷ n.
    if (!opened.adds || rows.size() != 3 || rows[1].sign != "·")
        return decimals;
    while (std::min(decimals[0], decimals[1]) < most && !areProductsRight(rows, decimals))
        for (const std::size_t factor : {0, 1})
            decimals[factor] = std::min(most, decimals[factor] + 1);
    while (decimals[2] > 1 && !areProductsRight(rows, decimals))
        --decimals[2];
    return decimals;
}

} // namespace headlight::core
