// A head being born, as the window shows it: one snapshot of a recorded run.
#pragma once

#include "ui/figures/base/figure.h"
#include "ui/figures/birth/birth_geometry.h"

#include <optional>

namespace headlight::ui {

class BirthFigure : public Figure {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::BirthFigure)
  public:
    /// `leftRoom`: px on the left that stay free for controls.
    BirthFigure(BirthContent content, FigureStyle style, double leftRoom = 0)
        : m_content(std::move(content)), m_style(std::move(style)), m_leftRoom(leftRoom) {}

    QSizeF naturalSize() const override;
    QSizeF minimumSize() const override;
    QSizeF minSight() const override { return {m_leftRoom + m_style.scaled(200), 160}; }
    void paint(QPainter &painter, const QRectF &area, Device device) const override;
    qint64 cellCount() const override;
    QString description() const override;

    const BirthContent &content() const { return m_content; }
    BirthGeometry geometry(const QRectF &area) const {
        return birthGeometry(m_content, m_style, area, m_leftRoom);
    }
    /// Returns the step under the point. Unset outside the curve's card.
    std::optional<double> stepAt(const BirthGeometry &places, QPointF point) const;
    /// Describes the cell, picture or answer under the point. Empty if there is none.
    QString words(const BirthGeometry &places, QPointF point) const;

  private:
    BirthContent m_content;
    FigureStyle m_style;
    double m_leftRoom;
};

} // namespace headlight::ui
