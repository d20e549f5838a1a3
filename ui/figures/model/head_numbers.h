// A measure of each head, or its change between the two sides of a comparison, for the coloured
// cells in place of the model view's thumbnails.
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
    bool isChange = false; ///< now − A, over the tokens that have a partner
    /// A value for each head that has the measure, on both sides for a change.
    std::map<core::HeadId, double> values{};
    QString missing{}; ///< why there are no values yet; empty: they are complete
};

/// Returns the measures of the heads that are ready.
HeadNumbers numbersOf(const core::NamedMeasure &measure, const core::TraceGlances &glances);
/// Returns the changes of the measure.
HeadNumbers changesOf(const core::NamedMeasure &measure,
                      const std::vector<core::ComparedHead> &heads);

/// Returns "Weight on the previous token" or "Change of the weight on the previous token".
QString titleOf(const HeadNumbers &numbers);

/// Returns one colour scale for all heads: symmetric about zero for changes, from 0 to 1 for
/// shares, otherwise from 0 to the largest value.
ColourScale scaleOf(const HeadNumbers &numbers, const FigureStyle &style);

/// Returns "change of the weight on the previous token +0.25", or the measure.
QString numberWords(const HeadNumbers &numbers, const core::HeadId &head);

/// Formats a change of a measure, for example "+0.25"; a dash if there is none.
QString changeOfMeasureText(const std::optional<double> &change);

/// True for shares of weight and similarities, which are from 0 to 1.
bool isShare(const core::NamedMeasure &measure);

} // namespace headlight::ui
