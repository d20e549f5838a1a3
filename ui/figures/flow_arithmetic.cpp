#include "ui/figures/flow_arithmetic.h"

#include "core/analysis/cell_explanation.h"
#include "core/analysis/weighting.h"
#include "core/format_number.h"
#include "core/operations/dot_product.h"
#include "core/operations/position.h"
#include "ui/figures/cell_place.h"
#include "ui/figures/flow_parts.h"
#include "ui/figures/number_text.h"
#include "ui/figures/provenance.h"
#include "ui/figures/trace_heatmap.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

using core::Index;
using core::MatrixView;
using core::Role;
using core::Stage;

struct Words {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::Arithmetic)
};

/// A column of a weight matrix, or the part of a bias, that one number of a stage is made with.
struct Projection {
    const core::Matrix *weight = nullptr;
    const core::Matrix *bias = nullptr;
    QString letter;
    Index firstColumn = 0;
};

class Writer {
  public:
    Writer(const core::Trace &trace, const core::Selection &selection, const FigureStyle &style)
        : m_trace(trace),
          m_selection(selection),
          m_style(style),
          m_row(rowOf(selection).value_or(-1)),
          m_column(columnOf(selection)) {}

    Spans write() {
        const MatrixView own = matrix(m_selection.stage);
        if (m_row < 0 || m_row >= own.rows)
            return {};
        if (m_column && (*m_column < 0 || *m_column >= own.columns))
            m_column.reset();
        place();
        if (!hasSources()) {
            values(own, core::infoOf(m_selection.stage).role);
            return std::move(m_spans);
        }
        switch (m_selection.stage) {
        case Stage::Embeddings:
        case Stage::Positioned:
            values(own, Role::Residual);
            break;
        case Stage::EmbeddingSum:
            sum(own);
            break;
        case Stage::Query:
        case Stage::Key:
        case Stage::Value:
            linear(matrixOf(m_trace, atStage(m_selection, readBy(m_trace, m_selection))),
                   Role::Residual, own);
            break;
        case Stage::Scores:
            dotProduct(own);
            break;
        case Stage::ScaledScores:
            scale(own);
            break;
        case Stage::MaskedScores:
            mask(own);
            break;
        case Stage::UnmaskedWeights:
            weigh(matrix(Stage::ScaledScores), own);
            break;
        case Stage::Weights:
            weights(own);
            break;
        case Stage::Context:
            context(own);
            break;
        case Stage::Concatenated:
            concatenate(own);
            break;
        case Stage::Output:
            linear(matrix(Stage::Concatenated), Role::Context, own);
            break;
        default:
            break;
        }
        return std::move(m_spans);
    }

  private:
    MatrixView matrix(Stage stage, std::optional<Index> head = {}) const {
        core::Selection place = m_selection;
        place.stage = stage;
        place.head = head.value_or(m_selection.head);
        return matrixOf(m_trace, place);
    }
    /// A capture has the stages that were captured, which need not be all.
    bool hasSources() const {
        const auto has = [this](Stage stage) { return m_trace.has(stage, m_selection.site()); };
        switch (m_selection.stage) {
        case Stage::Embeddings:
        case Stage::Positioned:
            return true;
        case Stage::EmbeddingSum:
            return has(Stage::Embeddings);
        case Stage::Query:
        case Stage::Key:
        case Stage::Value:
            return true;
        case Stage::Scores:
            return has(Stage::Query) && has(Stage::Key);
        case Stage::ScaledScores:
            return has(Stage::Scores);
        case Stage::MaskedScores:
            return has(Stage::ScaledScores);
        case Stage::UnmaskedWeights:
            return has(Stage::ScaledScores);
        case Stage::Weights:
            return has(Stage::MaskedScores) || has(Stage::UnmaskedWeights);
        case Stage::Context:
            return has(Stage::Weights) && has(Stage::Value);
        case Stage::Concatenated:
            return m_trace.model().config.headSize > 0;
        case Stage::Output:
            return has(Stage::Concatenated);
        default:
            return false;
        }
        return false;
    }
    QString token(Index index) const {
        const auto &tokens = m_trace.batch()[m_selection.sequence].tokens;
        return tokenText(tokens[static_cast<std::size_t>(index)]);
    }

