// Writes the script by following the plan from the cell back to the stages that become its inputs.
#include "core/explain/numpy_script.h"

#include "core/explain/evaluation.h"
#include "core/explain/numpy_text.h"
#include "core/explain/sources.h"
#include "core/selection/selected.h"
#include "core/transformer/run/operands.h"

#include <algorithm>
#include <cassert>
#include <cctype>
#include <limits>
#include <map>
#include <utility>

namespace headlight::core {

namespace {

using Kind = Expression::Kind;
using numpy::assign;
using numpy::number;

std::string text(Index index) {
    return std::to_string(index);
}

/// The lines of the script so far, and the variables for values that are used again.
class Script {
  public:
    explicit Script(const Trace &trace) : m_trace(trace), m_plan(trace.plan()) {}

    /// Returns a script that prints the slice. Errors: a parameter that cannot be read.
    Result<std::string> write(const std::string &title, Index sequence, const Slice &cell) {
        const std::string last = made(sequence, cell);
        if (m_unreadable)
            return *m_unreadable;
        return "import numpy as np\n" + std::string(m_needsMath ? "import math\n" : "") + "\n# " +
               title + "\n" + m_lines + "print(" + last + ")\n";
    }

  private:
    class Making;

    /// Returns a Python expression for a slice, from the operation of its step.
    std::string made(Index sequence, const Slice &slice);

    /// Returns a variable with the slice's values. Named stages are inputs of the script; unnamed
    /// steps and values of the same query-key pair are computed in it.
    std::string named(Index sequence, const Slice &slice) {
        const Step &step = m_plan[slice.step];
        const bool isPair = infoOf(step.at.stage).overKeys();
        if (step.isNamed() && (!isPair || !slice.row))
            return given(sequence, slice);
        const std::string expression = made(sequence, slice);
        const std::string name = isPair ? nameOfPair(step, slice) : fresh("x");
        if (expression != name)
            m_lines += assign(name, expression, "");
        return name;
    }
    static std::string nameOfPair(const Step &step, const Slice &slice) {
        const Stage stage = step.at.stage;
        const std::string one = stage == Stage::PositionBias          ? "bias"
                                : stage == Stage::ContentToPosition   ? "to_position"
                                : stage == Stage::PositionToContent   ? "to_content"
                                : infoOf(stage).role == Role::Weights ? "weight"
                                                                      : "score";
        return slice.column || one == "bias" ? one : one + "s";
    }

    /// Defines a variable with values of the trace, as an input of the script.
    std::string given(Index sequence, const Slice &slice) {
        std::string &name = m_given[{sequence, slice}];
        if (!name.empty())
            return name;
        const Step &step = m_plan[slice.step];
        const std::string_view symbol = infoOf(step.at.stage).symbol;
        std::string letter = symbol.size() == 1 ? std::string(symbol) : "X";
        if (slice.row || slice.column)
            letter[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(letter[0])));
        name = fresh(letter);
        const std::string comment =
            stageName(step.at.stage, step.at.attention) + placeIn(slice.row, slice.column);
        if (slice.row) {
            const SharedMatrix row =
                m_trace.rows(slice.step, sequence, slice.head, {*slice.row, 1});
            give(name, row, 0, slice.column, comment);
        } else {
            const SharedMatrix whole = m_trace.matrix(slice.step, sequence, slice.head);
            give(name, whole, {}, slice.column, comment);
        }
        return name;
    }
    /// Assigns a part of a matrix: a number, a vector, or the whole matrix.
    template <typename Numbers> // a matrix or a ParameterBlock
    void give(const std::string &name, const Numbers &matrix, std::optional<Index> row,
              std::optional<Index> column, const std::string &comment) {
        if (row && column) {
            m_lines += assign(name, number(matrix(*row, *column)), comment);
        } else if (row) {
            m_lines += numpy::vector(name, matrix.row(*row), comment);
        } else if (column) {
            std::vector<float> numbers;
            for (Index i = 0; i < matrix.rows; ++i)
                numbers.push_back(matrix(i, *column));
            m_lines += numpy::vector(name, numbers, comment);
        } else {
            giveWhole(name, matrix, comment);
        }
        if constexpr (std::is_same_v<Numbers, ParameterBlock>)
            noteUnreadable(matrix.parameter()->read(
                {matrix.place().row + row.value_or(0), matrix.place().column, 1, 1}));
    }
    /// Called after the values were read, to detect that their file has become unreadable.
    void noteUnreadable(const Result<SharedMatrix> &read) {
        if (!read)
            m_unreadable = read.error();
    }
    void giveWhole(const std::string &name, MatrixView matrix, const std::string &comment) {
        m_lines += numpy::matrix(name, matrix, comment);
    }
    void giveWhole(const std::string &name, const ParameterBlock &block,
                   const std::string &comment) {
        Matrix matrix(block.rows, block.columns);
        for (Index row = 0; row < block.rows; ++row)
            std::ranges::copy(block.row(row), matrix.view().row(row).begin());
        giveWhole(name, matrix.view(), comment);
    }
    static std::string placeIn(std::optional<Index> row, std::optional<Index> column) {
        if (!row && !column)
            return ", one token a row";
        return "[" + (row ? text(*row) : ":") + (column ? ", " + text(*column) : "") + "]";
    }
    /// Returns `name`, with a number appended if it is already used.
    std::string fresh(const std::string &name) {
        const int taken = m_names[name]++;
        return taken == 0 ? name : name + std::to_string(taken + 1);
    }

