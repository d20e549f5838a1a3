// The inspector's words for a derivation: the names of its numbers, and its sentences.
#pragma once

#include "core/explain/derivation.h"

#include <QString>

namespace headlight::ui {

/// Returns the name of one number of a stage: "score", "weight", "logit".
QString nameOfNumber(core::Stage stage);

/// Returns the name of a number in the derivation `cell`.
QString nameOf(core::Quantity quantity, const core::Derivation &cell);

/// Returns words instead of the expression of a value: "silenced"; empty if the expression is
/// written out.
QString valueText(const core::Derivation &cell);

/// Returns the sentences for all notes of the derivation: those of its remarks and of the functions
/// in its expression.
QString sentencesOf(const core::Derivation &cell);

} // namespace headlight::ui
