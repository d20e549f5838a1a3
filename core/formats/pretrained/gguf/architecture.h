// The models of GGUF files: how an architecture's keys and tensors become the config and the
// tensors of one of our families.
//
// To add one whose family exists, write its tables and declare it here, as in gguf/llama.cpp, and
// list it in gguf/architecture.cpp.
#pragma once

#include "core/formats/pretrained/gguf/gguf_config.h"

#include <span>
#include <string_view>

namespace headlight::core {

/// A key that becomes a field of config.json without a change.
struct GgufField {
    std::string_view key; ///< without the architecture: "embedding_length"
    const char *field;    ///< "hidden_size"
    enum class Kind { Whole, Real } kind = Kind::Whole;
};

/// The order of a matrix's rows.
enum class GgufRows {
    AsInFamily,
    QueryPairs, ///< in each head of the queries, rotated pairs are neighbours
    KeyPairs,   ///< the same in each head of the keys
};

struct GgufTensorName {
    std::string_view name;       ///< {} is the block's number: "blk.{}.attn_q.weight"
    std::string_view familyName; ///< {} is the layer's: "model.layers.{}.self_attn.q_proj.weight"
    enum class Presence { Required, Optional } presence = Presence::Required;
    GgufRows rows = GgufRows::AsInFamily;
};

struct GgufArchitecture {
    std::string_view name;      ///< general.architecture: "llama"
    std::string_view modelType; ///< of the family
    std::span<const GgufField> fields;
    std::span<const GgufTensorName> tensors;
    /// Tensors without effect on the computation: patterns for matchesGlob().
    std::span<const std::string_view> unusedTensors;
    /// Keys without effect on the computation, without the architecture.
    std::span<const std::string_view> unusedKeys;
    /// Sets the fields that need more than a table. Records problems in `config`.
    void (*addFields)(GgufConfig &config);
};

/// Returns null for an unknown name.
const GgufArchitecture *findGgufArchitecture(std::string_view name);
/// Returns the names of all: "llama, qwen2, …".
std::string knownGgufArchitectures();

// Each is defined in the file of its name.
extern const GgufArchitecture kGgufLlama, kGgufQwen2, kGgufQwen3;
extern const GgufArchitecture kGgufGemma, kGgufGemma2, kGgufGemma3;
extern const GgufArchitecture kGgufPhi3;
extern const GgufArchitecture kGgufGptNeox;
extern const GgufArchitecture kGgufGpt2;
extern const GgufArchitecture kGgufBert;

} // namespace headlight::core