    const Trace &m_trace;
    const Plan &m_plan;
    std::map<std::pair<Index, Slice>, std::string> m_given;
    std::map<std::string, int> m_names;
    std::string m_lines;
    bool m_needsMath = false;
    std::optional<Error> m_unreadable;
};

/// Writes the computation of one slice of a step.
class Script::Making {
  public:
    Making(Script &script, Index sequence, const Slice &made)
        : m_script(script),
          m_plan(script.m_plan),
          m_step(m_plan[made.step]),
          m_sequence(sequence),
          m_made(made),
          m_meaning(meaningOf(script.m_trace, sequence, made)),
          m_evaluation(script.m_trace, sequence, made),
          m_reads(readsOf(script.m_trace, sequence, made)) {}

    std::string expression() {
        for (const Remark &one : m_meaning.remarks)
            if (const std::string words = commentOf(one); !words.empty())
                m_script.m_lines += "# " + words + "\n";
        const std::string made = write(m_meaning.number);
        if (m_made.column || m_meaning.setInRow.empty())
            return made;
        m_script.m_lines += assign("scores", made, "");
        for (const auto &[column, value] : m_meaning.setInRow)
            m_script.m_lines +=
                assign("scores[" + text(column) + "]", number(value), "set by hand");
        return "scores";
    }

  private:
    /// Python's operator precedence, lowest first.
    enum Binding { Sum, Product, Sign, Power, Whole };

    static std::string commentOf(const Remark &remark) {
        if (remark.beside == Remark::Beside::Row)
            return {};
        switch (remark.note) {
        case Note::AsCaptured:
            return "as it was captured";
        case Note::OneVectorForEachWord:
        case Note::OneVectorForEachWordOfSource:
            return "the token's vector";
        case Note::SetByHand:
            return "set by hand";
        case Note::Hidden:
        case Note::StandsForHidden:
            return "hidden by the mask";
        case Note::UniformHead:
            return "the head is uniform over the keys that the row sees";
        case Note::HeadIsSilenced:
            return "the head is silenced";
        case Note::ExpertNotChosen:
            return "the token has not chosen expert " + remark.arguments[0];
        case Note::OverRealTokens:
            return "the head outputs the mean of its real tokens";
        case Note::MadeByHead:
            return "heads side by side: the number is head " + remark.arguments[0] + "'s context";
        case Note::BatchNormLeaks:
            return "over every real token of the batch";
        default:
            return {};
        }
    }

