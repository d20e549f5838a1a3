// The stack shared by Gemma 1, 2 and 3.
#pragma once

#include "core/formats/pretrained/families/llama_stack.h"

namespace headlight::core {

/// Reads the fields of Llama's config with Gemma's defaults: embeddings × √C, a gated network with
/// the tanh approximation of GELU, heads of size 256.
FamilyModel gemmaStack(const FamilyFields &fields, LlamaDefaults defaults = {});
/// Sets the divisor of the scores to √query_pre_attn_scalar (Gemma 2 and 3).
void scaleByQueryScalar(const FamilyFields &fields, Config &config);
/// Returns sliding_window; 0 if it is null or wider than the longest text.
Index windowIn(const FamilyFields &fields);
/// Reads all parameters of Gemma 2 and 3: with norms before and after the blocks, and with norms of
/// queries and keys if the config has them.
void readGemmaParameters(const FamilyFields &fields, FamilyTensors &tensors, FamilyModel &model,
                         bool isTied = true);

extern const std::span<const std::string_view> kGemmaUnused; ///< fields to ignore

} // namespace headlight::core
