#include "core/transformer/normalisation.h"

#include "core/operations/batch_norm.h"
#include "core/operations/layer_norm.h"
#include "core/operations/rms_norm.h"

#include <algorithm>

namespace headlight::core {

namespace {

std::vector<Matrix> ofBatch(const Computed &x, const NormWeights &weights, float epsilon,
                            const Batch &batch) {
    std::vector<MatrixView> in;
    std::vector<Index> lengths;
    std::vector<Matrix> normed;
    std::vector<MutableMatrixView> out;
    for (Index b = 0; b < batch.count(); ++b) {
        in.push_back(x.matrix(b));
        lengths.push_back(batch[b].length);
        normed.emplace_back(in.back().rows, in.back().columns);
    }
    for (Matrix &matrix : normed)
        out.push_back(matrix.view());
    batchNorm(in, lengths, rowOf(weights.gain), rowOf(weights.bias), epsilon, out);
    return normed;
}

} // namespace

Computed normalise(const Pass &pass, Stage which, Site site, const Computed &x,
                   const NormWeights &weights, const NormWeights &before, const Batch &batch) {
    const Norm &norm = pass.config().norm;
    const bool sameWeights =
        sameNumbers(weights.gain, before.gain) && sameNumbers(weights.bias, before.bias);
    const bool ofAll = norm.kind == NormKind::Batch;
    const auto same = [&](Index b, Index) {
        const Trace &previous = *pass.recorder.previous();
        return sameWeights && previous.model().config.norm == norm &&
               (ofAll ? x.isSameInAllSequences() && sameLengths(previous.queries(site), batch)
                      : x.isSame(b));
    };
    std::vector<Matrix> normed; // of batch norm: all at once, when the first is asked for
    return pass.recorder.stage(
        which, site, x.shape(), same, [&](Index b, Index, MutableMatrixView out) {
            if (norm.kind == NormKind::Layer) {
                layerNorm(x.matrix(b), rowOf(weights.gain), rowOf(weights.bias), norm.epsilon, out);
            } else if (norm.kind == NormKind::RootMeanSquare) {
                rmsNorm(x.matrix(b), rowOf(weights.gain), norm.epsilon, out);
            } else {
                if (normed.empty())
                    normed = ofBatch(x, weights, norm.epsilon, batch);
                std::ranges::copy(normed[static_cast<std::size_t>(b)].values(), out.data);
            }
        });
}

} // namespace headlight::core
