// The steps of a feed-forward network.
#include "core/transformer/plan/plan_builder.h"

namespace headlight::core {

StepId PlanBuilder::feedForward(AttentionId attention, StepId x) {
    const FeedForward config = m_config.feedForward;
    std::optional<StepId> weights;
    if (config.hasExperts())
        weights = route(attention, x);
    const auto mapped = [&](Stage stage, K weight, K bias) {
        return weights ? byExperts(stage, attention, {x, *weights}, weight, bias, config.width)
                       : linear(stage, attention, x, weight, bias, config.width);
    };
    StepId gate = x;
    if (config.gated)
        gate = mapped(Stage::Gate, K::Gate, K::GateBias);
    const StepId hidden = mapped(Stage::Hidden, K::Hidden, K::HiddenBias);
    const StepId activated =
        config.gated ? add(Stage::Activated, attention,
                           op::Gate{config.activation, config.limit, config.hiddenOffset},
                           {gate, hidden}, {}, shapeOf(hidden))
                     : add(Stage::Activated, attention, op::Each{config.activation}, {hidden}, {},
                           shapeOf(hidden));
    if (weights) {
        const StepId outputs =
            byExperts(Stage::ExpertOutputs, attention, {activated, *weights}, K::FeedForwardOutput,
                      K::FeedForwardOutputBias, m_config.width);
        return add(Stage::FeedForwardOutput, attention, op::MixExperts{}, {outputs, *weights}, {},
                   shapeOf(x));
    }
    return linear(Stage::FeedForwardOutput, attention, activated, K::FeedForwardOutput,
                  K::FeedForwardOutputBias, m_config.width);
}

StepId PlanBuilder::route(AttentionId attention, StepId x) {
    const FeedForward config = m_config.feedForward;
    const Shape shape{shapeOf(x)[0], shapeOf(x)[1], config.experts};
    const StepId logits =
        add(Stage::RouterLogits, attention, op::Linear{}, {x},
            {{idOf(K::Router, attention)}, {idOf(K::RouterBias, attention)}}, shape);
    const StepId probabilities =
        add(Stage::RouterProbabilities, attention, op::Softmax{1}, {logits}, {}, shape);
    return add(Stage::ExpertWeights, attention,
               op::KeepLargest{config.chosen, config.normalisesExperts}, {probabilities}, {},
               shape);
}

StepId PlanBuilder::byExperts(Stage stage, AttentionId attention, const std::vector<StepId> &reads,
                              K weight, K bias, Index width) {
    const Shape from = shapeOf(reads[0]);
    const op::ExpertLinear operation{stage == Stage::ExpertOutputs};
    return add(stage, attention, operation, reads,
               {{idOf(weight, attention)}, {idOf(bias, attention)}},
               {from[0], from[1], m_config.feedForward.experts * width});
}

} // namespace headlight::core
