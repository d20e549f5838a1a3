// Each family is defined in the file of its name.
#pragma once

#include "core/formats/pretrained/family.h"

namespace headlight::core {

extern const Family kGpt2;

} // namespace headlight::core
