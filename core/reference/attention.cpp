// Multi-head attention: Attention(Q, K, V) = softmax(Q·Kᵀ/√d + M)·V (Vaswani et al. 2017, section
// 3.2).
#include "core/reference/pass.h"

#include <cmath>
#include <limits>

namespace headlight::core::reference {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Returns the factor of the scores.
double scaleOf(const Config &config) {
    switch (config.scale.kind) {
    case Scale::Kind::SquareRoot:
        return 1 / std::sqrt(static_cast<double>(config.headSize));
    case Scale::Kind::Number:
        return 1 / static_cast<double>(config.scale.number);
    case Scale::Kind::Off:
        break;
    }
    return 1;
}

/// One attention module of a layer.
class Attention {
  public:
    Attention(const Pass &pass, const Config &config, AttentionId at)
        : m_pass(pass),
          m_config(config),
          m_at(at),
          m_W(pass.model.attentionParameters(at)),
          m_T(pass.input.queries(at).length()),
          m_S(pass.input.keys(at).length()) {}

    MatrixXd operator()(const MatrixXd &X, const MatrixXd &memory) const {
        const Index B = m_pass.sequences(), H = m_config.heads, G = m_config.groups();
        const Index d = m_config.headSize, dv = m_config.valueWidth();
        MatrixXd Q = linear(m_pass, X, m_W.query, m_W.queryBias);
        MatrixXd K = linear(m_pass, memory, m_W.key, m_W.keyBias);
        MatrixXd V = linear(m_pass, memory, m_W.value, m_W.valueBias);
        if (m_config.normsQueries()) { // Henry et al. (2020)
            showBoth(Stage::ProjectedQuery, Q, Stage::ProjectedKey, K);
            Q = headsNormalised(Q, H, m_W.queryNorm, m_pass.input.queries(m_at));
            K = headsNormalised(K, G, m_W.keyNorm, m_pass.input.keys(m_at));
        }
        if (isSelf() && m_config.rotates(m_at.layer)) {
            showBoth(Stage::UnrotatedQuery, Q, Stage::UnrotatedKey, K);
            Q = headsRotated(Q, H);
            K = headsRotated(K, G);
        }
        showBoth(Stage::Query, Q, Stage::Key, K);
        m_pass.showHeads({Stage::Value, m_at}, V, G);

        MatrixXd Z(B * m_T, H * dv); // the heads' contexts, concatenated
        for (Index b = 0; b < B; ++b) {
            const Visible visible = visibleKeys(m_pass, m_config, m_at, b);
            for (Index h = 0; h < H; ++h) {
                // Ainslie et al. (2023): H/G query heads share one head of keys and values.
                const Index g = h * G / H;
                const MatrixXd A =
                    weights(b, h, headOf(Q, b, h, m_T, d), headOf(K, b, g, m_S, d), visible);
                Z.block(b * m_T, h * dv, m_T, dv) = context(b, h, A * headOf(V, b, g, m_S, dv));
            }
        }
        m_pass.show({Stage::Concatenated, m_at}, Z);
        return m_W.output ? output(Z) : Z;
    }

  private:
    bool isSelf() const { return m_at.block == Block::SelfAttention; }

    /// Returns softmax(Q·Kᵀ/√d + M) of one sequence and head, with the model's additional steps.
    MatrixXd weights(Index b, Index h, const MatrixXd &Q, const MatrixXd &K,
                     const Visible &visible) const {
        MatrixXd S = Q * K.transpose();
        for (const ScoreIntervention &set : m_pass.input.interventions.scoresOf(b, m_at, h))
            S(set.query, set.key) = static_cast<double>(set.score);
        show(Stage::Scores, b, h, S);
        S *= scaleOf(m_config);
        show(Stage::ScaledScores, b, h, S);
        if (m_config.scoreCap.isOn()) {
            const auto limit = static_cast<double>(m_config.scoreCap.limit);
            S = limit * (S.array() / limit).tanh();
            show(Stage::CappedScores, b, h, S);
        }
        if (isSelf() && biasScores(m_config.positions)) {
            MatrixXd P = positionBias(m_pass, m_config, m_at, h);
            if (b == 0)
                show(Stage::PositionBias, b, h, P);
            S += P;
            show(Stage::BiasedScores, b, h, S);
        }
        MatrixXd A;
        if (m_config.masking.afterSoftmax) { // a common mistake, for teaching: rows do not sum to 1
            A = normalisedWeights(S, h);
            show(Stage::UnmaskedWeights, b, h, A);
            A = visible.select(A.array(), 0);
        } else {
            S = visible.select(S.array(), static_cast<double>(m_config.masking.value));
            show(Stage::MaskedScores, b, h, S);
            A = normalisedWeights(S, h);
        }
        if (m_pass.input.interventions.stateOf(m_at, h) == HeadState::Uniform)
            A = uniform(visible);
        show(Stage::AttentionWeights, b, h, A);
        return A;
    }

