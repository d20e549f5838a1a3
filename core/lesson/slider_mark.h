// A value with a slider in a lesson's text, such as {slider temperature 0.25 to 4}.
#pragma once

#include "core/result.h"
#include "core/transformer/model/parameter_id.h"
#include "core/transformer/trace/trace.h"

#include <optional>
#include <string>
#include <string_view>

namespace headlight::core {

struct SliderMark {
    std::optional<ParameterId> parameter; ///< unset: the softmax temperature
    Index row = 0, column = 0;            ///< cell of the parameter
    float least = 0, most = 0;            ///< the ends of the slider
    float value = 0;                      ///< current value

    /// Returns the slider's position, 0 … 1.
    double share() const;
    /// Returns the value at a position, rounded to hundredths of the slider's length.
    float at(double share) const;
};

/// Reads "temperature LEAST to MOST" or "parameter NAME ROW COLUMN LEAST to MOST" from the front of
/// `mark`, after the word "slider". Errors, with an empty `where`: no such parameter or cell, ends
/// in the wrong order, a temperature that is not positive.
Result<SliderMark> takeSlider(std::string_view &mark, const Trace &trace);

/// Convert a whole mark, such as "slider temperature 0.25 to 4", to hexadecimal digits, which links
/// in HTML can contain, and back.
std::string hexOf(std::string_view text);
std::string textOfHex(std::string_view hex);

} // namespace headlight::core
