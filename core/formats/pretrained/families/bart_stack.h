// The stack shared by BART and its relatives: an encoder and a decoder, with one embedding matrix
// for both and the output.
#pragma once

#include "core/formats/pretrained/family/family.h"

namespace headlight::core {

/// A family's differences from the others, and its values of missing fields.
struct BartVariant {
    NormPosition place = NormPosition::After; ///< Before: also a norm after the last layer
    bool hasEmbeddingNorm = false;
    bool hasFixedPositions = true; ///< sinusoids instead of learned vectors
    bool scalesEmbeddings = false; ///< scale_embedding
    Index start = 0;               ///< decoder_start_token_id
    const char *activation = "gelu";
};

/// Reads the fields. The result has layers without parameters, and positions that begin at row 0.
FamilyModel bartStack(const FamilyFields &fields, const BartVariant &variant);
/// Reads all parameters except positions.
void readBartParameters(const FamilyFields &fields, FamilyTensors &tensors, FamilyModel &model);
/// Reads the learned positions of both stacks.
void readStoredPositions(FamilyTensors &tensors, FamilyModel &model);
/// Reads sinusoids from the files if they have them; transformers uses these too.
void useStoredPositions(FamilyTensors &tensors, FamilyModel &model);

extern const std::span<const std::string_view> kBartStackUnused;     ///< fields
extern const std::span<const std::string_view> kBartStackDuplicates; ///< the embedding matrix again

} // namespace headlight::core
