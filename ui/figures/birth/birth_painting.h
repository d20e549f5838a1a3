// Painting shared by the pictures of a head being born.
#pragma once

#include "ui/figures/base/figure.h"
#include "ui/figures/birth/birth_geometry.h"
#include "ui/figures/text/text.h"

namespace headlight::ui {

/// Returns the colour of an answer: green if right, red if wrong, muted if there is no right one.
QColor colourOf(BirthAnswer::State state, const FigureStyle &style);

void paintChips(QPainter &painter, const BirthContent &content, const BirthGeometry &places,
                const FigureStyle &style);
/// Paints the loss, the line of guessing, and the marks.
void paintBirthCurve(QPainter &painter, const BirthContent &content, const CurvePlotGeometry &curve,
                     const std::vector<BirthMarkPlace> &marks, const FigureStyle &style);
/// Paints a small picture of cells with a frame.
void paintPattern(QPainter &painter, const HeatmapGeometry &places, const HeatmapContent &content,
                  const FigureStyle &style, Device device);
/// Paints the title, and below it why there is nothing to show.
void paintNoBirth(QPainter &painter, const QRectF &area, const BirthContent &content,
                  const FigureStyle &style);

/// Returns a description for screen readers, with one sentence about each part.
QString describe(const BirthContent &content);
/// Returns "step 140 of 2000".
QString stepText(const BirthContent &content);
/// Returns "loss 0.61 · right 71 %".
QString progressText(const BirthContent &content);

} // namespace headlight::ui
