// A number with a slider in a lesson's text, such as {slider temperature 0.25 to 4}.
#pragma once

#include "core/result.h"
#include "core/transformer/model/parameter_id.h"
#include "core/transformer/trace/trace.h"

#include <optional>
#include <string>
#include <string_view>

namespace headlight::core {

struct SliderMark {
    std::optional<ParameterId> parameter; ///< unset: the temperature of softmax
    Index row = 0, column = 0;            ///< indices of the parameter's number
    float least = 0, most = 0;            ///< the ends of the slider
    float value = 0;                      ///< the present number

    /// Returns the position of the value, 0 … 1.
    double share() const;
    /// Returns the number at a position, in hundredths of the slider.
    float at(double share) const;
};

/// Reads "temperature LEAST to MOST" or "parameter NAME ROW COLUMN LEAST to MOST" after the word
/// "slider", from the front of `mark`. Errors, with an empty `where`: no such parameter or number,
/// ends that are not in order, a temperature that is not positive.
Result<SliderMark> takeSlider(std::string_view &mark, const Trace &trace);

/// Returns the whole mark, "slider temperature 0.25 to 4", as hexadecimal digits, and the reverse.
/// A link in HTML can hold these.
std::string hexOf(std::string_view text);
std::string textOfHex(std::string_view hex);

} // namespace headlight::core
