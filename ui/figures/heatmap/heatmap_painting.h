// How a heatmap's parts are painted. Each function is used by every figure that has such a part.
#pragma once

#include "ui/figures/heatmap/heatmap_figure.h"

namespace headlight::ui {

/// One image on a raster device; where a pixel holds several cells, it shows the one farthest from
/// zero. One rectangle a cell on a vector device. Only `cells` of the geometry counts: all that a
/// small heatmap within another figure has. `fade` mixes every colour into the background: 1 is the
/// colour itself.
void paintCells(QPainter &painter, const HeatmapGeometry &geometry, const HeatmapContent &content,
                const FigureStyle &style, const QColor &background, Device device, double fade = 1);

/// Rows of padding: two strokes a cell, across opposite corners, that join into a hatch; of small
/// cells one hatch across all of them. `number`: the largest of the numbers in the cells; the
/// strokes end before it.
void paintHatch(QPainter &painter, const HeatmapGeometry &geometry, const HeatmapContent &content,
                const FigureStyle &style, const QColor &background,
                const std::optional<QSizeF> &number);

/// A thin line around all cells: those near zero are hardly told from what is behind them.
void paintFrame(QPainter &painter, const HeatmapGeometry &geometry, const FigureStyle &style);

/// The values as text, where all that are in sight have room in their cells: the larger the cell,
/// the larger the number; in small ones with fewer digits. Beneath them the hatch of padding.
/// `background` and `fade` as paintCells() has them.
void paintNumbers(QPainter &painter, const HeatmapGeometry &geometry, const HeatmapContent &content,
                  const FigureStyle &style, const QColor &background, double fade = 1);

/// The smallest cell in which its numbers stand as paintNumbers() has them; empty: it has none, or
/// so many that nobody waits for all of them.
QSizeF leastCellOfNumbers(const HeatmapContent &content, const FigureStyle &style);

/// What is painted on is a PDF or an SVG.
bool isVectorFile(const QPainter &painter);

void paintSelection(QPainter &painter, const HeatmapGeometry &geometry,
                    const HeatmapContent &content, const FigureStyle &style, double width = 2);

/// Where a selected number came from: see HeatmapContent::marks.
void paintMarks(QPainter &painter, const HeatmapGeometry &geometry, const HeatmapContent &content,
                const FigureStyle &style);

/// Queries that see no key at all: said in words, or struck through where there is no room.
void paintRowMarks(QPainter &painter, const HeatmapGeometry &geometry,
                   const HeatmapContent &content, const FigureStyle &style);

/// A triangle in the corner of each cell whose score a person set.
void paintSetByHand(QPainter &painter, const HeatmapGeometry &geometry,
                    const HeatmapContent &content, const FigureStyle &style);

void paintLabels(QPainter &painter, const HeatmapGeometry &geometry, const HeatmapContent &content,
                 const FigureStyle &style);

/// A line between groups of columns and, where there is room for them, their names beneath.
void paintColumnGroups(QPainter &painter, const HeatmapGeometry &geometry,
                       const HeatmapContent &content, const FigureStyle &style);

/// "key →"
QString columnAxisText(const HeatmapContent &content);

/// The map with its two ends and which range it is, in one line; then the note, if there is one.
void paintColourBar(QPainter &painter, const QRectF &rect, const ColourScale &scale,
                    const FigureStyle &style, const QString &note = {});

/// px that it needs at least for all its words.
double colourBarWidth(const ColourScale &scale, const FigureStyle &style);

/// An outline within the rectangle, so that it never leaves the figure.
void paintOutline(QPainter &painter, const QRectF &rect, const QColor &colour, double width,
                  Qt::PenStyle line = Qt::SolidLine);

/// Words in the middle of the area, on as many lines as they need; nothing where there are none.
void paintAbsence(QPainter &painter, const QRectF &area, const QString &words,
                  const FigureStyle &style);

} // namespace headlight::ui
