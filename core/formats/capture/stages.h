// Maps names in a capture to stages and their axes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace headlight::core {

/// The sequence that the axes T and S of a stage refer to.
enum class Reads { Target, Source };

struct CaptureStage {
    std::string name;      ///< name in a trace: "layers.0.self_attention.weights"
    std::string_view axes; ///< a letter per axis: B, T, S, 1, or b for 1 or B; others: any size
    Reads rows = Reads::Target;    ///< sequence of axis T
    Reads columns = Reads::Target; ///< sequence of axis S
    std::int64_t layer = -1;       ///< −1: not in a layer
    bool isShort = false;          ///< short name, with which the axis B may be missing
    /// The letters of `axes` in the file's order; empty: the same order.
    std::string_view fileAxes{};
};

/// Returns nullopt for an unknown name. `twoStacks`: the file is from an encoder-decoder. Then
/// cross_attentions.{l} are stages of the decoder.
std::optional<CaptureStage> captureStage(std::string_view name, bool twoStacks);

/// Returns true if the file has a tensor of that name.
using HasName = std::function<bool(const std::string &name)>;

/// Like captureStage(), for the names of TransformerLens ("blocks.0.attn.hook_pattern"). The
/// meaning of some names depends on other names in the file, which `has` looks up.
std::optional<CaptureStage> transformerLensStage(std::string_view name, const HasName &has);

/// Parses a layer number at the start and removes it from `text`. The number has no sign, no
/// leading zeros, and at most four digits.
std::optional<std::int64_t> takeLayer(std::string_view &text);

/// True for names that only an encoder-decoder has.
bool isOfTwoStacks(std::string_view name);

} // namespace headlight::core
