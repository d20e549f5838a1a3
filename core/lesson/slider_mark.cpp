#include "core/lesson/slider_mark.h"

#include "core/lesson/mark_words.h"
#include "core/parse_number.h"
#include "core/transformer/model/parameter_table.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace headlight::core {

double SliderMark::share() const {
    return std::clamp(static_cast<double>(value - least) / static_cast<double>(most - least), 0.0,
                      1.0);
}

float SliderMark::at(double share) const {
    const double steps = std::round(std::clamp(share, 0.0, 1.0) * 100);
    const auto from = static_cast<double>(least), to = static_cast<double>(most);
    // Rounds, so that a slider from 0.1 to 4 has no values such as 1.2699999.
    return static_cast<float>(std::round((from + (to - from) * steps / 100) * 1e4) / 1e4);
}

Result<SliderMark> takeSlider(std::string_view &mark, const Trace &trace) {
    SliderMark slider;
    const std::string_view what = nextMarkWord(mark);
    if (what == "parameter") {
        const std::string_view name = nextMarkWord(mark);
        slider.parameter = findParameter(name);
        const ModelParameters &all = trace.model().parameters;
        if (!slider.parameter || !hasPlaceFor(all, *slider.parameter) ||
            !parameterOf(all, *slider.parameter))
            return Error{{"this model has no parameter \"%1\"", name}, "", ""};
        const ParameterMatrix &matrix = *parameterOf(all, *slider.parameter);
        if (!readWholeWord(nextMarkWord(mark), slider.row) ||
            !readWholeWord(nextMarkWord(mark), slider.column) || slider.row >= matrix.rows() ||
            slider.column >= matrix.columns())
            return Error{
                {"expected a row and a column of %1 × %2", matrix.rows(), matrix.columns()},
                "",
                ""};
        slider.value = matrix(slider.row, slider.column);
    } else if (what == "temperature") {
        slider.value = trace.model().config.temperature;
    } else {
        return Error{"expected \"temperature\" or \"parameter\" after \"slider\"", "", ""};
    }
    const auto least = parseNumber(nextMarkWord(mark));
    const bool hasTo = nextMarkWord(mark) == "to";
    const auto most = parseNumber(nextMarkWord(mark));
    if (!least || !hasTo || !most || *least >= *most)
        return Error{"expected the two ends of the slider, such as \"-3 to 3\"", "", ""};
    if (!slider.parameter && *least <= 0)
        return Error{"a temperature must be above 0", "", ""};
    slider.least = *least;
    slider.most = *most;
    return slider;
}

std::string hexOf(std::string_view text) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string hex;
    for (const char letter : text) {
        const auto byte = static_cast<unsigned char>(letter);
        hex += kDigits[byte / 16];
        hex += kDigits[byte % 16];
    }
    return hex;
}

std::string textOfHex(std::string_view hex) {
    std::string text;
    for (std::size_t at = 0; at + 1 < hex.size(); at += 2) {
        unsigned byte = 0;
        const char *begin = hex.data() + at;
        if (std::from_chars(begin, begin + 2, byte, 16).ptr != begin + 2)
            return {};
        text += static_cast<char>(byte);
    }
    return text;
}

} // namespace headlight::core
