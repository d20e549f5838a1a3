// The models of GGUF files: how to convert an architecture's keys and tensors to the config and
// tensors of one of our families.
//
// To add an architecture of an existing family, write its tables as in gguf/llama.cpp, declare it
// here, and list it in gguf/architecture.cpp.
#pragma once

#include "core/formats/pretrained/gguf/gguf_config.h"

#include <span>
#include <string_view>

namespace headlight::core {

/// A key that is copied to a field of config.json unchanged.
struct GgufField {
    std::string_view key; ///< without the architecture, such as "embedding_length"
    const char *field;    ///< such as "hidden_size"
    enum class Kind { Whole, Real } kind = Kind::Whole;
};

/// The order of a matrix's rows in the file.
enum class GgufRows {
    AsInFamily,
    QueryPairs, ///< in each head of the queries, rotated pairs are adjacent
    KeyPairs,   ///< in each head of the keys, rotated pairs are adjacent
};

struct GgufTensorName {
    std::string_view name;       ///< name with {} for the block: "blk.{}.attn_q.weight"
    std::string_view familyName; ///< {} for the layer: "model.layers.{}.self_attn.q_proj.weight"
    enum class Presence { Required, Optional } presence = Presence::Required;
    GgufRows rows = GgufRows::AsInFamily;
};

struct GgufArchitecture {
    std::string_view name;      ///< general.architecture in the file: "llama"
    std::string_view modelType; ///< model_type of the family
    /// The supported variants, in Markdown, for the table of docs/pretrained.md.
    std::string_view notes{};
    std::span<const GgufField> fields;
    std::span<const GgufTensorName> tensors;
    /// Tensors to ignore, because they do not affect the computation: patterns for matchesGlob().
    std::span<const std::string_view> unusedTensors;
    /// Keys (without the architecture) to ignore, because they do not affect the computation.
    std::span<const std::string_view> unusedKeys;
    /// Sets the fields that are not copied from one key. Records problems in `config`.
    void (*addFields)(GgufConfig &config);
};

/// Returns all architectures, in display order.
std::span<const GgufArchitecture *const> ggufArchitectures();
/// Returns null for an unknown name.
const GgufArchitecture *findGgufArchitecture(std::string_view name);
/// Returns the names of all architectures: "llama, qwen2, …".
std::string knownGgufArchitectures();

// Each architecture is defined in the file named after it.
extern const GgufArchitecture kGgufLlama, kGgufQwen2, kGgufQwen3;
extern const GgufArchitecture kGgufGemma, kGgufGemma2, kGgufGemma3;
extern const GgufArchitecture kGgufPhi3;
extern const GgufArchitecture kGgufGptNeox;
extern const GgufArchitecture kGgufGpt2;
extern const GgufArchitecture kGgufBert;

} // namespace headlight::core
