// Where the boxes of the model's parts are, above the diagram of one of them.
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
    QString text; ///< "self-attention"; of a layer that is not drawn in its parts "layer 1"
    QString name; ///< all of it: "decoder · layer 1 · cross-attention"
    core::StageId goesTo{core::Stage::AttentionWeights, {}};
    Time time = Time::Later;
    bool readsMemory = false; ///< the encoder's output goes there
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
    const FlowMapBox *boxAt(QPointF point) const && = delete; // it would not outlive the geometry
};

} // namespace headlight::ui
