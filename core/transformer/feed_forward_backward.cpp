#include "core/transformer/feed_forward_backward.h"

#include "core/operations/linear.h"

namespace headlight::core {

Adjoint feedForwardBackward(const BackwardPass &pass, Site site, Adjoint output,
                            const StageNames &x) {
    const FeedForward &config = pass.config().feedForward;
    const FeedForwardWeights &weights = pass.model().layer(site.stack, site.layer).feedForward;
    const FeedForwardWeights &sums = pass.sumsOf(site.stack, site.layer).feedForward;

    Adjoint activated;
    if (!output.isNull()) {
        const Tensor numbers = pass.forward.stage(Stage::Activated, site);
        activated = Adjoint::zeros(numbers.shape(), pass.stop());
        linearBackward(rowsOf(numbers), weights.output->view(), output.rows(), activated.rows(),
                       into(sums.output), rowInto(sums.outputBias), pass.stop());
    }
    pass.store.arrive(Stage::Activated, site, activated);

    Adjoint hidden, gate;
    if (!activated.isNull() && !pass.stopped()) {
        const Tensor numbers = pass.forward.stage(Stage::Hidden, site);
        hidden = Adjoint::zeros(numbers.shape(), pass.stop());
        if (config.gated) {
            gate = Adjoint::zeros(numbers.shape(), pass.stop());
            const Tensor gates = pass.forward.stage(Stage::Gate, site);
            for (Index row = 0; row < hidden.rows().rows && !pass.stopped(); ++row)
                activateGatedBackward(rowsOf(gates).row(row), rowsOf(numbers).row(row),
                                      config.activation, activated.rows().row(row),
                                      gate.rows().row(row), hidden.rows().row(row));
        } else {
            for (Index row = 0; row < hidden.rows().rows && !pass.stopped(); ++row)
                activateBackward(rowsOf(numbers).row(row), config.activation,
                                 activated.rows().row(row), hidden.rows().row(row));
        }
    }
    pass.store.arrive(Stage::Hidden, site, hidden);
    pass.store.arrive(Stage::Gate, site, gate);

    Adjoint back;
    const auto project = [&](Adjoint &from, const Parameter &weight, const Parameter &weightSum,
                             const Parameter &biasSum) {
        if (from.isNull() || pass.stopped())
            return;
        const Tensor numbers = pass.tensorOf(x);
        Adjoint part = Adjoint::zeros(numbers.shape(), pass.stop());
        linearBackward(rowsOf(numbers), weight->view(), from.rows(), part.rows(), into(weightSum),
                       rowInto(biasSum), pass.stop());
        back.add(std::move(part));
    };
    project(hidden, weights.hidden, sums.hidden, sums.hiddenBias);
    project(gate, weights.gate, sums.gate, sums.gateBias);
    return back;
}

} // namespace headlight::core
