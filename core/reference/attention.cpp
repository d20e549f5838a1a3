// Multi-head attention: Attention(Q, K, V) = softmax(Q·Kᵀ/√d + M)·V (Vaswani et al. 2017, section
// 3.2).
#include "core/reference/pass.h"

#include <cmath>
#include <tuple>

namespace headlight::core::reference {

namespace {

/// Returns the factor that scales the scores.
double scaleOf(const Config &config, bool isSelf) {
    const Disentangled &of = config.disentangled;
    double terms = 1; // number of terms of a score
    if (isSelf && of.isOn())
        terms += (of.contentToPosition ? 1 : 0) + (of.positionToContent ? 1 : 0);
    switch (config.scale.kind) {
    case Scale::Kind::SquareRoot:
        return 1 / std::sqrt(terms * double(config.headSize));
    case Scale::Kind::Number:
        return 1 / double(config.scale.number);
    case Scale::Kind::Off:
        break;
    }
    return 1;
}

/// One attention module of a layer.
class Attention {
  public:
    Attention(const Pass &pass, const Config &config, AttentionId at, const MatrixXd &D)
        : m_pass(pass),
          m_config(config),
          m_at(at),
          m_D(D),
          m_W(pass.model.attentionParameters(at)),
          m_T(pass.input.queries(at).length()),
          m_S(pass.input.keys(at).length()) {}

    MatrixXd operator()(const MatrixXd &X, const MatrixXd &memory) const {
        const Index B = m_pass.sequences(), H = m_config.heads, G = m_config.groups();
        const Index d = m_config.headSize, dv = m_config.valueWidth();
        auto [Q, K, V] = m_config.latent.isOn() ? latent(X, memory) : plain(X, memory);
        showBoth(Stage::Query, Q, Stage::Key, K);
        m_pass.showHeads({Stage::Value, m_at}, V, G);
        MatrixXd Kr, Qr; // position keys and position queries
        if (disentangles())
            std::tie(Kr, Qr) = ofDistances();

        MatrixXd Z(B * m_T, H * dv); // the heads' contexts, concatenated
        for (Index b = 0; b < B; ++b) {
            const Visible visible = visibleKeys(m_pass, m_config, m_at, b);
            for (Index h = 0; h < H; ++h) {
                // Ainslie et al. (2023): H/G query heads share one head of keys and values.
                const Index g = h * G / H;
                const MatrixXd q = headOf(Q, b, h, m_T, d), k = headOf(K, b, g, m_S, d);
                const MatrixXd P = disentangles() ? distanceScores(b, h, q, k, Kr, Qr) : MatrixXd();
                const MatrixXd A = weights(b, h, q, k, P, visible);
                Z.block(b * m_T, h * dv, m_T, dv) = context(b, h, A * headOf(V, b, g, m_S, dv));
            }
        }
        m_pass.show({Stage::Concatenated, m_at}, Z);
        return m_W.output ? output(Z) : Z;
    }

  private:
    bool isSelf() const { return m_at.block == Block::SelfAttention; }
    bool rotates() const { return isSelf() && m_config.rotates(m_at.layer); }

    /// Queries, keys and values (Vaswani et al. 2017, section 3.2.2).
    std::tuple<MatrixXd, MatrixXd, MatrixXd> plain(const MatrixXd &X,
                                                   const MatrixXd &memory) const {
        const Index H = m_config.heads, G = m_config.groups();
        MatrixXd Q = linear(m_pass, X, m_W.query, m_W.queryBias);
        MatrixXd K = linear(m_pass, memory, m_W.key, m_W.keyBias);
        if (m_config.normsQueries()) { // Henry et al. (2020)
            showBoth(Stage::ProjectedQuery, Q, Stage::ProjectedKey, K);
            Q = headsNormalised(Q, H, m_W.queryNorm, m_pass.input.queries(m_at));
            K = headsNormalised(K, G, m_W.keyNorm, m_pass.input.keys(m_at));
        }
        if (rotates()) {
            showBoth(Stage::UnrotatedQuery, Q, Stage::UnrotatedKey, K);
            Q = headsRotated(Q, H);
            K = headsRotated(K, G);
        }
        if (rotates() && m_config.normsRotated(m_at.layer)) {
            showBoth(Stage::RotatedQuery, Q, Stage::RotatedKey, K);
            Q = headsNormalised(Q, H, {}, m_pass.input.queries(m_at));
            K = headsNormalised(K, G, {}, m_pass.input.keys(m_at));
        }
        if (isSelf() && m_config.tunesQueries(m_at.layer))
            Q = tuned(Q);
        return {Q, K, linear(m_pass, memory, m_W.value, m_W.valueBias)};
    }
    /// DeepSeek-AI (2024), section 2.1: queries are computed from a short vector c of the token,
    /// and values and most key dimensions from another short vector l. The other key dimensions are
    /// the same in all heads.
    std::tuple<MatrixXd, MatrixXd, MatrixXd> latent(const MatrixXd &X,
                                                    const MatrixXd &memory) const {
        const LatentAttention &of = m_config.latent;
        const Index H = m_config.heads, d = m_config.headSize, s = of.sharedKeySize;
        const double epsilon = double(of.epsilon);
        MatrixXd c = X;
        if (of.querySize > 0) {
            c = shown(Stage::CompressedQuery,
                      linear(m_pass, X, m_W.queryCompression, m_W.queryCompressionBias));
            c = shown(Stage::NormedCompressedQuery,
                      rmsNormalised(c, m_W.compressedQueryNorm.gain, epsilon));
        }
        MatrixXd l =
            shown(Stage::CompressedKeyValue,
                  linear(m_pass, memory, m_W.keyValueCompression, m_W.keyValueCompressionBias));
        l = shown(Stage::NormedCompressedKeyValue,
                  rmsNormalised(l, m_W.compressedKeyValueNorm.gain, epsilon));
        MatrixXd shared = linear(m_pass, memory, m_W.sharedKey, m_W.sharedKeyBias);
        if (rotates())
            shared = headsRotated(shown(Stage::UnrotatedSharedKey, shared), 1);
        m_pass.show({Stage::SharedKey, m_at}, shared);
        const MatrixXd own = shown(Stage::OwnKey, linear(m_pass, l, m_W.key, m_W.keyBias), H);
        MatrixXd Q = linear(m_pass, c, m_W.query, m_W.queryBias);
        if (rotates())
            Q = headsRotated(shown(Stage::UnrotatedQuery, Q, H), H);
        if (isSelf() && m_config.tunesQueries(m_at.layer))
            Q = tuned(Q);
        MatrixXd K(memory.rows(), H * d);
        for (Index h = 0; h < H; ++h)
            K.middleCols(h * d, d) << shared, own.middleCols(h * (d - s), d - s);
        return {Q, K, linear(m_pass, l, m_W.value, m_W.valueBias)};
    }
    bool disentangles() const { return isSelf() && m_config.disentangled.isOn(); }