    void plain(const QString &text) { m_spans.append({text, m_style.text, false, {}}); }
    void muted(const QString &text) { m_spans.append({text, m_style.mutedText, false, {}}); }
    void number(const QString &text, Role role) {
        m_spans.append({text, m_style.colourOf(role), false, {}});
    }
    void highlighted(const QString &text) { m_spans.append({text, m_style.selection, true, {}}); }
    void equals(float result) {
        plain(QStringLiteral(" = "));
        highlighted(resultText(result));
    }
    /// A negative number that something stands before.
    static QString inBrackets(float value) {
        const QString text = termText(value);
        return value < 0 || std::signbit(value) ? QStringLiteral("(%1)").arg(text) : text;
    }
    void product(float a, Role roleOfA, float b, Role roleOfB) {
        number(termText(a), roleOfA);
        plain(QStringLiteral("·"));
        number(inBrackets(b), roleOfB);
    }
    /// "( 0.11 0.42 )", the selected column stressed.
    void vector(std::span<const float> numbers, Role role, std::optional<Index> stressed = {}) {
        plain(QStringLiteral("( "));
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            if (stressed == static_cast<Index>(i))
                highlighted(resultText(numbers[i]));
            else
                number(termText(numbers[i]), role);
            plain(QStringLiteral(" "));
        }
        plain(QStringLiteral(")"));
    }

    void place() {
        // In pieces from left to right: a word written from the right must not turn the others.
        muted(token(m_row));
        if (m_column && core::infoOf(m_selection.stage).overKeys()) {
            muted(QStringLiteral(" → "));
            muted(token(*m_column));
        } else if (m_column) {
            muted(QStringLiteral(" [%1]").arg(*m_column));
        }
        muted(QStringLiteral(":  "));
    }

    void values(const MatrixView &own, Role role) {
        if (!m_column)
            return vector(own.row(m_row), role);
        highlighted(resultText(own(m_row, *m_column)));
    }

    void sum(const MatrixView &own) {
        const MatrixView words = matrix(Stage::Embeddings);
        const core::Matrix positions = core::sinusoidalPositions(own.rows, own.columns);
        if (m_column) {
            number(termText(words(m_row, *m_column)), Role::Residual);
            plain(QStringLiteral(" + "));
            number(inBrackets(positions(m_row, *m_column)), Role::Residual);
            return equals(own(m_row, *m_column));
        }
        vector(words.row(m_row), Role::Residual);
        plain(QStringLiteral(" + "));
        vector(positions.view().row(m_row), Role::Residual);
        plain(QStringLiteral(" = "));
        vector(own.row(m_row), Role::Residual);
    }

    Projection projection() const {
        const auto &layer =
            m_trace.model().weights.main.layers[static_cast<std::size_t>(m_selection.layer)];
        const core::AttentionWeights &weights = layer.selfAttention;
        const Index first = m_selection.head * m_trace.model().config.headSize;
        switch (m_selection.stage) {
        case Stage::Query:
            return {weights.query.get(), weights.queryBias.get(), QStringLiteral("Q"), first};
        case Stage::Key:
            return {weights.key.get(), weights.keyBias.get(), QStringLiteral("K"), first};
        case Stage::Value:
            return {weights.value.get(), weights.valueBias.get(), QStringLiteral("V"), first};
        default:
            return {weights.output.get(), weights.outputBias.get(), QStringLiteral("O"), 0};
        }
    }

    void linear(const MatrixView &input, Role inputRole, const MatrixView &own) {
        const Projection by = projection();
        if (!by.weight)
            return values(own, inputRole);
        const Role role = m_selection.stage == Stage::Output ? Role::Context
                                                             : core::infoOf(m_selection.stage).role;
        if (!m_column) {
            vector(input.row(m_row), inputRole);
            plain(QStringLiteral(" · "));
            m_spans.append({QStringLiteral("W"), m_style.colourOf(role), true, {}});
            m_spans.append({by.letter, m_style.colourOf(role), true, Span::Place::Subscript});
            if (by.bias) {
                plain(QStringLiteral(" + "));
                vector(by.bias->view().columnBlock(by.firstColumn, own.columns).row(0), role);
            }
            plain(QStringLiteral(" = "));
            return vector(own.row(m_row), role);
        }
        const Index column = by.firstColumn + *m_column;
        for (Index i = 0; i < input.columns; ++i) {
            if (i > 0)
                plain(QStringLiteral(" + "));
            product(input(m_row, i), inputRole, (*by.weight)(i, column), role);
        }
        if (by.bias) {
            plain(QStringLiteral(" + "));
            number(inBrackets((*by.bias)(0, column)), role);
        }
        equals(own(m_row, *m_column));
        muted(Words::tr("   (column %1 of W_%2)").arg(column).arg(by.letter));
    }

    void dotProduct(const MatrixView &own) {
        const MatrixView query = matrix(Stage::Query);
        const MatrixView key = matrix(Stage::Key);
        if (m_column &&
            m_trace.input().interventions.scoreAt(m_selection.sequence, m_selection.layer,
                                                  m_selection.head, m_row, *m_column)) {
            highlighted(resultText(own(m_row, *m_column)));
            const float computed = core::dotProduct(query.row(m_row), key.row(*m_column)).sum;
            return muted(Words::tr("   (set by hand; computed: %1)").arg(resultText(computed)));
        }
        if (!m_column) {
            vector(query.row(m_row), Role::Query);
            plain(QStringLiteral(" · "));
            m_spans.append({QStringLiteral("Kᵀ"), m_style.key, true, {}});
            plain(QStringLiteral(" = "));
            return vector(own.row(m_row), Role::Scores);
        }
        for (Index i = 0; i < query.columns; ++i) {
            if (i > 0)
                plain(QStringLiteral(" + "));
            product(query(m_row, i), Role::Query, key(*m_column, i), Role::Key);
        }
        equals(own(m_row, *m_column));
    }

    QString divisor() const {
        const core::Config &config = m_trace.model().config;
        switch (config.scale.kind) {
        case core::Scale::Kind::SquareRoot:
            return QStringLiteral(" ÷ √%1").arg(config.headSize);
        case core::Scale::Kind::Number:
            return QStringLiteral(" ÷ ") + fullText(config.scale.number);
        case core::Scale::Kind::Off:
            break;
        }
        return {};
    }

    void scale(const MatrixView &own) {
        const MatrixView scores = matrix(Stage::Scores);
        if (m_column) {
            number(resultText(scores(m_row, *m_column)), Role::Scores);
            plain(divisor());
            return equals(own(m_row, *m_column));
        }
        vector(scores.row(m_row), Role::Scores);
        plain(divisor() + QStringLiteral(" = "));
        vector(own.row(m_row), Role::Scores);
    }

    void mask(const MatrixView &own) {
        const MatrixView scaled = matrix(Stage::ScaledScores);
        const core::Mask &masks = m_trace.mask(m_selection.sequence);
        const float value = m_trace.model().config.masking.value;
        if (std::isfinite(value)) {
            vectorOrNumber(scaled, Role::Scores);
            plain(QStringLiteral(" → "));
            vectorOrNumber(own, Role::Scores, true);
            if (!m_column || masks.hidden(m_row, *m_column))
                muted(Words::tr("   (%1 where a key is hidden)").arg(fullText(value)));
            return;
        }
        const auto added = [&](Index column) {
            return masks.hidden(m_row, column) ? QStringLiteral("−∞") : QStringLiteral("0");
        };
        if (m_column) {
            number(resultText(scaled(m_row, *m_column)), Role::Scores);
            plain(QStringLiteral(" + "));
            plain(masks.hidden(m_row, *m_column) ? QStringLiteral("(−∞)") : QStringLiteral("0"));
            return equals(own(m_row, *m_column));
        }
        vector(scaled.row(m_row), Role::Scores);
        plain(QStringLiteral(" + ( "));
        for (Index column = 0; column < own.columns; ++column)
            plain(added(column) + QLatin1Char(' '));
        plain(QStringLiteral(") = "));
        vector(own.row(m_row), Role::Scores);
    }

    /// The number of the selected cell, or the row.
    void vectorOrNumber(const MatrixView &from, Role role, bool result = false) {
        if (!m_column)
            return vector(from.row(m_row), role);
        const QString text = resultText(from(m_row, *m_column));
        if (result)
            highlighted(text);
        else
            number(text, role);
    }

    void rowSum(const MatrixView &own) {
        double total = 0;
        for (const float weight : own.row(m_row))
            total += static_cast<double>(weight);
        plain(QStringLiteral("  Σ = ") + QString::fromStdString(core::rounded(total, 4)));
    }

    /// Softmax of the row, or without softmax each number ÷ temperature.
    void weigh(const MatrixView &from, const MatrixView &own) {
        const core::Config &config = m_trace.model().config;
        if (!config.softmax) {
            vectorOrNumber(from, Role::Scores);
            if (config.temperature != 1)
                plain(QStringLiteral(" ÷ %1").arg(fullText(config.temperature)));
            plain(hidesByInfinity(from) ? QStringLiteral(" → ") : QStringLiteral(" = "));
            return vectorOrNumber(own, Role::Weights, true);
        }
        plain(QStringLiteral("softmax"));
        if (config.temperature != 1)
            plain(QStringLiteral("("));
        vector(from.row(m_row), Role::Scores, m_column);
        if (config.temperature != 1)
            plain(QStringLiteral(" ÷ %1)").arg(fullText(config.temperature)));
        plain(QStringLiteral(" = "));
        vector(own.row(m_row), Role::Weights, m_column);
        rowSum(own);
    }

    /// −∞ is not divided: what it hides is 0.
    bool hidesByInfinity(const MatrixView &from) const {
        if (m_column)
            return std::isinf(from(m_row, *m_column));
        const auto row = from.row(m_row);
        return std::any_of(row.begin(), row.end(), [](float score) { return std::isinf(score); });
    }

    void weights(const MatrixView &own) {
        const core::Mask &mask = m_trace.mask(m_selection.sequence);
        if (core::weightingOf(m_trace, m_selection.site(), m_selection.head).isUniform)
            return uniform(mask, own);
        if (!m_trace.model().config.masking.afterSoftmax)
            return weigh(matrix(Stage::MaskedScores), own);
        vectorOrNumber(matrix(Stage::UnmaskedWeights), Role::Weights);
        const auto kept = [&](Index column) {
            return mask.hidden(m_row, column) ? QStringLiteral("0") : QStringLiteral("1");
        };
        if (m_column) {
            plain(QStringLiteral("·") + kept(*m_column));
            return equals(own(m_row, *m_column));
        }
        plain(QStringLiteral(" ⊙ ( "));
        for (Index column = 0; column < own.columns; ++column)
            plain(kept(column) + QLatin1Char(' '));
        plain(QStringLiteral(") = "));
        vector(own.row(m_row), Role::Weights);
        rowSum(own);
    }

    void uniform(const core::Mask &mask, const MatrixView &own) {
        Index visible = 0;
        for (Index column = 0; column < own.columns; ++column)
            visible += mask.hidden(m_row, column) ? 0 : 1;
        if (!m_column) {
            vector(own.row(m_row), Role::Weights);
            rowSum(own);
        } else if (mask.hidden(m_row, *m_column)) {
            highlighted(resultText(own(m_row, *m_column)));
            return muted(Words::tr("   (hidden)"));
        } else {
            plain(QStringLiteral("1 ÷ %1").arg(visible));
            equals(own(m_row, *m_column));
        }
        muted(Words::tr("   (the head is uniform over the keys in sight: %1)").arg(visible));
    }

    void context(const MatrixView &own) {
        const core::HeadState state =
            m_trace.input().interventions.stateOf(m_selection.site(), m_selection.head);
        if (state == core::HeadState::Zero) {
            vectorOrNumber(own, Role::Context, true);
            return muted(Words::tr("   (the head is silenced)"));
        }
        if (state == core::HeadState::Mean)
            return mean(own);
        average(own);
    }

    void mean(const MatrixView &own) {
        core::Selection place = m_selection;
        place.query = m_row;
        place.dimension = m_column;
        const auto explained = core::explainVector(m_trace, place);
        plain(Words::tr("mean"));
        if (m_column && explained && explained->cell) {
            plain(QStringLiteral("( "));
            for (const core::Term &term : explained->cell->terms) {
                number(termText(term.left), Role::Context);
                plain(QStringLiteral(" "));
            }
            plain(QStringLiteral(")"));
        }
        plain(QStringLiteral(" = "));
        vectorOrNumber(own, Role::Context, true);
        muted(Words::tr("   (of the real tokens: the same for every row)"));
    }

    void average(const MatrixView &own) {
        const MatrixView weights = matrix(Stage::Weights);
        const MatrixView values = matrix(Stage::Value);
        for (Index j = 0; j < weights.columns; ++j) {
            if (j > 0)
                plain(QStringLiteral(" + "));
            if (m_column) {
                product(weights(m_row, j), Role::Weights, values(j, *m_column), Role::Value);
                continue;
            }
            number(termText(weights(m_row, j)), Role::Weights);
            plain(QStringLiteral("·"));
            m_spans.append({QStringLiteral("V"), m_style.value, true, {}});
            number(QStringLiteral("[%1]").arg(token(j)), Role::Value);
        }
        if (m_column)
            return equals(own(m_row, *m_column));
        plain(QStringLiteral(" = "));
        vector(own.row(m_row), Role::Context);
    }

    void head(Index index) {
        m_spans.append({QStringLiteral("Z"), m_style.context, true, {}});
        m_spans.append({QString::number(index), m_style.context, true, Span::Place::Subscript});
    }

    void concatenate(const MatrixView &own) {
        const core::Config &config = m_trace.model().config;
        if (m_column) {
            head(*m_column / config.headSize);
            number(QStringLiteral("[%1, %2]").arg(token(m_row)).arg(*m_column % config.headSize),
                   Role::Context);
            equals(own(m_row, *m_column));
            return muted(Words::tr("   (made by head %1)").arg(*m_column / config.headSize));
        }
        for (Index index = 0; index < config.heads; ++index) {
            if (index > 0)
                plain(QStringLiteral("  "));
            head(index);
            plain(QStringLiteral(" "));
            vector(own.columnBlock(index * config.headSize, config.headSize).row(m_row),
                   Role::Context);
        }
    }

    const core::Trace &m_trace;
    const core::Selection &m_selection;
    const FigureStyle &m_style;
    Index m_row;
    std::optional<Index> m_column;
    Spans m_spans;
};

QString shortText(float value, int decimals) {
    if (value == 0)
        return QStringLiteral("0");
    if (std::abs(value) >= 1e5f && std::isfinite(value))
        return fullText(value);
    return fixedText(static_cast<double>(value), decimals);
}

} // namespace

QString termText(float value) {
    return shortText(value, 2);
}

QString resultText(float value) {
    return shortText(value, 4);
}

Spans arithmeticOf(const core::Trace &trace, const core::Selection &selection,
                   const FigureStyle &style) {
    if (tensorOf(trace, selection.stage, selection.site()).isNull())
        return {};
    return Writer(trace, selection, style).write();
}

} // namespace headlight::ui
