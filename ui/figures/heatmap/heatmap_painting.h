// Painting of a heatmap's parts, shared by all figures.
#pragma once

#include "ui/figures/heatmap/heatmap_figure.h"
#include "ui/text/cell_numbers.h"

namespace headlight::ui {

/// Paints one image on a raster device, in which a pixel with several cells shows the number that
/// `content.blocks` sets. Paints one rectangle per cell on a vector device. Uses only the
/// geometry's cells, so that small heatmaps in other figures need nothing else. `fade` mixes every
/// colour into the background: 1 is the colour itself.
void paintCells(QPainter &painter, const HeatmapGeometry &geometry, const HeatmapContent &content,
                const FigureStyle &style, const QColor &background, Device device, double fade = 1,
                CellDetail detail = CellDetail::Full);

/// Hatches padding rows: two strokes per cell across opposite corners join into a hatch. Small
/// cells get one hatch across all of them. `number` is the size of the largest number in the cells;
/// strokes end before it.
void paintHatch(QPainter &painter, const HeatmapGeometry &geometry, const HeatmapContent &content,
                const FigureStyle &style, const QColor &background,
                const std::optional<QSizeF> &number);

/// Paints a thin line around all cells, because cells near zero hardly differ from the background.
void paintFrame(QPainter &painter, const HeatmapGeometry &geometry, const FigureStyle &style);

/// Paints the values as text if all visible ones fit into their cells. Larger cells have larger
/// numbers, small cells fewer decimals; zeros are faint. Also paints the hatch of padding below the
/// numbers. `background` and `fade`: as in paintCells().
void paintNumbers(QPainter &painter, const HeatmapGeometry &geometry, const HeatmapContent &content,
                  const FigureStyle &style, const QColor &background, double fade = 1);

/// Returns the form of the numbers that paintNumbers() uses in cells of this size, or the usual
/// form if they do not fit.
CellNumbers writtenIn(const QSizeF &cell, const HeatmapContent &content, const FigureStyle &style);

/// Returns the smallest cell in which paintNumbers() shows the numbers. Empty if there are none or
/// too many to measure quickly.
QSizeF minCellOfNumbers(const HeatmapContent &content, const FigureStyle &style);

/// Returns the cell that numbers in digits of this size need, in their short form.
QSizeF cellOfNumbers(const HeatmapContent &content, const FigureStyle &style, int pixels);

/// True if paintNumbers() shows numbers in cells of this size. False for matrices that are too
/// large to measure quickly.
bool numbersFit(const QSizeF &cell, const HeatmapContent &content, const FigureStyle &style);

/// True if the painter writes a PDF or an SVG.
bool isVectorFile(const QPainter &painter);

void paintSelection(QPainter &painter, const HeatmapGeometry &geometry,
                    const HeatmapContent &content, const FigureStyle &style, double width = 2);

/// Paints HeatmapContent::marks.
void paintMarks(QPainter &painter, const HeatmapGeometry &geometry, const HeatmapContent &content,
                const FigureStyle &style);

/// Marks fully masked queries with words, or with a line if there is no space.
void paintRowMarks(QPainter &painter, const HeatmapGeometry &geometry,
                   const HeatmapContent &content, const FigureStyle &style);

/// Paints a triangle in the corner of each cell whose score the user overrode.
void paintSetByHand(QPainter &painter, const HeatmapGeometry &geometry,
                    const HeatmapContent &content, const FigureStyle &style);

void paintLabels(QPainter &painter, const HeatmapGeometry &geometry, const HeatmapContent &content,
                 const FigureStyle &style);

/// Paints lines between column groups and, if they fit, the group names below.
void paintColumnGroups(QPainter &painter, const HeatmapGeometry &geometry,
                       const HeatmapContent &content, const FigureStyle &style);

struct CellRange {
    Cell first, end; ///< first cell after the range
};
/// Returns the visible cells; in a vector file all cells.
CellRange cellsInSight(const QPainter &painter, const HeatmapGeometry &geometry);

/// Returns "key →".
QString columnAxisText(const HeatmapContent &content);

/// Paints the map with its ends and range, and an optional note, in one line.
void paintColourBar(QPainter &painter, const QRectF &rect, const ColourScale &scale,
                    const FigureStyle &style, const QString &note = {});

/// Returns the width of the map with its ends in px, as paintColourBar() paints it without a note.
double colourBarLength(const QRectF &rect, const ColourScale &scale, const FigureStyle &style);

/// Returns the minimum width in px at which all text fits.
double colourBarWidth(const ColourScale &scale, const FigureStyle &style);

/// Paints an outline inside the rectangle, so that it never leaves the figure.
void paintOutline(QPainter &painter, const QRectF &rect, const QColor &colour, double width,
                  Qt::PenStyle line = Qt::SolidLine);

/// Paints text in the middle of the area on as many lines as needed; nothing if it is empty.
void paintAbsence(QPainter &painter, const QRectF &area, const QString &words,
                  const FigureStyle &style);

} // namespace headlight::ui
