#include "core/operations/mask_layers.h"

#include <array>

namespace headlight::core {

std::string kindOf(const MaskLayer &layer) {
    static constexpr std::array<const char *, 7> kinds{"causal", "padding", "window",  "cells",
                                                       "prefix", "blocks",  "diagonal"};
    static_assert(std::variant_size_v<MaskLayer> == kinds.size());
    return kinds[layer.index()];
}

} // namespace headlight::core
