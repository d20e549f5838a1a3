#include "core/analysis/cell_explanation.h"
#include "core/analysis/weighting.h"
#include "core/format_number.h"
#include "core/operations/alibi.h"
#include "core/operations/dot_product.h"
#include "core/operations/relative_position.h"
#include "core/operations/rotary.h"
#include "ui/figures/flow_arithmetic_parts.h"
#include "ui/figures/number_text.h"
#include "ui/figures/provenance.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::Arithmetic)
};

class Writer : public ArithmeticLine {
  public:
    using ArithmeticLine::ArithmeticLine;

    Spans write() {
        const SharedMatrix own = matrix(m_selection.stage);
        place();
        if (!hasSources()) {
            values(own, core::infoOf(m_selection.stage).role);
            return std::move(m_spans);
        }
        switch (m_selection.stage) {
        case Stage::UnrotatedQuery:
        case Stage::UnrotatedKey:
        case Stage::Value:
            project(own);
            break;
        case Stage::Query:
        case Stage::Key:
            if (has(unrotated()))
                rotate(own);
            else
                project(own);
            break;
        case Stage::Scores:
            dotProduct(own);
            break;
        case Stage::ScaledScores:
            scale(own);
            break;
        case Stage::PositionBias:
            positionBias(own);
            break;
        case Stage::BiasedScores:
            addBias(own);
            break;
        case Stage::MaskedScores:
            mask(own);
            break;
        case Stage::UnmaskedWeights:
            weigh(scoresBeforeMask(), own);
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
            gather(own);
            break;
        default:
            values(own, core::infoOf(m_selection.stage).role);
            break;
        }
        return std::move(m_spans);
    }

  private:
    /// A capture has the stages that were captured, which need not be all.
    bool hasSources() const {
        switch (m_selection.stage) {
        case Stage::Scores:
            return has(Stage::Query) && has(Stage::Key);
        case Stage::ScaledScores:
            return has(Stage::Scores);
        case Stage::BiasedScores:
            return has(Stage::ScaledScores) && has(Stage::PositionBias);
        case Stage::MaskedScores:
        case Stage::UnmaskedWeights:
            return has(scoresBeforeMask());
        case Stage::Weights:
            return has(Stage::MaskedScores) || has(Stage::UnmaskedWeights);
        case Stage::Context:
            return has(Stage::Weights) && has(Stage::Value);
        case Stage::Concatenated:
            return config().headSize > 0;
        case Stage::Output:
            return has(Stage::Concatenated);
        default:
            return m_trace.model().hasAttention(m_selection.site());
        }
    }
    Stage scoresBeforeMask() const {
        return has(Stage::BiasedScores) ? Stage::BiasedScores : Stage::ScaledScores;
    }
    Stage unrotated() const {
        return m_selection.stage == Stage::Query ? Stage::UnrotatedQuery : Stage::UnrotatedKey;
    }

    Projection projection() const {
        const core::AttentionWeights &weights = m_trace.model().attention(m_selection.site());
        const Index head = m_selection.head * config().headSize;
        const Index group = config().groupOf(m_selection.head) * config().headSize;
        switch (m_selection.stage) {
        case Stage::UnrotatedQuery:
        case Stage::Query:
            return {weights.query.get(), weights.queryBias.get(), QStringLiteral("Q"), head};
        case Stage::UnrotatedKey:
        case Stage::Key:
            return {weights.key.get(), weights.keyBias.get(), QStringLiteral("K"), group};
        case Stage::Value:
            return {weights.value.get(), weights.valueBias.get(), QStringLiteral("V"), group};
        default:
            return {weights.output.get(), weights.outputBias.get(), QStringLiteral("O"), 0};
        }
    }

    void project(const MatrixView &own) {
        const bool ofKeys = core::infoOf(m_selection.stage).ofKeys();
        const core::StageAt from =
            ofKeys ? attendedBy(m_trace, m_selection) : readBy(m_trace, m_selection);
        const SharedMatrix input = matrix(from);
        linear(input, Role::Residual, projection(), core::infoOf(m_selection.stage).role, own);
    }

    /// A pair of dimensions turns as the hand of a clock does: x·cos φ − y·sin φ.
    void gather(const MatrixView &own) {
        const SharedMatrix heads = matrix(Stage::Concatenated);
        linear(heads, Role::Context, projection(), Role::Context, own);
    }

    void rotate(const MatrixView &own) {
        const SharedMatrix from = matrix(unrotated());
        const Role role = core::infoOf(m_selection.stage).role;
        const core::RotaryTable table(config().rotary, config().headSize, own.rows);
        if (!m_column) {
            vector(from.row(m_row), role);
            plain(QStringLiteral(" → "));
            vector(own.row(m_row), role);
            return muted(Words::tr("   (turned by position %1)").arg(m_row));
        }
        const Index half = table.cosine.columns();
        if (*m_column >= 2 * half) {
            number(resultText(from(m_row, *m_column)), role);
            equals(own(m_row, *m_column));
            return muted(Words::tr("   (this dimension does not turn)"));
        }
        const bool first = *m_column < half;
        const Index pair = first ? *m_column : *m_column - half;
        const Index other = first ? pair + half : pair;
        product(from(m_row, *m_column), role, table.cosine(m_row, pair), Role::Scores);
        plain(first ? QStringLiteral(" − ") : QStringLiteral(" + "));
        number(inBrackets(from(m_row, other)), role);
        plain(QStringLiteral("·"));
        number(inBrackets(table.sine(m_row, pair)), Role::Scores);
        equals(own(m_row, *m_column));
        muted(Words::tr("   (with dimension %1: x·cos φ %2 y·sin φ, position %3)")
                  .arg(other)
                  .arg(first ? QStringLiteral("−") : QStringLiteral("+"))
                  .arg(m_row));
    }

