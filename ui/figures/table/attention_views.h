// Functions of the rows of Heads, Model, Lines, Text and Query·key in the table of views.
#pragma once

#include "ui/figures/table/views.h"

namespace headlight::ui {

/// Creates the figure of the view Model.
std::unique_ptr<Figure> madeModel(const FigureInput &input);

/// Returns the selection at the scores, which the products of query and key add up to.
core::Selection shownScores(const core::Trace &trace, const core::Selection &selection);

/// Return an error if the run has no attention weights, not all heads, or no queries and keys.
core::Outcome canShowHeads(const FigureInput &input);
core::Outcome canShowModel(const FigureInput &input);
core::Outcome canShowLines(const FigureInput &input);
core::Outcome canShowText(const FigureInput &input);
core::Outcome canShowQueryKey(const FigureInput &input);

/// Return why the weights, or the queries, of a side of a comparison cannot be shown. These views
/// show one side at a time.
UnavailableReason weightsUnavailableReason(const FigureInput &input);
UnavailableReason queryUnavailableReason(const FigureInput &input);

/// Returns why a figure is empty; empty if it is not.
QString nothingOfModel(const Figure &figure);
QString nothingOfLines(const Figure &figure);
QString nothingOfText(const Figure &figure);
QString nothingOfQueryKey(const Figure &figure);

} // namespace headlight::ui
