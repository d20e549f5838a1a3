#include "core/operations/mask_layers.h"

namespace headlight::core {

std::string kindOf(const MaskLayer &layer) {
    return std::string(kMaskKinds[layer.index()]);
}

} // namespace headlight::core