    void positionBias(const MatrixView &own) {
        if (!m_column)
            return vector(own.row(m_row), Role::Scores);
        const Index distance = *m_column - m_row;
        if (config().positions == core::Positions::Alibi) {
            const float slope =
                core::alibiSlopes(config().heads)[static_cast<std::size_t>(m_selection.head)];
            plain(QStringLiteral("−%1·|%2 − %3|").arg(fullText(slope)).arg(m_row).arg(*m_column));
            return equals(own(m_row, *m_column));
        }
        const bool bothWays = m_selection.stack != core::Stack::Decoder;
        plain(Words::tr("bucket %1 of the distance %2")
                  .arg(core::relativeBucket(distance, config().relative, bothWays))
                  .arg(distance));
        equals(own(m_row, *m_column));
    }

    void addBias(const MatrixView &own) {
        const SharedMatrix scaled = matrix(Stage::ScaledScores);
        vectorOrNumber(scaled, Role::Scores);
        plain(QStringLiteral(" + "));
        if (!m_column) {
            const SharedMatrix bias = matrix(Stage::PositionBias);
            vector(bias.row(m_row), Role::Scores);
            plain(QStringLiteral(" = "));
            return vector(own.row(m_row), Role::Scores);
        }
        number(inBrackets(matrix(Stage::PositionBias)(m_row, *m_column)), Role::Scores);
        equals(own(m_row, *m_column));
    }

    void dotProduct(const MatrixView &own) {
        const SharedMatrix query = matrix(Stage::Query);
        const SharedMatrix keys = matrix(Stage::Key);
        if (m_column &&
            m_trace.input().interventions.scoreAt(m_selection.sequence, m_selection.site(),
                                                  m_selection.head, m_row, *m_column)) {
            highlighted(resultText(own(m_row, *m_column)));
            const float computed = core::dotProduct(query.row(m_row), keys.row(*m_column)).sum;
            return muted(Words::tr("   (set by hand; computed: %1)").arg(resultText(computed)));
        }
        if (!m_column) {
            vector(query.row(m_row), Role::Query);
            plain(QStringLiteral(" · "));
            letter(QStringLiteral("Kᵀ"), {}, Role::Key);
            plain(QStringLiteral(" = "));
            return vector(own.row(m_row), Role::Scores);
        }
        for (Index i = 0; i < query.columns; ++i) {
            if (i > 0)
                plain(QStringLiteral(" + "));
            product(query(m_row, i), Role::Query, keys(*m_column, i), Role::Key);
        }
        equals(own(m_row, *m_column));
    }

    QString divisor() const {
        const core::Config &config = this->config();
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
        const SharedMatrix scores = matrix(Stage::Scores);
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
        const SharedMatrix scaled = matrix(scoresBeforeMask());
        const core::Mask &masks = m_trace.mask(m_selection.sequence, m_selection.site());
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

    void rowSum(const MatrixView &own) {
        double total = 0;
        for (const float weight : own.row(m_row))
            total += static_cast<double>(weight);
        plain(QStringLiteral("  Σ = ") + numberText(total, 4));
    }

    /// Softmax of the row, or without softmax each number ÷ temperature.
    void weigh(Stage before, const MatrixView &own) {
        const SharedMatrix from = matrix(before);
        const core::Config &config = this->config();
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
        const core::Mask &mask = m_trace.mask(m_selection.sequence, m_selection.site());
        if (core::weightingOf(m_trace, m_selection.site(), m_selection.head).isUniform)
            return uniform(mask, own);
        if (!m_trace.model().config.masking.afterSoftmax)
            return weigh(Stage::MaskedScores, own);
        const SharedMatrix unmasked = matrix(Stage::UnmaskedWeights);
        vectorOrNumber(unmasked, Role::Weights);
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
        const SharedMatrix weights = matrix(Stage::Weights);
        const SharedMatrix values = matrix(Stage::Value);
        for (Index j = 0; j < weights.columns; ++j) {
            if (j > 0)
                plain(QStringLiteral(" + "));
            if (m_column) {
                product(weights(m_row, j), Role::Weights, values(j, *m_column), Role::Value);
                continue;
            }
            number(termText(weights(m_row, j)), Role::Weights);
            plain(QStringLiteral("·"));
            letter(QStringLiteral("V"), {}, Role::Value);
            number(QStringLiteral("[%1]").arg(key(j)), Role::Value);
        }
        if (m_column)
            return equals(own(m_row, *m_column));
        plain(QStringLiteral(" = "));
        vector(own.row(m_row), Role::Context);
    }

    void head(Index index) { letter(QStringLiteral("Z"), QString::number(index), Role::Context); }

    void concatenate(const MatrixView &own) {
        const core::Config &config = this->config();
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
};

} // namespace

Spans attentionArithmetic(const core::Trace &trace, const core::Selection &selection,
                          const FigureStyle &style) {
    return Writer(trace, selection, style).write();
}

} // namespace headlight::ui
