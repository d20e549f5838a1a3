// How a number after the layers came to be: the last norm, the vocabulary's logits and
// probabilities, a classifier's.
#include "core/analysis/origin_parts.h"

#include <algorithm>
#include <cmath>

namespace headlight::core::origin {

namespace {

/// The masked-language head's: a linear map, the activation, perhaps a norm.
class Transform {
  public:
    Transform(const Work &work, StageAt from)
        : m_work(work),
          m_from(from),
          m_matrix(work.numbers(ParameterKind::HeadTransform)->view()),
          m_bias(work.numbers(ParameterKind::HeadTransformBias)) {}

    /// Before the activation.
    float linear(Index sequence, Index token, Index column) const {
        const SharedMatrix rows = matrixAt(m_work.trace, m_from, sequence, 0);
        const auto row = rows.row(token);
        double sum = m_bias ? static_cast<double>((*m_bias)(0, column)) : 0;
        for (std::size_t i = 0; i < row.size(); ++i)
            sum += static_cast<double>(row[i]) *
                   static_cast<double>(m_matrix(static_cast<Index>(i), column));
        return static_cast<float>(sum);
    }
    float activated(Index sequence, Index token, Index column) const {
        return activate(linear(sequence, token, column), m_work.config().head.activation);
    }
    NormOrigin norm() const {
        const Norm &config = m_work.config().norm;
        const Index sequence = m_work.place.sequence;
        std::vector<float> numbers;
        if (config.kind != NormKind::Batch) {
            for (Index column = 0; column < m_matrix.columns; ++column)
                numbers.push_back(activated(sequence, m_work.row, column));
            return rowStatistics(numbers, m_work.column, config.kind, config.epsilon);
        }
        const Batch &batch = m_work.trace.batch();
        for (Index b = 0; b < batch.count(); ++b)
            for (Index t = 0; t < batch[b].length; ++t)
                numbers.push_back(activated(b, t, m_work.column));
        NormOrigin norm = batchStatistics(numbers, activated(sequence, m_work.row, m_work.column),
                                          config.epsilon);
        norm.sequences = batch.count();
        return norm;
    }

