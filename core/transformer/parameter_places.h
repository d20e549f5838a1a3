// Which parameters a config has a place for: what is left over when a switch is turned.
#pragma once

#include "core/transformer/parameter_id.h"

namespace headlight::core {

/// Whether a model with this config may have the parameter. The sizes of both are not compared.
bool hasPlaceFor(const Config &config, const ParameterId &id);

/// Takes away the parameters that the config has no place for, such as the gains of norms that have
/// been turned off.
void dropWithoutPlace(Weights &weights, const Config &config);

} // namespace headlight::core
