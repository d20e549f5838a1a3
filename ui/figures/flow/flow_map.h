// The position of the diagram in the model: a row of boxes per stack, one for each part of its
// layers in the order of the computation. A long row shows only the layers around the current one.
#pragma once

#include "ui/figures/base/style.h"
#include "ui/figures/flow/flow_map_geometry.h"
#include "ui/figures/parts/model_parts.h"

#include <QCoreApplication>
#include <QPainter>

namespace headlight::ui {

class FlowMap {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::FlowMap)

  public:
    /// A part of the model.
    struct Part {
        ModelPart part;
        QString title; ///< "self-attention"
        core::StageId goesTo{core::Stage::AttentionWeights, {}};
        FlowMapBox::Time time = FlowMapBox::Time::Later;
    };
    /// Parts shown together in a row: a layer, or a part outside the layers.
    struct Group {
        std::optional<core::Index> layer;
        std::vector<Part> parts;
        core::StageId goesTo{core::Stage::AttentionWeights, {}}; ///< the same stage in this layer
        bool isCurrent() const;
    };
    struct Row {
        core::Stack stack;
        QString title; ///< "encoder"; empty if there is one stack
        std::vector<Group> groups;
    };

    /// `selection` is at a stage of the current part.
    FlowMap(const core::Trace &trace, const ModelParts &parts, const ModelPart &current,
            const core::Selection &selection);

    /// Returns 0 if the model has only one part.
    double height(const FigureStyle &style) const;
    /// Returns a layout at the top of the area.
    FlowMapGeometry geometry(const QRectF &area, const FigureStyle &style) const;
    void paint(QPainter &painter, const FlowMapGeometry &geometry, const FigureStyle &style) const;
    /// Returns "decoder · layer 1 · cross-attention"; empty if there is only one part.
    QString description() const;
    /// Returns the full name of a part.
    static QString nameOf(const Row &row, const Group &group, const QString &part);

  private:
    std::vector<Row> m_rows;
    bool m_isShown = false;
};

} // namespace headlight::ui
