#include "core/analysis/numpy_cell.h"

#include "core/analysis/numpy_text.h"

namespace headlight::core::numpy {

namespace {

std::string text(Index index) {
    return std::to_string(index);
}

/// The activation of `x`, which is a name or in brackets.
std::string activation(Activation which, const std::string &x) {
    switch (which) {
    case Activation::Relu:
        return "np.maximum(" + x + ", 0)";
    case Activation::Gelu: // Hendrycks and Gimpel (2016)
        return x + " * (1 + np.vectorize(math.erf)(" + x + " / np.sqrt(2))) / 2";
    case Activation::GeluTanh:
        return x + " * (1 + np.tanh(np.sqrt(2 / np.pi) * (" + x + " + 0.044715 * " + x +
               " ** 3))) / 2";
    case Activation::Silu:
        break;
    }
    return x + " / (1 + np.exp(-" + x + "))";
}

std::string importFor(Activation which) {
    return which == Activation::Gelu ? "import math\n" : "";
}

/// From `x` and a `one` of its numbers; both are names.
std::string normed(const NormOrigin &norm, const std::string &x, const std::string &one) {
    const std::string epsilon = number(norm.epsilon);
    std::string made =
        norm.kind == NormKind::RootMeanSquare
            ? one + " / np.sqrt((" + x + " ** 2).mean() + " + epsilon + ")"
            : "(" + one + " - " + x + ".mean()) / np.sqrt(" + x + ".var() + " + epsilon + ")";
    if (norm.gain)
        made += " * " + number(*norm.gain);
    if (norm.bias)
        made += " + " + number(*norm.bias);
    return "print(" + made + ")\n";
}

class Cell {
  public:
    Cell(const Trace &trace, const Selection &place, Index row, const CellExplanation &cell)
        : m_trace(trace), m_place(place), m_row(row), m_cell(cell) {}

    std::string script() const {
        switch (m_cell.origin) {
        case Origin::LookUp:
            return vector("word", wordRow(), "the embedding matrix's row " + text(*m_cell.word)) +
                   "print(word[" + text(m_cell.dimension) + "])\n";
        case Origin::Sum:
            return sum();
        case Origin::Linear:
            return terms("x", "w") + bias() +
                   (m_cell.bias ? "print(x @ w + b)\n" : "print(x @ w)\n");
        case Origin::Norm:
            return norm();
        case Origin::Rotated:
            return rotation();
        case Origin::Activated:
            return activated();
        case Origin::Transformed:
            return transformed();
        case Origin::Softmax:
            return vector("logits", sourceRow(), "row " + text(m_row)) +
                   "e = np.exp(logits - logits.max())\nprint(e[" + text(m_cell.dimension) +
                   "] / e.sum())\n";
        case Origin::Pooled:
            return pooled();
        default:
            break;
        }
        const SharedMatrix own =
            matrixAt(m_trace, {m_place.stage, m_place.site()}, m_place.sequence, m_place.head);
        return vector("x", own.row(m_row), "the token's own vector") + "print(x[" +
               text(m_cell.dimension) + "])\n";
    }

  private:
    std::vector<float> sourceRow() const {
        const SharedMatrix rows = matrixAt(m_trace, *m_cell.from, m_place.sequence, m_place.head);
        const auto row = rows.row(m_row);
        return {row.begin(), row.end()};
    }
    std::span<const float> wordRow() const {
        return parameterOf(m_trace.model().weights, *m_cell.weights)->view().row(*m_cell.word);
    }
    std::string weightsName() const { return nameOf(*m_cell.weights); }

    std::string terms(const std::string &left, const std::string &right) const {
        std::vector<float> lefts, rights;
        for (const Term &term : m_cell.terms) {
            lefts.push_back(term.left);
            rights.push_back(term.right);
        }
        const std::string which =
            m_cell.isTransposed ? "[" + text(m_cell.column) + ", :]"
                                : "[" + text(m_cell.firstRow) + ":, " + text(m_cell.column) + "]";
        return vector(left, lefts, stageName(m_cell.from->stage, m_cell.from->site)) +
               vector(right, rights, weightsName() + which);
    }
    std::string bias() const {
        return m_cell.bias ? assign("b", number(*m_cell.bias), "its bias") : "";
    }

