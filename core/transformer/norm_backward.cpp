#include "core/transformer/norm_backward.h"

#include "core/operations/batch_norm.h"
#include "core/operations/layer_norm.h"
#include "core/operations/rms_norm.h"

namespace headlight::core {

namespace {

void batchNormBackward(const Tensor &x, const NormWeights &weights, const NormWeights &sums,
                       float epsilon, const Batch &batch, Adjoint &adjoint) {
    std::vector<MatrixView> in, arriving;
    std::vector<MutableMatrixView> back;
    std::vector<Index> lengths;
    for (Index b = 0; b < batch.count(); ++b) {
        in.push_back(x.view(b));
        back.push_back(adjoint.matrix(b));
        arriving.emplace_back(back.back());
        lengths.push_back(batch[b].length);
    }
    batchNormBackward(in, lengths, onlyRow(weights.gain), epsilon, arriving, back,
                      rowInto(sums.gain), rowInto(sums.bias));
}

} // namespace

void normBackward(const BackwardPass &pass, const Tensor &x, const NormWeights &weights,
                  const NormWeights &sums, const Batch &batch, Adjoint &adjoint) {
    if (pass.stopped())
        return;
    const Norm &norm = pass.config().norm;
    switch (norm.kind) {
    case NormKind::None:
        return;
    case NormKind::Layer:
        return layerNormBackward(rowsOf(x), onlyRow(weights.gain), norm.epsilon, adjoint.rows(),
                                 adjoint.rows(), rowInto(sums.gain), rowInto(sums.bias));
    case NormKind::RootMeanSquare:
        return rmsNormBackward(rowsOf(x), onlyRow(weights.gain), norm.epsilon, adjoint.rows(),
                               adjoint.rows(), rowInto(sums.gain));
    case NormKind::Batch:
        return batchNormBackward(x, weights, sums, norm.epsilon, batch, adjoint);
    }
}

} // namespace headlight::core
