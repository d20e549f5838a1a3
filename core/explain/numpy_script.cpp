// Follows the plan from the cell back to the stages that become inputs of the script. One function
// per operation returns the NumPy expression of a slice.
#include "core/explain/numpy_script.h"

#include "core/explain/numpy_text.h"
#include "core/explain/sources.h"
#include "core/selection/selected.h"
#include "core/transformer/run/operands.h"

#include <algorithm>
#include <cassert>
#include <cctype>
#include <limits>
#include <map>

namespace headlight::core {

namespace {

using numpy::assign;
using numpy::number;

std::string text(Index index) {
    return std::to_string(index);
}

/// Returns "x / np.sqrt(3)"; only x if the divisor is 1.
std::string divided(const std::string &x, float divisor) {
    return divisor == 1 ? x : x + " / " + number(divisor);
}

/// Applies the activation to `x`, a variable name.
std::string activated(Activation which, const std::string &x) {
    switch (which) {
    case Activation::Relu:
        return "np.maximum(" + x + ", 0)";
    case Activation::Gelu: // Hendrycks and Gimpel (2016)
        return x + " * (1 + np.vectorize(math.erf)(" + x + " / np.sqrt(2))) / 2";
    case Activation::GeluTanh:
        return x + " * (1 + np.tanh(np.sqrt(2 / np.pi) * (" + x + " + 0.044715 * " + x +
               " ** 3))) / 2";
    case Activation::Silu:
        return x + " / (1 + np.exp(-" + x + "))";
    case Activation::QuickGelu:
        return x + " / (1 + np.exp(-1.702 * " + x + "))";
    case Activation::SquaredRelu:
        return "np.maximum(" + x + ", 0) ** 2";
    }
    assert(false);
    return x;
}

/// The lines of the script, and the variables that hold values used again.
class Script {
  public:
    explicit Script(const Trace &trace) : m_trace(trace), m_plan(trace.plan()) {}

    /// Writes a script that prints the slice. Errors: a parameter that cannot be read.
    Result<std::string> write(const std::string &title, Index sequence, const Slice &cell) {
        const std::string last = made(sequence, cell);
        if (m_unreadable)
            return *m_unreadable;
        return "import numpy as np\n" + std::string(m_needsMath ? "import math\n" : "") + "\n# " +
               title + "\n" + m_lines + "print(" + last + ")\n";
    }

  private:
    class Making;

    /// Returns the expression of a slice from the operation of its step.
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
        const std::string one = step.at.stage == Stage::PositionBias          ? "bias"
                                : infoOf(step.at.stage).role == Role::Weights ? "weight"
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
    /// Writes a part of a matrix: a number, a vector or all of it.
    template <typename Numbers> // a matrix, or a block of a parameter
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
    /// Called after the values were taken, to detect that their file has become unreadable.
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
    /// Returns the name, with a number appended if it is taken.
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

/// Writes one slice of one step.
class Script::Making {
  public:
    Making(Script &script, Index sequence, const Slice &made)
        : m_script(script),
          m_step(script.m_plan[made.step]),
          m_sequence(sequence),
          m_made(made),
          m_reads(readsOf(script.m_trace, sequence, made)) {}

    std::string expression() {
        const Operation *change =
            m_step.changeAt(m_step.sequences() == 1 ? 0 : m_sequence, m_made.head);
        if (change && replaces(*change))
            return std::visit(*this, *change);
        if (const auto *set = change ? std::get_if<op::SetCells>(change) : nullptr)
            return withSetCells(*set);
        if (change)
            return std::visit(*this, *change);
        return std::visit(*this, m_step.operation);
    }

    std::string operator()(const op::Captured &) { return inGivenRow("as it was captured"); }
    std::string operator()(const op::Clone &) { return read(0); }
    std::string operator()(const op::EmbeddingLookup &) { return inGivenRow("the token's vector"); }

