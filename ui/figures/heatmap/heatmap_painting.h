// Paints the parts of a heatmap, for all figures.
#pragma once

#include "ui/figures/heatmap/heatmap_figure.h"
#include "ui/text/cell_numbers.h"

namespace headlight::ui {

/// Paints one image on a raster device. A pixel with several cells shows the number that
/// `content.blocks` sets. Paints one rectangle per cell on a vector device. Uses only the
/// geometry's cells, so small heatmaps in other figures can leave all other fields empty. `fade`
/// mixes every colour into the background. At 1, colours are unchanged.
void paintCells(QPainter &painter, const HeatmapGeometry &geometry, const HeatmapContent &content,
                const FigureStyle &style, const QColor &background, Device device, double fade = 1,
                CellDetail detail = CellDetail::Full);

/// Hatches padding rows. The two strokes of each cell, across opposite corners, join into a hatch.
/// Small cells share one hatch. `number` is the size of the largest number in the cells. Strokes
/// end before it.
void paintHatch(QPainter &painter, const HeatmapGeometry &geometry, const HeatmapContent &content,
                const FigureStyle &style, const QColor &background,
                const std::optional<QSizeF> &number);

/// Paints a thin line around all cells, because cells near zero look almost like the background.
void paintFrame(QPainter &painter, const HeatmapGeometry &geometry, const FigureStyle &style);

/// Paints the values as text if all visible ones fit into their cells. Larger cells have larger
/// numbers, small cells fewer decimals. Zeros are faint. Also paints the hatch of padding below the
/// numbers. `background` and `fade` are those of paintCells().
void paintNumbers(QPainter &painter, const HeatmapGeometry &geometry, const HeatmapContent &content,
                  const FigureStyle &style, const QColor &background, double fade = 1);

/// Returns the form of the numbers that paintNumbers() uses in cells of this size, or the usual
/// form if they do not fit.
CellNumbers writtenIn(const QSizeF &cell, const HeatmapContent &content, const FigureStyle &style);

/// Returns the size of the smallest cell in which paintNumbers() shows numbers. Empty if there are
/// no numbers, or too many to measure quickly.
QSizeF minCellOfNumbers(const HeatmapContent &content, const FigureStyle &style);

/// Returns the size of a cell for numbers with digits of `pixels` px. Numbers other than weights
/// have their short form.
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

/// Marks fully masked queries with text, or with a line if there is no space.
void paintRowMarks(QPainter &painter, const HeatmapGeometry &geometry,
                   const HeatmapContent &content, const FigureStyle &style);

/// Paints a triangle in the corner of each cell whose score the user overrode.
void paintSetByHand(QPainter &painter, const HeatmapGeometry &geometry,
                    const HeatmapContent &content, const FigureStyle &style);

void paintLabels(QPainter &painter, const HeatmapGeometry &geometry, const HeatmapContent &content,
                 const FigureStyle &style);

/// Paints lines between column groups, and the group names below if they fit.
void paintColumnGroups(QPainter &painter, const HeatmapGeometry &geometry,
                       const HeatmapContent &content, const FigureStyle &style);

struct CellRange {
    Cell first, end; ///< `end` is just past the last cell
};
/// Returns the visible cells. In a vector file, these are all cells.
CellRange cellsInSight(const QPainter &painter, const HeatmapGeometry &geometry);

/// Returns "key →".
QString columnAxisText(const HeatmapContent &content);

/// Paints the colour map, its ends, its range and an optional note in one line.
void paintColourBar(QPainter &painter, const QRectF &rect, const ColourScale &scale,
                    const FigureStyle &style, const QString &note = {});

/// Returns the width in px of the colour map and its ends, as painted by paintColourBar() without a
/// note.
double colourBarLength(const QRectF &rect, const ColourScale &scale, const FigureStyle &style);

/// Returns the minimum width in px at which all text fits.
double colourBarWidth(const ColourScale &scale, const FigureStyle &style);

/// Paints an outline inside the rectangle, so that it does not leave the figure.
void paintOutline(QPainter &painter, const QRectF &rect, const QColor &colour, double width,
                  Qt::PenStyle line = Qt::SolidLine);

/// Paints text in the middle of the area on as many lines as needed. Does nothing if the text is
/// empty.
void paintAbsence(QPainter &painter, const QRectF &area, const QString &words,
                  const FigureStyle &style);

} // namespace headlight::ui
