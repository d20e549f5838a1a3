// The steps of the output layer.
#include "core/transformer/plan/plan_builder.h"

#include <cmath>

namespace headlight::core {

void PlanBuilder::outputLayer(StepId x) {
    switch (m_config.outputLayer.kind) {
    case OutputLayerKind::None:
        return;
    case OutputLayerKind::Language:
        return logits(divided(isTied() && m_config.outputLayer.scaled ? scaledDown(x) : x));
    case OutputLayerKind::MaskedLanguage:
        return logits(transformed(x));
    case OutputLayerKind::Classifier:
        return classify(x);
    case OutputLayerKind::Projection:
        return project(x);
    }
}

StepId PlanBuilder::scaledDown(StepId x) {
    const op::Scale scale{static_cast<float>(1 / std::sqrt(static_cast<double>(m_config.width))),
                          m_config.width, true};
    return add(Stage::OutputLayerInput, {}, op::Each{scale}, {x}, {}, shapeOf(x),
               m_config.logitDivisor != 1 ? 1 : 0);
}

StepId PlanBuilder::divided(StepId x) {
    const float divisor = m_config.logitDivisor;
    if (divisor == 1)
        return x;
    return add(Stage::OutputLayerInput, {}, op::Each{op::Scale{1 / divisor, 0, true, divisor}}, {x},
               {}, shapeOf(x));
}

StepId PlanBuilder::transformed(StepId x) {
    const bool normed = m_config.outputLayer.norm && m_config.hasNorm();
    const StepId mapped = linear(Stage::OutputLayerInput, {}, x, K::PredictionTransform,
                                 K::PredictionTransformBias, m_config.tokenWidth(), normed ? 2 : 1);
    const StepId made = add(Stage::OutputLayerInput, {}, op::Each{m_config.outputLayer.activation},
                            {mapped}, {}, shapeOf(mapped), normed ? 1 : 0);
    return normed ? normalise(Stage::OutputLayerInput, {}, made, K::PredictionNormGain,
                              K::PredictionNormBias)
                  : made;
}

void PlanBuilder::logits(StepId x) {
    const Parameter &matrix = m_model.parameters.outputLayer.output;
    const K which = matrix ? K::OutputMatrix : K::Embeddings;
    const Shape shape{m_extent.batch, m_extent.targets, logitsOf(m_model.parameters)};
    const Softcap &cap = m_config.logitCap;
    StepId logits = add(cap.isOn() ? Stage::UncappedLogits : Stage::Logits, {}, op::Linear{!matrix},
                        {x}, {{idOf(which, {})}, {idOf(K::OutputMatrixBias, {})}}, shape);
    if (cap.isOn())
        logits = add(Stage::Logits, {}, op::Each{op::Softcap{cap.limit}}, {logits}, {}, shape);
    add(Stage::Probabilities, {}, op::Softmax{1}, {logits}, {}, shape);
}

StepId PlanBuilder::pooled(StepId x) {
    const Shape shape{m_extent.batch, m_config.width};
    const bool mapped = m_model.parameters.outputLayer.pooler != nullptr;
    const StepId pooled = add(Stage::Pooled, {}, op::Pool{m_config.outputLayer.pooling}, {x}, {},
                              shape, mapped ? 2 : 0);
    if (!mapped)
        return pooled;
    const StepId through = add(Stage::Pooled, {}, op::Linear{}, {pooled},
                               {{idOf(K::Pooler, {})}, {idOf(K::PoolerBias, {})}}, shape, 1);
    const OutputLayer &of = m_config.outputLayer;
    return add(Stage::Pooled, {},
               of.activatesPooled ? op::Each{of.activation} : op::Each{op::Tanh{}}, {through}, {},
               shape);
}

void PlanBuilder::classify(StepId x) {
    const StepId first = pooled(x);
    if (!m_model.parameters.outputLayer.distillationClassifier) {
        classLogits(Stage::ClassLogits, first, K::Classifier, K::ClassifierBias);
        return;
    }
    const StepId second = add(Stage::DistillationPooled, {}, op::Pool{Pooling::Second}, {x}, {},
                              {m_extent.batch, m_config.width});
    const StepId one = classLogits(Stage::ClsLogits, first, K::Classifier, K::ClassifierBias);
    const StepId other = classLogits(Stage::DistillationLogits, second, K::DistillationClassifier,
                                     K::DistillationClassifierBias);
    const StepId sum = add(Stage::ClassLogits, {}, op::Add{}, {one, other}, {}, shapeOf(one), 1);
    add(Stage::ClassLogits, {}, op::Each{op::Scale{0.5f, 0, true, 2}}, {sum}, {}, shapeOf(sum));
}

void PlanBuilder::project(StepId x) {
    const OutputLayer &of = m_config.outputLayer;
    const StepId pooled =
        add(Stage::Pooled, {}, op::Pool{of.pooling}, {x}, {}, {m_extent.batch, m_config.width});
    add(Stage::Projected, {}, op::Linear{}, {pooled}, {{idOf(K::Projection, {})}},
        {m_extent.batch, of.classes});
}

StepId PlanBuilder::classLogits(Stage stage, StepId pooled, K matrix, K bias) {
    return add(stage, {}, op::Linear{}, {pooled}, {{idOf(matrix, {})}, {idOf(bias, {})}},
               {m_extent.batch, m_config.outputLayer.classes});
}

} // namespace headlight::core