    std::string operator()(const op::AddSinusoids &of) {
        const Index width = m_step.shape.last(0);
        const std::string x = read(0);
        if (m_made.row && m_made.column && of.order == SinusoidOrder::Interleaved) {
            const Index i = *m_made.column;
            m_script.m_lines +=
                assign("p",
                       std::string(i % 2 == 0 ? "np.sin(" : "np.cos(") + text(*m_made.row) +
                           " / 10000 ** (" + text(i - i % 2) + " / " + text(width) + "))",
                       "sinusoidal position, Vaswani et al. (2017), section 3.5");
        } else {
            const Matrix all = sinusoidalPositions(m_step.shape.last(1), width, of.order);
            m_script.give("p", all.view(), m_made.row, m_made.column,
                          "sinusoidal position, Vaswani et al. (2017), section 3.5");
        }
        return x + " + p";
    }
    std::string operator()(const op::AddPositions &of) {
        const std::string x = read(0);
        return x + " + " + rowOfParameter("p", *m_made.row + of.offset);
    }
    std::string operator()(const op::AddTokenTypes &) {
        const std::string x = read(0);
        const std::vector<Index> &types = batch()[m_sequence].tokenTypes;
        return x + " + " +
               rowOfParameter("t",
                              types.empty() ? 0 : types[static_cast<std::size_t>(*m_made.row)]);
    }

    std::string operator()(const op::Normalise &of) {
        std::string x, one;
        if (of.kind == NormKind::Batch) {
            x = m_script.fresh("x");
            std::string all;
            for (Index b = 0; b < batch().count(); ++b) {
                const std::string column = m_script.named(b, m_reads[0]);
                all += (b > 0 ? ", " : "") + column + "[:" + text(batch()[b].length) + "]";
                if (b == m_sequence)
                    one = column + "[" + text(*m_made.row) + "]";
            }
            m_script.m_lines +=
                assign(x, "np.concatenate([" + all + "])", "every real token of the batch");
        } else {
            x = read(0);
            one = m_made.column ? x + "[" + text(*m_made.column) + "]" : x;
        }
        const std::string epsilon = number(of.epsilon);
        std::string made =
            of.kind == NormKind::RootMeanSquare
                ? one + " / np.sqrt((" + x + " ** 2).mean() + " + epsilon + ")"
                : "(" + one + " - " + x + ".mean()) / np.sqrt(" + x + ".var() + " + epsilon + ")";
        if (hasParameter(0))
            made += " * " + rowOfParameter("gain", 0);
        if (hasParameter(1))
            made += " + " + rowOfParameter("b", 0);
        return made;
    }

    std::string operator()(const op::Linear &of) {
        const std::string x = read(0);
        const ParameterBlock weight = parameter(0);
        const std::string name = nameOf(m_step.parameters[0].id);
        const std::string w = m_script.fresh(m_made.column ? "w" : "W");
        const auto split = m_step.parameters[0].split;
        const Index row = split == ParameterSlice::Split::Rows ? m_made.head * weight.rows : 0;
        const Index first =
            split == ParameterSlice::Split::Columns ? m_made.head * weight.columns : 0;
        if (of.transposed && m_made.column)
            m_script.give(w, weight, m_made.column, {}, name + "[" + text(*m_made.column) + ", :]");
        else if (of.transposed)
            m_script.give(w, weight, {}, {}, name);
        else if (m_made.column)
            m_script.give(w, weight, {}, m_made.column,
                          name + "[" + (row > 0 ? text(row) : "") + ":, " +
                              text(first + *m_made.column) + "]");
        else
            m_script.give(w, weight, {}, {}, name);
        std::string made = x + " @ " + w + (of.transposed && !m_made.column ? ".T" : "");
        if (hasParameter(1))
            made += " + " + rowOfParameter("b", 0);
        return made;
    }

    std::string operator()(const op::ApplyRotary &of) {
        const std::string x = read(0);
        if (m_reads.size() < 2)
            return x;
        const auto pairs = static_cast<Index>(of.turns.frequencies.size());
        const RotaryTable table(of.turns, *m_made.row + 1);
        const Index pair = *m_made.column % pairs;
        const std::string y = read(1);
        m_script.m_lines += assign("cosine, sine",
                                   number(table.cosine(*m_made.row, pair)) + ", " +
                                       number(table.sine(*m_made.row, pair)),
                                   "of position " + text(*m_made.row));
        return x + " * cosine " + (*m_made.column < pairs ? "-" : "+") + " " + y + " * sine";
    }