  private:
    const Work &m_work;
    StageAt m_from;
    MatrixView m_matrix;
    Parameter m_bias;
};

void headInput(Work &work, StageAt from) {
    const Config &config = work.config();
    CellExplanation &cell = work.cell;
    if (config.head.kind != HeadKind::MaskedLanguage) {
        cell.origin = Origin::Sum;
        const float factor = 1 / std::sqrt(static_cast<float>(config.width));
        cell.addends = {
            {Addend::Kind::Stage, work.matrix(from)(work.row, work.column), factor, from, 0}};
        return;
    }
    linear(work, from, ParameterKind::HeadTransform, ParameterKind::HeadTransformBias, work.column);
    cell.origin = Origin::Transformed;
    const Transform transform(work, from);
    cell.activation = {
        config.head.activation, transform.linear(work.place.sequence, work.row, work.column), {}};
    if (!config.head.norm)
        return;
    cell.norm = transform.norm();
    if (const Parameter &gain = work.numbers(ParameterKind::HeadNormGain))
        cell.norm->gain = (*gain)(0, work.column);
    if (const Parameter &bias = work.numbers(ParameterKind::HeadNormBias))
        cell.norm->bias = (*bias)(0, work.column);
}

void logit(Work &work, StageAt from) {
    if (work.numbers(ParameterKind::OutputMatrix))
        return linear(work, from, ParameterKind::OutputMatrix, ParameterKind::OutputMatrixBias,
                      work.column);
    CellExplanation &cell = work.cell;
    cell.origin = Origin::Linear;
    cell.from = from;
    cell.isTransposed = true;
    cell.weights = {0, ParameterKind::Embeddings, Block::SelfAttention, Stack::Only};
    cell.column = work.column;
    const SharedMatrix rows = work.matrix(from);
    const auto input = rows.row(work.row);
    const auto word = work.model().weights.main.embeddings->view().row(work.column);
    for (std::size_t i = 0; i < input.size(); ++i)
        cell.terms.push_back({input[i], word[i]});
    if (const Parameter &bias = work.numbers(ParameterKind::OutputMatrixBias))
        cell.bias = (*bias)(0, work.column);
}

void probability(Work &work, StageAt from) {
    const SharedMatrix rows = work.matrix(from);
    const auto row = rows.row(work.row);
    ShareOrigin share;
    share.logit = row[static_cast<std::size_t>(work.column)];
    share.maximum = *std::ranges::max_element(row);
    const auto exponential = [&](float logit) {
        return std::exp(static_cast<double>(logit) - static_cast<double>(share.maximum));
    };
    share.exponential = exponential(share.logit);
    for (const float logit : row)
        share.sum += exponential(logit);
    work.cell.origin = Origin::Softmax;
    work.cell.from = from;
    work.cell.share = share;
}

void pooled(Work &work, StageAt from) {
    CellExplanation &cell = work.cell;
    const Config &config = work.config();
    const SharedMatrix rows = matrixAt(work.trace, from, work.row, 0);
    PooledOrigin origin;
    origin.pooling = config.head.pooling;
    const Index real = work.trace.batch()[work.row].length;
    origin.tokens = origin.pooling == Pooling::Mean ? real : 1;
    origin.token = origin.pooling == Pooling::Last ? real - 1 : 0;
    cell.origin = Origin::Pooled;
    cell.from = from;
    const Parameter &pooler = work.numbers(ParameterKind::Pooler);
    origin.isMapped = pooler != nullptr;
    cell.pooled = origin;
    if (!pooler) {
        for (Index t = 0; t < origin.tokens; ++t)
            cell.terms.push_back(
                {rows(origin.token + t, work.column), 1.0f / static_cast<float>(origin.tokens)});
        return;
    }
    std::vector<float> vector(static_cast<std::size_t>(rows.columns));
    pool(rows, real, origin.pooling, vector);
    cell.weights = work.parameter(ParameterKind::Pooler);
    cell.column = work.column;
    for (Index i = 0; i < rows.columns; ++i)
        cell.terms.push_back({vector[static_cast<std::size_t>(i)], (*pooler)(i, work.column)});
    if (const Parameter &bias = work.numbers(ParameterKind::PoolerBias))
        cell.bias = (*bias)(0, work.column);
}

} // namespace

void head(Work &work) {
    const auto from = sourceOf(work.trace, work.place.stage, work.place.site());
    if (!from)
        return;
    switch (work.place.stage) {
    case Stage::FinalNorm:
        return norm(work, *from, ParameterKind::FinalNormGain, ParameterKind::FinalNormBias);
    case Stage::HeadInput:
        return headInput(work, *from);
    case Stage::Logits:
        return logit(work, *from);
    case Stage::Probabilities:
        return probability(work, *from);
    case Stage::Pooled:
        return pooled(work, *from);
    default: // ClassLogits
        return linear(work, *from, ParameterKind::Classifier, ParameterKind::ClassifierBias,
                      work.column);
    }
}

} // namespace headlight::core::origin

namespace headlight::core {

std::vector<LikelyWord> likeliestWords(const Trace &trace, Index sequence, Index token,
                                       std::size_t count) {
    const SharedMatrix all = matrixAt(trace, {Stage::Probabilities, {}}, sequence, 0);
    if (token < 0 || token >= all.rows)
        return {};
    std::vector<LikelyWord> words;
    for (Index word = 0; word < all.columns; ++word)
        words.push_back({word, all(token, word)});
    const std::size_t kept = std::min(count, words.size());
    std::partial_sort(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(kept), words.end(),
                      [](const LikelyWord &a, const LikelyWord &b) {
                          return a.probability != b.probability ? a.probability > b.probability
                                                                : a.word < b.word;
                      });
    words.resize(kept);
    return words;
}

} // namespace headlight::core
