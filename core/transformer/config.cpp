#include "core/transformer/config.h"

#include <cmath>

namespace headlight::core {

float Scale::factor(Index headSize) const {
    switch (kind) {
    case Kind::SquareRoot:
        return static_cast<float>(1.0 / std::sqrt(static_cast<double>(headSize)));
    case Kind::Number:
        return 1.0f / number;
    case Kind::Off:
        return 1.0f;
    }
    return 1.0f;
}

namespace {

Outcome inRange(const char *field, Index value, Index maximum) {
    if (value >= 1 && value <= maximum)
        return Done{};
    return Error{std::to_string(value) + " is out of range", field,
                 "give a whole number from 1 to " + std::to_string(maximum)};
}

Outcome positive(const char *field, float value) {
    if (std::isfinite(value) && value > 0)
        return Done{};
    return Error{"it must be a finite number greater than 0", field, ""};
}

} // namespace

Outcome validate(const Config &config) {
    for (const Outcome &outcome : {inRange("model.width", config.width, kMaximumWidth),
                                   inRange("model.heads", config.heads, kMaximumHeads),
                                   inRange("model.head_size", config.headSize, kMaximumWidth),
                                   positive("model.scale", config.scale.number),
                                   positive("model.scale", 1.0f / config.scale.number),
                                   positive("model.temperature", config.temperature)})
        if (!outcome)
            return outcome;
    if (!(config.masking.value < 0))
        return Error{"it must be −∞ or a number less than 0", "model.mask_value", ""};
    if (config.concatenatedWidth() > kMaximumWidth)
        return Error{std::to_string(config.heads) + " heads of size " +
                         std::to_string(config.headSize) + " are wider than " +
                         std::to_string(kMaximumWidth),
                     "model.heads", "use fewer or smaller heads"};
    return Done{};
}

} // namespace headlight::core