    /// Returns softmax(S/temperature), or S/temperature if the model has no softmax.
    MatrixXd normalisedWeights(const MatrixXd &S, Index h) const {
        const auto temperature = static_cast<double>(m_config.temperature);
        const MatrixXd scores = S / temperature;
        if (m_config.softmax && m_W.sinks)
            return softmax(scores, numbersOf(m_W.sinks)(0, h) / temperature);
        if (m_config.softmax)
            return softmax(scores);
        return (scores.array() == -kInfinity).select(0, scores.array());
    }

    /// Returns 1/n for each of the n keys that a query sees.
    static MatrixXd uniform(const Visible &visible) {
        const MatrixXd A = visible.cast<double>();
        return A.rowwise().sum().cwiseMax(1).cwiseInverse().asDiagonal() * A;
    }

    /// Returns the context A·V of one head, or the result of its ablation.
    MatrixXd context(Index b, Index h, MatrixXd Z) const {
        const HeadState state = m_pass.input.interventions.stateOf(m_at, h);
        if (state == HeadState::Zero)
            Z.setZero();
        if (state == HeadState::Mean) { // mean over the real tokens
            const RowVectorXd mean =
                Z.topRows(m_pass.input.queries(m_at)[b].length).colwise().mean();
            Z.rowwise() = mean;
        }
        show(Stage::Context, b, h, Z);
        return Z;
    }

    /// Returns Concat(heads)·W_O + b_O, the sum of the heads' outputs.
    MatrixXd output(const MatrixXd &Z) const {
        const Index dv = m_config.valueWidth();
        const MatrixXd W = numbersOf(m_W.output);
        for (Index b = 0; b < m_pass.sequences(); ++b)
            for (Index h = 0; h < m_config.heads; ++h) {
                MatrixXd O_h = headOf(Z, b, h, m_T, dv) * W.middleRows(h * dv, dv);
                show(Stage::HeadOutputs, b, h, O_h);
            }
        MatrixXd O = linear(m_pass, Z, m_W.output, m_W.outputBias);
        m_pass.show({Stage::Output, m_at}, O);
        return O;
    }

    /// Normalises queries or keys, either for each head separately or for all heads together.
    MatrixXd headsNormalised(const MatrixXd &X, Index heads, const NormParameters &norm,
                             const Batch &batch) const {
        if (m_config.queryKeyNorm == QueryKeyNorm::AllHeads)
            return normalised(m_config, X, norm, batch);
        MatrixXd Y = X;
        for (Index h = 0, d = m_config.headSize; h < heads; ++h)
            Y.middleCols(h * d, d) = normalised(m_config, X.middleCols(h * d, d), norm, batch);
        return Y;
    }

    MatrixXd headsRotated(const MatrixXd &X, Index heads) const {
        const RotaryConfig rotary = m_config.rotaryOf(m_at.layer);
        MatrixXd Y = X;
        for (Index b = 0, d = m_config.headSize; b < m_pass.sequences(); ++b)
            for (Index h = 0; h < heads; ++h)
                Y.block(b * m_T, h * d, m_T, d) = rotated(rotary, headOf(X, b, h, m_T, d));
        return Y;
    }

    void show(Stage stage, Index b, Index h, Eigen::Ref<MatrixXd> x) const {
        m_pass.show({stage, m_at}, b, h, x);
    }
    void showBoth(Stage query, MatrixXd &Q, Stage key, MatrixXd &K) const {
        m_pass.showHeads({query, m_at}, Q, m_config.heads);
        m_pass.showHeads({key, m_at}, K, m_config.groups());
    }

    const Pass &m_pass;
    const Config &m_config; ///< config of the stack
    AttentionId m_at;
    const AttentionParameters &m_W;
    Index m_T; ///< number of queries
    Index m_S; ///< number of keys
};

} // namespace

MatrixXd softmax(const MatrixXd &S, std::optional<double> sink) {
    if (sink) { // an additional column, which is removed at the end
        MatrixXd all(S.rows(), S.cols() + 1);
        all << S, VectorXd::Constant(S.rows(), *sink);
        MatrixXd A = softmax(all).leftCols(S.cols());
        return A;
    }
    VectorXd largest = S.rowwise().maxCoeff();
    largest = (largest.array() == -kInfinity).select(0, largest); // all keys are hidden
    MatrixXd A = (S.colwise() - largest).unaryExpr([](double x) { return std::exp(x); });
    const VectorXd sum = A.rowwise().sum();
    return (sum.array() > 0).select(sum, 1).cwiseInverse().asDiagonal() * A;
}

MatrixXd attention(const Pass &pass, const Config &config, AttentionId at, const MatrixXd &X,
                   const MatrixXd &memory) {
    return Attention(pass, config, at)(X, memory);
}

} // namespace headlight::core::reference
