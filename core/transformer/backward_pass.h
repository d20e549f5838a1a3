// What every part of the way back works with: the trace, the gradients so far, and where those of
// the parameters are summed up.
#pragma once

#include "core/transformer/forward_numbers.h"
#include "core/transformer/gradient_store.h"

namespace headlight::core {

/// All must live as long as this.
struct BackwardPass {
    const Trace &trace;
    ForwardNumbers &forward;
    GradientStore &store;
    Weights &sums; ///< as zerosLike() made them

    const Model &model() const { return trace.model(); }
    const Config &config() const { return trace.model().config; }
    const std::stop_token &stop() const { return store.stop(); }
    bool stopped() const { return store.stopped(); }

    StackWeights &sumsOf(Stack stack) const {
        return stack == Stack::Encoder ? sums.encoder : sums.main;
    }
    LayerWeights &sumsOf(Stack stack, Index layer) const {
        return sumsOf(stack).layers[static_cast<std::size_t>(model().weightsLayer(stack, layer))];
    }
    AttentionWeights &sumsOf(Site site) const {
        LayerWeights &layer = sumsOf(site.stack, site.layer);
        return site.block == Block::SelfAttention ? layer.selfAttention : layer.crossAttention;
    }
    /// Calls `work` with sequence, head and matrix, until the pass is stopped.
    template <typename Work>
    void forEachMatrix(Adjoint &adjoint, Work work) const {
        if (adjoint.isNull())
            return;
        for (Index b = 0; b < adjoint.shape[0]; ++b)
            for (Index h = 0; h < adjoint.shape[1] && !stopped(); ++h)
                work(b, h, adjoint.matrix(b, h));
    }
    /// The numbers that the forward pass left under one of the names.
    Tensor tensorOf(const StageNames &names) const;
};

/// A zero matrix in the place of each parameter that the weights have. Throws Cancelled once `stop`
/// is requested.
Weights zerosLike(const Weights &weights, const std::stop_token &stop);

/// Where the gradient of a parameter is summed up; only for the matrices of zerosLike(), which
/// nobody else holds. Empty where the model does not have the parameter.
MutableMatrixView into(const Parameter &sum);
std::span<float> rowInto(const Parameter &sum);

/// The only row of a bias or gain; nothing where there is none.
inline std::span<const float> onlyRow(const Parameter &parameter) {
    return parameter ? parameter->view().row(0) : std::span<const float>();
}

} // namespace headlight::core
