#include "core/version.h"

namespace headlight::core {

std::string_view version() {
    return HEADLIGHT_VERSION;
}

} // namespace headlight::core