    std::string sum() const {
        std::string lines, made;
        char name[] = "a"; // a + b + c
        for (const Addend &addend : m_cell.addends) {
            lines += assign(name, numberOf(addend), commentOf(addend));
            made += (made.empty() ? "" : " + ") + std::string(name);
            ++name[0];
        }
        return lines + "print(" + made + ")\n";
    }
    std::string numberOf(const Addend &addend) const {
        const Config &config = m_trace.model().config;
        if (addend.kind == Addend::Kind::Position && config.positions == Positions::Sinusoidal &&
            config.sinusoidOrder == SinusoidOrder::Interleaved) {
            const Index i = m_cell.dimension;
            return std::string(i % 2 == 0 ? "np.sin(" : "np.cos(") + text(addend.row) +
                   " / 10000 ** (" + text(i - i % 2) + " / " + text(config.tokenWidth()) + "))";
        }
        return number(addend.number) + (addend.factor == 1 ? "" : " * " + number(addend.factor));
    }
    std::string commentOf(const Addend &addend) const {
        switch (addend.kind) {
        case Addend::Kind::Position:
            return m_trace.model().config.positions == Positions::Sinusoidal
                       ? "sinusoidal position, Vaswani et al. (2017), section 3.5"
                       : "learned position " + text(addend.row);
        case Addend::Kind::TokenType:
            return "token type " + text(addend.row);
        default:
            return stageName(addend.from->stage, addend.from->site);
        }
    }

    std::string norm() const {
        const NormOrigin &norm = *m_cell.norm;
        if (norm.kind != NormKind::Batch)
            return vector("x", sourceRow(), "row " + text(m_row)) +
                   normed(norm, "x", "x[" + text(m_cell.dimension) + "]");
        const Batch &batch = m_trace.input().of(m_cell.from->site.stack);
        std::vector<float> channel;
        for (Index b = 0; b < batch.count(); ++b)
            for (Index t = 0; t < batch[b].length; ++t)
                channel.push_back(matrixAt(m_trace, *m_cell.from, b, 0)(t, m_cell.dimension));
        return vector("x", channel, "the channel, over every real token of the batch") +
               assign("one", number(norm.input), "of this token") + normed(norm, "x", "one");
    }

    std::string rotation() const {
        const RotationOrigin &turn = *m_cell.rotation;
        return assign("x", number(turn.own), "dimension " + text(m_cell.dimension)) +
               assign("y", number(turn.other), "dimension " + text(turn.partner)) +
               assign("cosine, sine", number(turn.cosine) + ", " + number(turn.sine),
                      "of position " + text(turn.position)) +
               "print(x * cosine " + (turn.isFirst ? "-" : "+") + " y * sine)\n";
    }

    std::string activated() const {
        const ActivationOrigin &made = *m_cell.activation;
        std::string lines = importFor(made.activation) + assign("x", number(made.input), "");
        std::string value = activation(made.activation, "x");
        if (made.hidden) {
            lines += assign("hidden", number(*made.hidden), "");
            value = "(" + value + ") * hidden";
        }
        return lines + "print(" + value + ")\n";
    }

    /// All that the norm reads: the whole row, or the channel of every token.
    std::string transformed() const {
        const ActivationOrigin &made = *m_cell.activation;
        if (!m_cell.norm)
            return importFor(made.activation) + terms("t", "w") + bias() + "x = t @ w" +
                   (m_cell.bias ? " + b" : "") + "\nprint(" + activation(made.activation, "x") +
                   ")\n";
        const HeadWeights &head = m_trace.model().weights.head;
        const bool batch = m_cell.norm->kind == NormKind::Batch;
        std::string lines = importFor(made.activation);
        if (batch) {
            lines += "rows = []\n";
            for (Index b = 0; b < m_trace.batch().count(); ++b) {
                const SharedMatrix rows =
                    matrixAt(m_trace, *m_cell.from, b, 0).rowBlock(0, m_trace.batch()[b].length);
                lines += matrix("t", rows, "sequence " + text(b)) + "rows.append(t)\n";
            }
            lines += "t = np.concatenate(rows)\n";
            lines += vector("one", sourceRow(), "of this token");
        } else {
            lines += vector("t", sourceRow(), "row " + text(m_row));
        }
        lines += matrix("W", head.transform->view(), "head_transform");
        lines += head.transformBias
                     ? vector("b", head.transformBias->view().row(0), "head_transform_bias")
                     : "b = 0\n";
        const std::string column = text(m_cell.dimension);
        lines += "def act(x):\n    return " + activation(made.activation, "x") + "\n";
        if (!batch)
            return lines + "u = act(t @ W + b)\n" + normed(*m_cell.norm, "u", "u[" + column + "]");
        return lines + "u = act(t @ W + b)[:, " + column + "]\nv = act(one @ W + b)[" + column +
               "]\n" + normed(*m_cell.norm, "u", "v");
    }

    std::string pooled() const {
        if (m_cell.pooled->isMapped)
            return terms("x", "w") + bias() + "print(np.tanh(x @ w" + (m_cell.bias ? " + b" : "") +
                   "))\n";
        std::vector<float> column;
        for (const Term &term : m_cell.terms)
            column.push_back(term.left);
        return vector("x", column, "dimension " + text(m_cell.dimension) + ", token by token") +
               "print(x.mean())\n";
    }

    const Trace &m_trace;
    const Selection &m_place;
    Index m_row;
    const CellExplanation &m_cell;
};

} // namespace

std::string cellScript(const Trace &trace, const Selection &place, Index row,
                       const CellExplanation &cell) {
    return Cell(trace, place, row, cell).script();
}

} // namespace headlight::core::numpy
