// The feed-forward networks of families with mixtures of experts.
#pragma once

#include "core/formats/pretrained/family/family.h"

namespace headlight::core {

/// Default values for readExperts(). That function reads the total number of experts from `field`,
/// and the number of experts that process each token. Call it after reading the other fields of the
/// feed-forward network.
struct UsualExperts {
    Index experts = 8;
    Index chosen = 2;
};
void readExperts(const FamilyFields &fields, const char *field, const UsualExperts &usual,
                 FamilyModel &model);

extern const std::span<const TensorRow> kMlpExperts; ///< router and experts; names start with "mlp"

} // namespace headlight::core