    std::string write(const Expression &x) { return write(x, Sum); }
    /// Returns the expression, in brackets if its precedence is lower than `least`.
    std::string write(const Expression &x, Binding least) {
        Binding own = Whole;
        const std::string made = plain(x, own);
        return own < least ? "(" + made + ")" : made;
    }
    std::string plain(const Expression &x, Binding &binding) {
        const auto between = [&](const char *sign, Binding own, Binding second) {
            binding = own;
            const std::string first = write(x.of[0], own);
            return first + sign + write(x.of[1], second);
        };
        const auto inside = [&](const char *function) {
            return function + ("(" + write(x.of[0])) + ")";
        };
        switch (x.kind) {
        case Kind::Given:
            return given();
        case Kind::Number:
            binding = x.number < 0 ? Sign : Whole;
            return x.text == "π" ? "np.pi" : number(static_cast<float>(x.number));
        case Kind::RowIndex:
            return text(*m_made.row);
        case Kind::KeyIndex:
            return m_made.column ? text(*m_made.column) : indices();
        case Kind::Read:
            return read(x);
        case Kind::Learned:
            return learned(x, "");
        case Kind::Table:
            return table(x, "table", "");
        case Kind::Sum:
        case Kind::Mean:
        case Kind::Maximum:
            return overOthers(x, binding);
        case Kind::Add:
            return between(" + ", Sum, Sum);
        case Kind::Subtract:
            return between(" - ", Sum, Product);
        case Kind::Multiply:
            return between(" * ", Product, Sign);
        case Kind::Divide:
            return between(" / ", Product, Sign);
        case Kind::Power:
            return between(" ** ", Power, Power);
        case Kind::Negative:
            binding = Sign;
            return "-" + write(x.of[0], Sign);
        case Kind::Absolute:
            return inside("np.abs");
        case Kind::Root:
            return inside("np.sqrt");
        case Kind::Exponential:
            return inside("np.exp");
        case Kind::Sine:
            return inside("np.sin");
        case Kind::Cosine:
            return inside("np.cos");
        case Kind::Tanh:
            return inside("np.tanh");
        case Kind::ErrorFunction:
            m_script.m_needsMath = true;
            return inside("np.vectorize(math.erf)");
        case Kind::Positive:
            return "np.maximum(" + write(x.of[0]) + ", 0)";
        case Kind::Choose:
            return choice(x, binding);
        case Kind::Named:
            return namedPart(x, binding);
        case Kind::Call:
            return plain(x.of[1], binding);
        case Kind::Side: {
            std::string all;
            for (const Expression &part : x.of)
                all += (all.empty() ? "" : ", ") + side(part);
            return "np.concatenate([" + all + "])";
        }
        case Kind::Made:
        case Kind::Gradient:
        case Kind::Symbol:
            break;
        }
        assert(false); // does not occur in computations
        return {};
    }

    /// Returns the indices of the keys, as an array.
    std::string indices() const { return "np.arange(" + text(m_step.shape.last(0)) + ")"; }
    /// Writes the row as an input of the script and returns the cell's element.
    std::string given() {
        const Slice row{m_made.step, m_made.head, m_made.row, {}};
        const std::string name = m_script.given(m_sequence, row);
        return m_made.column ? name + "[" + text(*m_made.column) + "]" : name;
    }

    /// Returns a part of Kind::Side.
    std::string side(const Expression &part) {
        if (!part.is(Kind::Read))
            return "np.zeros(" + text(part.count) + ")";
        const Index first = part.column.index, end = first + part.count;
        const bool isPart =
            part.count > 0 && part.count < m_plan[m_evaluation.sliceOf(part).step].shape.last(0);
        return read(part) + (isPart ? "[" + text(first) + ":" + text(end) + "]" : std::string());
    }
    /// Returns a variable, or an element of one.
    std::string read(const Expression &x) {
        if (x.rowsOf != Expression::RowsOf::Sequence)
            return batchColumn(x);
        const Index sequence = x.sequence.value_or(m_sequence);
        const Slice slice = m_evaluation.sliceOf(x);
        for (const Slice &whole : m_reads)
            if (whole.contains(slice) && whole != slice && (whole.row || whole.column)) {
                const std::string name = named(sequence, whole);
                return name + "[" + text(whole.row ? *slice.column : *slice.row) + "]";
            }
        return named(sequence, slice);
    }
    /// Returns the variable of a slice. Creates it only once.
    std::string named(Index sequence, const Slice &slice) {
        std::string &name = m_variables[{sequence, slice}];
        if (name.empty())
            name = m_script.named(sequence, slice);
        return name;
    }
    /// Returns a column of all real tokens of the batch.
    std::string batchColumn(const Expression &x) {
        if (!m_ofBatch.empty())
            return m_ofBatch;
        const Batch &batch = m_script.m_trace.input().of(m_step.at.attention.stack);
        std::string all;
        for (Index b = 0; b < batch.count(); ++b)
            all += (b > 0 ? ", " : "") + m_script.named(b, m_evaluation.sliceOf(x)) +
                   "[:" + text(batch[b].length) + "]";
        m_ofBatch = m_script.fresh("x");
        m_script.m_lines +=
            assign(m_ofBatch, "np.concatenate([" + all + "])", "every real token of the batch");
        return m_ofBatch;
    }