    /// Returns the position keys and position queries of all distances, [2·k, H·d] (He et al. 2021,
    /// section 3.1).
    std::pair<MatrixXd, MatrixXd> ofDistances() const {
        const Disentangled &of = m_config.disentangled;
        const auto vectors = [this](Stage stage, const Parameter &W, const Parameter &b) {
            MatrixXd X = linear(m_pass, m_D, W, b);
            for (Index h = 0, d = m_config.headSize; h < m_config.heads; ++h)
                show(stage, 0, h, X.middleCols(h * d, d));
            return X;
        };
        MatrixXd Kr, Qr;
        if (of.contentToPosition)
            Kr = of.sharesMatrices
                     ? vectors(Stage::PositionKey, m_W.key, m_W.keyBias)
                     : vectors(Stage::PositionKey, m_W.positionKey, m_W.positionKeyBias);
        if (of.positionToContent)
            Qr = of.sharesMatrices
                     ? vectors(Stage::PositionQuery, m_W.query, m_W.queryBias)
                     : vectors(Stage::PositionQuery, m_W.positionQuery, m_W.positionQueryBias);
        return {Kr, Qr};
    }
    /// Returns the term for the distances, which is added to the scaled scores of one sequence and
    /// head.
    MatrixXd distanceScores(Index b, Index h, const MatrixXd &Q, const MatrixXd &K,
                            const MatrixXd &Kr, const MatrixXd &Qr) const {
        const Disentangled &of = m_config.disentangled;
        const Index d = m_config.headSize;
        MatrixXd P = MatrixXd::Zero(m_T, m_S);
        const auto add = [&](bool isOfKeys, Stage ofAll, Stage ofPairs) {
            MatrixXd all =
                (isOfKeys ? K : Q) * (isOfKeys ? Qr : Kr).middleCols(h * d, d).transpose();
            show(ofAll, b, h, all);
            MatrixXd own = MatrixXd::NullaryExpr(m_T, m_S, [&](Index i, Index j) {
                return all(isOfKeys ? j : i, distanceRowOf(of.table, i - j));
            });
            show(ofPairs, b, h, own);
            P += own;
        };
        if (of.contentToPosition)
            add(false, Stage::QueryDistances, Stage::ContentToPosition);
        if (of.positionToContent)
            add(true, Stage::KeyDistances, Stage::PositionToContent);
        P *= scaleOf(m_config, true);
        show(Stage::PositionBias, b, h, P);
        return P;
    }

