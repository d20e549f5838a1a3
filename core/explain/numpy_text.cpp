#include "core/explain/numpy_text.h"

#include "core/format_number.h"

#include <cmath>

namespace headlight::core::numpy {

namespace {

std::string list(std::span<const float> values) {
    std::string text = "[";
    for (const float value : values)
        text += (text.size() > 1 ? ", " : "") + number(value);
    return text + "]";
}

} // namespace

std::string number(float value) {
    if (std::isnan(value))
        return "np.nan";
    if (std::isinf(value))
        return value < 0 ? "-np.inf" : "np.inf";
    return exact(value);
}

std::string assign(const std::string &name, const std::string &value, const std::string &comment) {
    return name + " = " + value + (comment.empty() ? "" : "  # " + comment) + "\n";
}

std::string vector(const std::string &name, std::span<const float> values,
                   const std::string &comment) {
    return assign(name, "np.array(" + list(values) + ", dtype=float)", comment);
}

std::string matrix(const std::string &name, MatrixView values, const std::string &comment) {
    std::string text = "# " + comment + "\n" + name + " = np.array([\n";
    for (Index row = 0; row < values.rows; ++row)
        text += "    " + list(values.row(row)) + ",\n";
    return text + "], dtype=float)\n";
}

} // namespace headlight::core::numpy