    /// Returns a parameter: a number, row, column, or the whole matrix.
    std::string learned(const Expression &x, const std::string &letter) {
        const auto indexOf = [&](const Coordinate &at) -> std::optional<Index> {
            return at.kind == Coordinate::Kind::Fixed    ? std::optional(at.index)
                   : at.kind == Coordinate::Kind::Column ? m_made.column
                                                         : std::nullopt;
        };
        const ParameterBlock &block = m_evaluation.parameter(x);
        const std::optional<Index> row = indexOf(x.row), column = indexOf(x.column);
        const std::string name = m_script.fresh(!letter.empty() ? letter
                                                : row || column ? "w"
                                                                : "W");
        const MatrixBlock place = block.place();
        const auto within = [](std::optional<Index> index, Index first, Index count) {
            return index       ? text(first + *index)
                   : first > 0 ? text(first) + ":" + text(first + count)
                               : ":";
        };
        m_script.give(name, block, row, column,
                      nameOf(m_step.parameters[x.which].id) + "[" +
                          within(row, place.row, block.rows) + ", " +
                          within(column, place.column, block.columns) + "]");
        return name;
    }
    std::string table(const Expression &x, const std::string &letter, const std::string &comment) {
        const std::string name = m_script.fresh(letter);
        if (m_made.column) {
            m_script.m_lines += assign(
                name, number(static_cast<float>(x.table(*m_made.row, *m_made.column))), comment);
            return name;
        }
        const std::vector<double> numbers = m_evaluation.row(x);
        m_script.m_lines +=
            numpy::vector(name, std::vector<float>(numbers.begin(), numbers.end()), comment);
        return name;
    }

    /// Writes a named part, usually as a variable of the script, and returns the text that refers
    /// to it.
    std::string namedPart(const Expression &x, Binding &binding) {
        const Expression &of = x.of[0];
        const std::string position = "of position " + (m_made.row ? text(*m_made.row) : "");
        switch (x.quantity) {
        case Quantity::Gain:
            return learned(of, "gain");
        case Quantity::Bias:
            return learned(of, "b");
        case Quantity::Cosine:
            return table(of, "cosine", position);
        case Quantity::Sine:
            return table(of, "sine", position);
        case Quantity::Mean:
            return once(x, "mean");
        case Quantity::Variance:
            return once(x, "variance");
        case Quantity::Exponential:
            return exponential(x);
        case Quantity::Other:
            if (of.is(Kind::Learned))
                return learned(of, x.text == "T" ? "t" : "p");
            if (of.is(Kind::Table))
                return table(of, "p", kSinusoid);
            if (x.text == "P") {
                const std::string name = m_script.fresh("p");
                m_script.m_lines += assign(name, write(of), kSinusoid);
                return name;
            }
            break;
        default:
            break;
        }
        return plain(of, binding);
    }
    std::string once(const Expression &x, const std::string &letter) {
        std::string &name = m_named[x.quantity];
        if (name.empty()) {
            const std::string made = write(x.of[0]);
            name = m_script.fresh(letter);
            m_script.m_lines += assign(name, made, "");
        }
        return name;
    }
    /// Returns the exponentials of the whole row, or the cell's exponential.
    std::string exponential(const Expression &x) {
        std::string &name = m_named[x.quantity];
        if (name.empty()) {
            const std::string made =
                write(at(x.of[0], Coordinate::Kind::Column, Coordinate::Kind::Summed));
            name = m_script.fresh("e");
            m_script.m_lines += assign(name, made, "");
        }
        return m_isSummed || !m_made.column ? name : name + "[" + text(*m_made.column) + "]";
    }

    std::string overOthers(const Expression &x, Binding &binding) {
        const Expression &each = x.of[0];
        if (x.is(Kind::Sum) && each.is(Kind::Multiply))
            return product(x, binding);
        // A mean over a single row, given by its index, is that row. A mean over the tokens of a
        // text stays a mean, even if the text has only one token.
        if (x.is(Kind::Mean) && x.count == 1 && each.row.kind != Coordinate::Kind::Token)
            return plain(each, binding);
        const bool isSummed = std::exchange(m_isSummed, true);
        std::string made = write(each, Whole);
        m_isSummed = isSummed;
        if (x.over == Coordinate::Kind::Token)
            return made + "[:" + text(x.count) + "].mean(axis=0)";
        return made + (x.is(Kind::Sum) ? ".sum()" : x.is(Kind::Mean) ? ".mean()" : ".max()");
    }
    /// Returns a row times a matrix, or times one column of it.
    std::string product(const Expression &sum, Binding &binding) {
        const Expression &left = sum.of[0].of[0], &right = sum.of[0].of[1];
        if (left.is(Kind::Number)) // embedding lookup: the row of the token
            return plain(right, binding);
        binding = Product;
        const std::string vector = read(left) + columnsOf(left, sum.count);
        const std::string matrix = right.is(Kind::Read) ? read(right) : learned(right, "");
        const bool isTransposed = right.row.kind == Coordinate::Kind::Column && !m_made.column;
        return vector + " @ " + matrix + (isTransposed ? ".T" : "");
    }

