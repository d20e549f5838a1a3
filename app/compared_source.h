// Side A of a figure's comparison.
#pragma once

#include "app/commands.h"
#include "ui/compare/compared.h"

#include <functional>

namespace headlight::app {

/// True if side A is another sequence of the current side's trace, so that side A needs no separate
/// pass.
bool isOfSameTrace(const Arguments &arguments);

/// Returns the observer of side A's pass, or null. The argument is side A as it was opened.
using ObserverOfA = std::function<core::WeightsObserver *(const ui::OpenedSource &a)>;

/// Computes side A as --compare, --compare-text and --compare-sequence specify, and finds the
/// partners of the tokens. Errors: the source cannot be opened, the text cannot be read, an index
/// is out of range.
core::Result<ui::Compared> comparedWith(const Arguments &arguments, const SourceAndTrace &now,
                                        const ObserverOfA &observer, std::stop_token stop);

/// Returns the request that opens the current side's source again, with the same edits.
ui::SourceRequest requestOfSameSource(const Arguments &arguments, const SourceAndTrace &now);
/// Sets the text of --compare-text.
void setTextOfA(const Arguments &arguments, ui::SourceRequest &request);
/// Replaces --text with --compare-text in an error about the text of side A.
core::Error ofTextA(const Arguments &arguments, core::Error error);

/// Returns the partners of the tokens. The pairs of --align apply to the text that --text sets,
/// which is the second sequence if the model has one. Error: a token of --align does not exist.
core::Result<core::TokenPartnersPointer> partnersOf(const Arguments &arguments,
                                                    const core::Trace &now, core::Index nowSequence,
                                                    const core::Trace &a, core::Index aSequence);

} // namespace headlight::app
