// Layout of the boxes of the model's parts, above the diagram.
#pragma once

#include "core/transformer/names/stage.h"

#include <QPainterPath>
#include <QRectF>
#include <QString>

#include <optional>
#include <vector>

namespace headlight::ui {

struct FlowMapBox {
    enum class Time { Passed, Current, Later };
    QRectF rect;
    QString text; ///< "self-attention", or "layer 1" for a layer shown as one box
    QString name; ///< full name: "decoder · layer 1 · cross-attention"
    core::StageId goesTo{core::Stage::AttentionWeights, {}};
    Time time = Time::Later;
    bool readsMemory = false; ///< the encoder's output is an input
};

struct FlowMapLabel {
    QRectF rect;
    QString text; ///< "encoder", "layer 0"
};

struct FlowMapArrow {
    QPainterPath path;
    QPointF tip;
    double angle = 0; ///< degrees, clockwise from pointing right
};

struct FlowMapGeometry {
    QRectF area;
    std::vector<FlowMapBox> boxes;
    std::vector<FlowMapLabel> labels;
    std::vector<QRectF> frames; ///< around the parts of a layer
    std::vector<FlowMapArrow> arrows;

    const FlowMapBox *boxAt(QPointF point) const &;
    const FlowMapBox *boxAt(QPointF point) const && = delete; // would dangle
};

} // namespace headlight::ui
