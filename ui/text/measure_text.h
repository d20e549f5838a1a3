// The names and definitions of head measures, shared by tooltips, the glossary and the command
// line.
#pragma once

#include "core/analysis/head_measures.h"

#include <QString>

namespace headlight::ui {

/// Returns the measure's name: "weight on the previous token".
QString titleOf(const core::NamedMeasure &measure);
/// Returns the measure's short name, for a heading or a line with all measures: "previous".
QString shortTitleOf(const core::NamedMeasure &measure);
/// Returns the measure's formula, and the rows that it leaves out.
QString definitionOf(const core::NamedMeasure &measure);
/// Returns the paper in which such heads or this measure were described: "Olsson et al. 2022
/// (In-context Learning and Induction Heads)".
QString referenceOf(const core::NamedMeasure &measure);
QString glossaryIdOf(const core::NamedMeasure &measure);
/// Formats a measure's value, for example "0.99", or a dash if there is no value.
QString measureText(const std::optional<double> &value);

} // namespace headlight::ui