    std::string operator()(const op::DotProduct &) {
        const std::string query = read(0), keys = read(1);
        return m_made.column ? query + " @ " + keys : keys + " @ " + query;
    }
    std::string operator()(const op::Scale &of) {
        const std::string x = read(0);
        if (of.root > 0)
            return x + (of.divides ? " / np.sqrt(" : " * np.sqrt(") + text(of.root) + ")";
        return divided(x, of.divisor);
    }
    std::string operator()(const op::Softcap &of) {
        const std::string limit = number(of.limit);
        return limit + " * np.tanh(" + read(0) + " / " + limit + ")";
    }
    std::string operator()(const op::AlibiBias &of) {
        const std::string slope =
            "-" + number(of.slopes[static_cast<std::size_t>(m_made.head)]) + " * ";
        if (m_made.column)
            return slope + "abs(" + text(*m_made.column - *m_made.row) + ")";
        return slope + "np.abs(np.arange(" + text(m_step.shape.last(0)) + ") - " +
               text(*m_made.row) + ")";
    }
    std::string operator()(const op::RelativeBias &) {
        const SharedMatrix bias =
            m_script.m_trace.rows(m_made.step, 0, m_made.head, {*m_made.row, 1});
        m_script.give("bias", bias, 0, m_made.column,
                      nameOf(m_step.parameters[0].id) + ", by the bucket of the distance");
        return "bias";
    }
    std::string operator()(const op::Add &) {
        const std::string x = read(0), y = read(1);
        return x + " + " + y;
    }

    std::string operator()(const op::Mask &of) {
        if (m_made.column && mask().hidden(*m_made.row, *m_made.column)) {
            m_script.m_lines += "# hidden by the mask\n";
            return number(of.value);
        }
        const std::string x = read(0);
        if (const std::string hidden = keys(true); !m_made.column && !hidden.empty())
            m_script.m_lines +=
                assign(x + "[[" + hidden + "]]", number(of.value), "hidden by the mask");
        return x;
    }
    std::string operator()(const op::Softmax &of) {
        const std::string index = m_made.column ? "[" + text(*m_made.column) + "]" : "";
        const SharedMatrix scores =
            m_script.m_trace.rows(m_reads[0].step, m_sequence, m_reads[0].head, {*m_made.row, 1});
        const auto isHidden = [](float score) {
            return score == -std::numeric_limits<float>::infinity();
        };
        if (std::ranges::all_of(scores.row(0), isHidden)) {
            m_script.m_lines += "# the mask hides every key\n";
            return "np.zeros(" + text(scores.columns) + ")" + index;
        }
        const std::string x = read(0);
        const std::string below = x + " - " + x + ".max()";
        const std::string exponent =
            of.temperature == 1 ? below : divided("(" + below + ")", of.temperature);
        m_script.m_lines += assign("e", "np.exp(" + exponent + ")", "");
        return "e" + index + " / e.sum()";
    }
    std::string operator()(const op::NoSoftmax &of) {
        const std::string x = read(0);
        return "np.where(" + x + " == -np.inf, 0, " + divided(x, of.temperature) + ")";
    }
    std::string operator()(const op::UniformWeights &) {
        const bool isHidden = m_made.column && mask().hidden(*m_made.row, *m_made.column);
        m_script.m_lines += assign("visible", "[" + keys(false) + "]", "the head is uniform");
        if (m_made.column)
            return isHidden ? "0" : "1 / len(visible)";
        m_script.m_lines += assign("weights", "np.zeros(" + text(mask().keys()) + ")", "");
        if (!keys(false).empty())
            m_script.m_lines += assign("weights[visible]", "1 / len(visible)", "");
        return "weights";
    }

