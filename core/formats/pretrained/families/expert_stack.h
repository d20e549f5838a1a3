// The networks of experts that the mixtures of experts have in place of Llama's feed-forward
// network.
#pragma once

#include "core/formats/pretrained/family/family.h"

namespace headlight::core {

/// Reads the number of experts, from `field`, and how many of them compute a token; `usual` are the
/// values of missing fields. Call it when the other fields of the feed-forward network were read.
struct UsualExperts {
    Index experts = 8;
    Index chosen = 2;
};
void readExperts(const FamilyFields &fields, const char *field, const UsualExperts &usual,
                 FamilyModel &model);

extern const std::span<const TensorRow> kMlpExperts; ///< router and experts below "mlp"

} // namespace headlight::core