    /// Returns the NumPy slice of the columns that a sum over `count` columns reads, such as
    /// "[8:16]"; empty if it reads all columns.
    std::string columnsOf(const Expression &x, Index count) const {
        const Index first = x.column.index;
        const bool isPart = x.is(Kind::Read) && x.column.kind == Coordinate::Kind::Summed &&
                            count < m_plan[m_evaluation.sliceOf(x).step].shape.last(0);
        return isPart ? "[" + text(first) + ":" + text(first + count) + "]" : std::string();
    }

    std::string choice(const Expression &x, Binding &binding) {
        if (x.when == Expression::When::Hidden) {
            if (m_made.column)
                return plain(x.of[m_evaluation.holds(x) ? 1 : 2], binding);
            const std::string then = write(x.of[1]), otherwise = write(x.of[2]);
            return "np.where(" + hidden() + ", " + then + ", " + otherwise + ")";
        }
        if (x.when == Expression::When::Positive) {
            const std::string subject = write(x.of[0]), then = write(x.of[1]);
            return "np.where(" + subject + " > 0, " + then + ", " + write(x.of[2]) + ")";
        }
        const bool isOfEach = x.of[0].is(Kind::Named); // the condition differs by column
        if (m_made.column || !isOfEach) {
            const bool holds = m_made.column ? m_evaluation.holds(x)
                                             : m_evaluation.row(x.of[0])[0] ==
                                                   -std::numeric_limits<double>::infinity();
            if (holds && !isOfEach)
                m_script.m_lines += "# the mask hides every key\n";
            if (holds && !m_made.column)
                return "np.zeros(" + text(m_step.shape.last(0)) + ")";
            return plain(x.of[holds ? 1 : 2], binding);
        }
        const std::string subject = write(x.of[0]), then = write(x.of[1]);
        return "np.where(" + subject + " == -np.inf, " + then + ", " + write(x.of[2]) + ")";
    }
    /// Returns an array of Booleans: true for keys that are hidden from the row.
    std::string hidden() {
        if (m_hidden.empty()) {
            const Mask &mask = m_script.m_trace.mask(m_sequence, m_step.at.attention);
            std::string list;
            for (Index key = 0; key < mask.keys(); ++key)
                if (mask.hidden(*m_made.row, key))
                    list += (list.empty() ? "" : ", ") + text(key);
            m_hidden = m_script.fresh("hidden");
            m_script.m_lines +=
                assign(m_hidden, "np.isin(" + indices() + ", [" + list + "])", "by the mask");
        }
        return m_hidden;
    }

    static constexpr const char *kSinusoid =
        "sinusoidal position, Vaswani et al. (2017), section 3.5";

    Script &m_script;
    const Plan &m_plan;
    const Step &m_step;
    Index m_sequence;
    Slice m_made;
    Meaning m_meaning;
    Evaluation m_evaluation;
    std::vector<Slice> m_reads;
    std::map<std::pair<Index, Slice>, std::string> m_variables;
    std::map<Quantity, std::string> m_named; ///< names of variables
    std::string m_ofBatch, m_hidden;         ///< names of variables
    bool m_isSummed = false;                 ///< true while writing the summand of a sum
};

std::string Script::made(Index sequence, const Slice &slice) {
    const Step &step = m_plan[slice.step];
    if (!step.renames)
        return Making(*this, sequence, slice).expression();
    const StageId from = m_plan[*step.renames].at;
    m_lines += "# the same number as at " + stageName(from.stage, from.attention) + "\n";
    return made(sequence, {*step.renames, slice.head, slice.row, slice.column});
}

} // namespace

Result<std::string> numpyScript(const Trace &trace, const Selection &place) {
    if (const Result<float> value = valueAt(trace, place); !value)
        return value.error();
    const Slice cell = *asSlice(trace.plan(), *regionOf(trace.plan(), place));
    std::string title =
        stageName(place.stage, place.attention()) + ", sequence " + text(place.sequence);
    if (infoOf(place.stage).perHead)
        title += ", head " + text(place.head);
    title += ", row " + text(*cell.row) + ", column " + text(*cell.column);
    return Script(trace).write(title, place.sequence, cell);
}

} // namespace headlight::core