    /// Returns softmax(Q·Kᵀ/√d + M) of one sequence and head, with the optional steps of the model.
    /// P is added to the scaled scores if the attention is disentangled.
    MatrixXd weights(Index b, Index h, const MatrixXd &Q, const MatrixXd &K, const MatrixXd &P,
                     const Visible &visible) const {
        MatrixXd S = Q * K.transpose();
        for (const ScoreIntervention &set : m_pass.input.interventions.scoresOf(b, m_at, h))
            S(set.query, set.key) = double(set.score);
        show(Stage::Scores, b, h, S);
        S *= scaleOf(m_config, isSelf());
        show(Stage::ScaledScores, b, h, S);
        if (m_config.scoreCap.isOn()) {
            const double limit = double(m_config.scoreCap.limit);
            S = limit * (S.array() / limit).tanh();
            show(Stage::CappedScores, b, h, S);
        }
        if (disentangles()) {
            S += P;
            show(Stage::BiasedScores, b, h, S);
        }
        if (isSelf() && biasScores(m_config.positions)) {
            MatrixXd bias = positionBias(m_pass, m_config, m_at, h);
            if (b == 0)
                show(Stage::PositionBias, b, h, bias);
            S += bias;
            show(Stage::BiasedScores, b, h, S);
        }
        MatrixXd A, sinks;
        if (m_config.masking.afterSoftmax) { // a common mistake, for teaching: rows do not sum to 1
            std::tie(A, sinks) = normalisedWeights(S, h);
            show(Stage::UnmaskedWeights, b, h, A);
            A = visible.select(A.array(), 0);
        } else {
            S = visible.select(S.array(), double(m_config.masking.value));
            show(Stage::MaskedScores, b, h, S);
            std::tie(A, sinks) = normalisedWeights(S, h);
        }
        if (m_pass.input.interventions.stateOf(m_at, h) == HeadState::Uniform) {
            A = uniform(visible);
            sinks.setZero();
        }
        show(Stage::AttentionWeights, b, h, A);
        if (sinks.cols() > 0)
            show(Stage::SinkWeights, b, h, sinks);
        return A;
    }

    /// Returns two matrices: softmax(S/temperature), or S/temperature if the model has no softmax,
    /// and the softmax column of the head's sink. The second one is empty without a sink.
    std::pair<MatrixXd, MatrixXd> normalisedWeights(MatrixXd S, Index h) const {
        const double temperature = double(m_config.temperature);
        S /= temperature;
        if (!m_config.softmax)
            return {(S.array() == -kInfinity).select(0, S.array()), MatrixXd()};
        if (!m_W.sinks)
            return {softmax(S), MatrixXd()};
        MatrixXd all(m_T, m_S + 1);
        all << S, VectorXd::Constant(m_T, numbersOf(m_W.sinks)(0, h) / temperature);
        all = softmax(all);
        return {all.leftCols(m_S), all.rightCols(1)};
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
            for (Index h = 0; h < m_config.heads; ++h)
                m_pass.shown({Stage::HeadOutputs, m_at}, b, h,
                             headOf(Z, b, h, m_T, dv) * W.middleRows(h * dv, dv));
        return shown(Stage::Output, linear(m_pass, Z, m_W.output, m_W.outputBias));
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

    /// Nakanishi (2025), as in Llama 4: multiplies the query at position i, which counts from 0, by
    /// 1 + strength · ln(1 + ⌊(i + 1) / length⌋).
    MatrixXd tuned(MatrixXd Q) const {
        m_pass.showHeads({Stage::UntunedQuery, m_at}, Q, m_config.heads);
        const double strength = double(m_config.queryTuning.strength),
                     length = double(m_config.queryTuning.length);
        for (Index t = 0; t < Q.rows(); ++t)
            Q.row(t) *= 1 + strength * std::log(1 + std::floor(double(t % m_T + 1) / length));
        return Q;
    }

    MatrixXd headsRotated(const MatrixXd &X, Index heads) const {
        const RotaryConfig rotary = m_config.rotaryOf(m_at.layer);
        const Index d = X.cols() / heads;
        MatrixXd Y = X;
        for (Index b = 0; b < m_pass.sequences(); ++b)
            for (Index h = 0; h < heads; ++h)
                headOf(Y, b, h, m_T, d) = rotated(rotary, headOf(X, b, h, m_T, d));
        return Y;
    }

    void show(Stage stage, Index b, Index h, Eigen::Ref<MatrixXd> x) const {
        m_pass.show({stage, m_at}, b, h, x);
    }
    MatrixXd shown(Stage stage, MatrixXd X, Index heads = 1) const {
        return m_pass.shown({stage, m_at}, std::move(X), heads);
    }
    void showBoth(Stage query, MatrixXd &Q, Stage key, MatrixXd &K) const {
        m_pass.showHeads({query, m_at}, Q, m_config.heads);
        m_pass.showHeads({key, m_at}, K, m_config.groups());
    }

    const Pass &m_pass;
    const Config &m_config; ///< config of the stack
    AttentionId m_at;
    const MatrixXd &m_D; ///< distance vectors
    const AttentionParameters &m_W;
    Index m_T; ///< number of queries
    Index m_S; ///< number of keys
};

} // namespace

MatrixXd softmax(const MatrixXd &S) {
    VectorXd largest = S.rowwise().maxCoeff();
    largest = (largest.array() == -kInfinity).select(0, largest); // all keys are hidden
    MatrixXd A = (S.colwise() - largest).unaryExpr([](double x) { return std::exp(x); });
    const VectorXd sum = A.rowwise().sum();
    return (sum.array() > 0).select(sum, 1).cwiseInverse().asDiagonal() * A;
}

MatrixXd attention(const Pass &pass, const Config &config, AttentionId at, const MatrixXd &X,
                   const MatrixXd &memory, const MatrixXd &distances) {
    return Attention(pass, config, at, distances)(X, memory);
}

} // namespace headlight::core::reference
