#include "core/analysis/sentence_vector.h"

#include "core/analysis/row_measures.h"

namespace headlight::core {

std::vector<float> sentenceVector(const Trace &trace, Index sequence,
                                  const SentencePooling &pooling) {
    const Model &model = trace.model();
    const bool isNormed = model.config.hasNorm() && model.config.norm.final;
    const AttentionId last(isNormed ? 0 : model.layerCount() - 1, Block::SelfAttention,
                           model.mainStack());
    const Tensor rows = trace.stage(isNormed ? Stage::FinalNorm : Stage::LayerOutput, last);
    const Index length = rows.shape().last(1), width = rows.shape().last(0);
    const MatrixView matrix{rows.values().data() + sequence * length * width, length, width, width};
    std::vector<float> vector(static_cast<std::size_t>(width));
    pool(matrix, trace.batch()[sequence].length, pooling.pooling, vector);
    if (!pooling.isUnit)
        return vector;
    if (const double norm = normOf(vector); norm > 0)
        for (float &number : vector)
            number = static_cast<float>(static_cast<double>(number) / norm);
    return vector;
}

} // namespace headlight::core
