// Functions for the rows of Heads, Model, Lines, Text and Query·key in the table of views.
#pragma once

#include "ui/figures/table/views.h"

namespace headlight::ui {

/// Return the figures of the Heads and Model views.
std::unique_ptr<Figure> madeHeads(const FigureInput &input);
std::unique_ptr<Figure> madeModel(const FigureInput &input);

/// Returns the stage that Heads shows. For a stage without heads, this is the attention weights.
core::Stage stageOfHeads(core::Stage stage);
core::Selection shownHeads(const core::Trace &trace, const core::Selection &selection);

/// Returns the selection at the scores, which are the sums of the products of query and key.
core::Selection shownScores(const core::Trace &trace, const core::Selection &selection);

/// Return an error if the run lacks the data that the view requires: weights, all heads, or queries
/// and keys.
core::Outcome canShowHeads(const FigureInput &input);
core::Outcome canShowModel(const FigureInput &input);
core::Outcome canShowLines(const FigureInput &input);
core::Outcome canShowText(const FigureInput &input);
core::Outcome canShowQueryKey(const FigureInput &input);

/// Return why the weights, or the queries, of a side of a comparison cannot be shown. The Heads
/// view can also show the difference.
UnavailableReason headsUnavailableReason(const FigureInput &input);
UnavailableReason weightsUnavailableReason(const FigureInput &input);
UnavailableReason queryUnavailableReason(const FigureInput &input);

/// Return why a figure is empty.
QString nothingOfHeads(const Figure &figure);
QString nothingOfModel(const Figure &figure);
QString nothingOfLines(const Figure &figure);
QString nothingOfText(const Figure &figure);
QString nothingOfQueryKey(const Figure &figure);

} // namespace headlight::ui
