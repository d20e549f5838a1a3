// A measure of each head, or its change between the two sides of a comparison. The model view shows
// these numbers as coloured cells instead of thumbnails.
#pragma once

#include "core/analysis/head_glances.h"
#include "core/analysis/text_comparison.h"
#include "ui/figures/base/style.h"
#include "ui/figures/colours/colour_scale.h"
#include "ui/text/measure_text.h"

#include <QString>

#include <map>

namespace headlight::ui {

struct HeadNumbers {
    const core::NamedMeasure *measure = nullptr;
    bool isChange = false; ///< current − A, over the tokens that have a partner
    /// One value for each head that has the measure, for a change on both sides.
    std::map<core::HeadId, double> values{};
    QString missing{}; ///< why there are no values yet; empty if they are complete
};

/// Returns the measures of the heads that are ready.
HeadNumbers numbersOf(const core::NamedMeasure &measure, const core::TraceGlances &glances);
/// Returns the changes of the measure.
HeadNumbers changesOf(const core::NamedMeasure &measure,
                      const std::vector<core::ComparedHead> &heads);

/// Returns "Weight on the previous token" or "Change of the weight on the previous token".
QString titleOf(const HeadNumbers &numbers);

/// Returns one colour scale for all heads. It is symmetric about zero for changes and from 0 to 1
/// for shares. Otherwise, it is from 0 to the largest value.
ColourScale scaleOf(const HeadNumbers &numbers, const FigureStyle &style);

/// Returns "change of the weight on the previous token +0.25", or the measure itself.
QString numberWords(const HeadNumbers &numbers, const core::HeadId &head);

/// Formats the change of a measure, for example "+0.25". Returns a dash if there is no change.
QString changeOfMeasureText(const std::optional<double> &change);

/// True for shares of weight and for similarities, which are between 0 and 1.
bool isShare(const core::NamedMeasure &measure);

} // namespace headlight::ui
