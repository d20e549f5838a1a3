// The stack shared by BART and related families: an encoder and a decoder that share one embedding
// matrix, which is also the output matrix.
#pragma once

#include "core/formats/pretrained/family/family.h"

namespace headlight::core {

/// A family's differences from BART, and its values for missing fields.
struct BartVariant {
    NormPosition place = NormPosition::After; ///< Before also implies a norm after the last layer
    bool hasEmbeddingNorm = false;
    bool hasFixedPositions = true; ///< sinusoids instead of learned vectors
    bool scalesEmbeddings = false; ///< value if scale_embedding is missing
    Index start = 0;               ///< value if decoder_start_token_id is missing
    const char *activation = "gelu";
    const char *positionsField = "max_position_embeddings";
};

/// Reads the fields. The result has layers without parameters. Its positions start at row 0.
FamilyModel bartStack(const FamilyFields &fields, const BartVariant &variant);
/// Reads all parameters except positions. `output` is the name of the output matrix in the files.
void readBartParameters(const FamilyFields &fields, FamilyTensors &tensors, FamilyModel &model,
                        std::string_view output = "lm_head.weight", bool hasKeyBias = true);
/// Reads the learned positions of both stacks.
void readStoredPositions(FamilyTensors &tensors, FamilyModel &model);
/// Reads sinusoids from the files if they contain them, as transformers does.
void useStoredPositions(FamilyTensors &tensors, FamilyModel &model);

extern const std::span<const std::string_view> kBartStackUnused;     ///< fields to ignore
extern const std::span<const std::string_view> kBartStackDuplicates; ///< copies of the embeddings

} // namespace headlight::core
