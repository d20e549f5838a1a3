#include "core/transformer/feed_forward.h"

#include "core/operations/linear.h"

namespace headlight::core {

Computed feedForward(const Pass &pass, Site site, const Computed &x) {
    const FeedForward &config = pass.config().feedForward;
    const FeedForwardWeights &now = pass.model.layer(site.stack, site.layer).feedForward;
    const FeedForwardWeights &before = pass.layerBefore(site.stack, site.layer).feedForward;
    const Index batch = x.shape()[0], length = x.shape()[1];
    const auto project = [&](Stage which, const Computed &from,
                             Parameter FeedForwardWeights::*weight,
                             Parameter FeedForwardWeights::*bias) {
        const bool sameWeights =
            sameNumbers(now.*weight, before.*weight) && sameNumbers(now.*bias, before.*bias);
        return pass.recorder.stage(
            which, site, {batch, length, (now.*weight)->columns()},
            [&](Index b, Index) { return sameWeights && from.isSame(b); },
            [&](Index b, Index, MutableMatrixView out) {
                linear(from.matrix(b), (now.*weight)->view(), rowOf(now.*bias), out,
                       pass.recorder.stop());
            });
    };
    using W = FeedForwardWeights;
    Computed gate;
    if (config.gated)
        gate = project(Stage::Gate, x, &W::gate, &W::gateBias);
    const Computed hidden = project(Stage::Hidden, x, &W::hidden, &W::hiddenBias);
    const Computed activated = pass.recorder.stage(
        Stage::Activated, site, hidden.shape(),
        [&](Index b, Index) { return hidden.isSame(b) && (!config.gated || gate.isSame(b)); },
        [&](Index b, Index, MutableMatrixView out) {
            for (Index t = 0; t < out.rows && !pass.recorder.cancelled(); ++t)
                if (config.gated)
                    activateGated(gate.matrix(b).row(t), hidden.matrix(b).row(t), config.activation,
                                  out.row(t));
                else
                    activate(hidden.matrix(b).row(t), config.activation, out.row(t));
        });
    return project(Stage::FeedForwardOutput, activated, &W::output, &W::outputBias);
}

} // namespace headlight::core
