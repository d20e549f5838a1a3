// The steps of a feed-forward network.
#include "core/transformer/plan/plan_builder.h"

namespace headlight::core {

StepId PlanBuilder::feedForward(AttentionId attention, StepId x) {
    const FeedForward config = networkOf(attention);
    std::optional<StepId> weights;
    StepId read = x;
    if (config.hasExperts())
        weights = route(attention, x);
    if (weights && config.scalesInput)
        read = add(Stage::ExpertInputs, attention, op::ScaleForExperts{}, {x, *weights}, {},
                   {shapeOf(x)[0], shapeOf(x)[1], config.experts * m_config.width});
    const auto mapped = [&](Stage stage, K weight, K bias) {
        return weights ? byExperts(stage, attention, {read, *weights}, weight, bias, config.width)
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
        const StepId routed =
            add(config.hasShared() ? Stage::RoutedOutput : Stage::FeedForwardOutput, attention,
                op::MixExperts{!config.scalesInput}, {outputs, *weights}, {}, shapeOf(x));
        return config.hasShared() ? add(Stage::FeedForwardOutput, attention, op::Add{},
                                        {routed, sharedNetwork(attention, x)}, {}, shapeOf(x))
                                  : routed;
    }
    return linear(Stage::FeedForwardOutput, attention, activated, K::FeedForwardOutput,
                  K::FeedForwardOutputBias, m_config.width);
}

StepId PlanBuilder::sharedNetwork(AttentionId attention, StepId x) {
    const FeedForward config = networkOf(attention);
    StepId gate = x;
    if (config.gated)
        gate = linear(Stage::SharedGate, attention, x, K::SharedGate, std::nullopt,
                      config.sharedWidth);
    const StepId hidden = linear(Stage::SharedHidden, attention, x, K::SharedHidden, std::nullopt,
                                 config.sharedWidth);
    const StepId activated =
        config.gated ? add(Stage::SharedActivated, attention, op::Gate{config.activation},
                           {gate, hidden}, {}, shapeOf(hidden))
                     : add(Stage::SharedActivated, attention, op::Each{config.activation}, {hidden},
                           {}, shapeOf(hidden));
    return linear(Stage::SharedOutput, attention, activated, K::SharedOutput, std::nullopt,
                  m_config.width);
}

FeedForward PlanBuilder::networkOf(AttentionId attention) const {
    const bool isMain = attention.stack != Stack::Encoder;
    return isMain ? m_config.ofLayer(attention.layer).feedForward : m_config.feedForward;
}

StepId PlanBuilder::route(AttentionId attention, StepId x) {
    const FeedForward config = networkOf(attention);
    const Shape shape{shapeOf(x)[0], shapeOf(x)[1], config.experts};
    const StepId logits =
        add(Stage::RouterLogits, attention, op::Linear{}, {x},
            {{idOf(K::Router, attention)}, {idOf(K::RouterBias, attention)}}, shape);
    const Operation weighing =
        config.sigmoidRouter ? Operation(op::Each{op::Sigmoid{}}) : Operation(op::Softmax{1});
    const StepId probabilities =
        add(Stage::RouterProbabilities, attention, weighing, {logits}, {}, shape);
    std::vector<StepId> reads{probabilities};
    const FeedForwardParameters &parameters =
        m_model.layer(attention.stack, attention.layer).feedForward;
    if (parameters.routerChoiceBias)
        reads.push_back(add(Stage::RouterScores, attention, op::AddRows{op::AddRows::Kind::Same},
                            {probabilities}, {{idOf(K::RouterChoiceBias, attention)}}, shape));
    else if (config.scalesInput) // choose by logits, because sigmoids of large logits are equal
        reads.push_back(logits);
    return add(Stage::ExpertWeights, attention,
               op::KeepLargest{config.chosen, config.normalisesExperts, config.expertGroups,
                               config.chosenGroups, config.expertFactor},
               reads, {}, shape);
}

StepId PlanBuilder::byExperts(Stage stage, AttentionId attention, const std::vector<StepId> &reads,
                              K weight, K bias, Index width) {
    const Shape from = shapeOf(reads[0]);
    const bool isOwnInput = networkOf(attention).scalesInput;
    const op::ExpertLinear operation{stage == Stage::ExpertOutputs || isOwnInput};
    return add(stage, attention, operation, reads,
               {{idOf(weight, attention)}, {idOf(bias, attention)}},
               {from[0], from[1], m_config.feedForward.experts * width});
}

} // namespace headlight::core