    std::string operator()(const op::WeightedSum &) {
        const std::string weights = read(0), values = read(1);
        return weights + " @ " + values;
    }
    std::string operator()(const op::Zero &) { return "0.0"; }
    std::string operator()(const op::MeanRows &) {
        const std::string weights = read(0), values = read(1);
        m_script.m_lines += "# the head gives the mean of its real tokens\n";
        return "(" + weights + " @ " + values + ")[:" + text(batch()[m_sequence].length) +
               "].mean()";
    }
    std::string operator()(const op::ConcatHeads &) {
        if (!m_made.column) {
            std::string all;
            for (const Slice &head : m_reads)
                all += (all.empty() ? "" : ", ") + m_script.named(m_sequence, head);
            return "np.concatenate([" + all + "])";
        }
        m_script.m_lines +=
            "# heads side by side: the number is head " + text(m_reads[0].head) + "'s context\n";
        return m_script.made(m_sequence, m_reads[0]);
    }

    std::string operator()(const op::SplitHeads &) { return read(0); }

    std::string operator()(const op::Activate &of) { return activation(of.activation); }
    std::string operator()(const op::Gate &of) {
        const std::string gate = activation(of.activation);
        return "(" + gate + ") * " + read(1);
    }
    std::string operator()(const op::Pool &of) {
        const Index sequence = *m_made.row; // each row is a sequence
        const std::string x = m_script.named(sequence, m_reads[0]);
        if (of.pooling != Pooling::Mean)
            return x;
        return x + "[:" + text(m_script.m_trace.batch()[sequence].length) + "]" +
               (m_made.column ? ".mean()" : ".mean(axis=0)");
    }
    std::string operator()(const op::Tanh &) { return "np.tanh(" + read(0) + ")"; }
    std::string operator()(const op::SetCells &) { return read(0); } // see withSetCells()

  private:
    std::string read(std::size_t which) { return m_script.named(m_sequence, m_reads[which]); }
    const Batch &batch() const { return m_script.m_trace.input().of(m_step.at.attention.stack); }
    const Mask &mask() const { return m_script.m_trace.mask(m_sequence, m_step.at.attention); }

    ParameterBlock parameter(std::size_t which) const {
        return sliceOf(m_script.m_trace.model().parameters, m_step.parameters[which],
                       m_step.heads(), m_made.head);
    }
    bool hasParameter(std::size_t which) const {
        return which < m_step.parameters.size() && !parameter(which).empty();
    }
    /// Writes a parameter's row, restricted to the slice's columns.
    std::string rowOfParameter(const std::string &letter, Index row) {
        const auto which = static_cast<std::size_t>(m_step.parameters.size() > 1 && letter == "b");
        const std::string name = m_script.fresh(letter);
        m_script.give(name, parameter(which), row, m_made.column,
                      nameOf(m_step.parameters[which].id));
        return name;
    }
    /// Writes the whole row for reference and returns the cell's element of it.
    std::string inGivenRow(const std::string &comment) {
        m_script.m_lines += "# " + comment + "\n";
        const Slice row{m_made.step, m_made.head, m_made.row, {}};
        return m_script.given(m_sequence, row) + "[" + text(*m_made.column) + "]";
    }
    std::string activation(Activation which) {
        m_script.m_needsMath |= which == Activation::Gelu;
        return activated(which, read(0));
    }
    /// Writes the scores and the overrides set by hand.
    std::string withSetCells(const op::SetCells &set) {
        std::string lines;
        for (const op::SetCells::Cell &cell : set.cells) {
            if (cell.row != m_made.row)
                continue;
            if (cell.column == m_made.column) {
                m_script.m_lines += "# set by hand\n";
                return number(cell.value);
            }
            if (!m_made.column)
                lines +=
                    assign("scores[" + text(cell.column) + "]", number(cell.value), "set by hand");
        }
        const std::string made = std::visit(*this, m_step.operation);
        if (lines.empty())
            return made;
        m_script.m_lines += assign("scores", made, "") + lines;
        return "scores";
    }
    /// Lists the keys that are hidden from, or visible to, the row's query: "0, 3".
    std::string keys(bool hidden) const {
        std::string list;
        for (Index key = 0; key < mask().keys(); ++key)
            if (mask().hidden(*m_made.row, key) == hidden)
                list += (list.empty() ? "" : ", ") + text(key);
        return list;
    }

    Script &m_script;
    const Step &m_step;
    Index m_sequence;
    Slice m_made;
    std::vector<Slice> m_reads;
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
