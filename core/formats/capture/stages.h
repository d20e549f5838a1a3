// What the names in a capture mean: which stage, and which of its axes are tokens.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace headlight::core {

/// Which of the two sequences the letters T and S of a stage's axes stand for.
enum class Reads { Target, Source };

struct CaptureStage {
    std::string name; ///< in a trace: "layers.0.self_attention.weights"
    std::string_view
        axes; ///< one letter an axis: B, T, S as in formats; 1; any other letter: any size
    Reads rows = Reads::Target;    ///< T
    Reads columns = Reads::Target; ///< S
    std::int64_t layer = -1;       ///< −1: outside the layers
    bool isShort = false;          ///< another program's name: the B of the axes may be missing
    /// The same letters in the order of the file; empty: it is that of `axes`.
    std::string_view fileAxes{};
};

/// None for a name that Headlight does not know. `twoStacks`: the file is an encoder-decoder's, so
/// that cross_attentions.{l} belong to its decoder.
std::optional<CaptureStage> captureStage(std::string_view name, bool twoStacks);

/// Whether the file has a tensor of that name.
using HasName = std::function<bool(const std::string &name)>;

/// The same for the names of TransformerLens ("blocks.0.attn.hook_pattern"), where they mean one of
/// our stages. `has`: some mean another one beside others.
std::optional<CaptureStage> transformerLensStage(std::string_view name, const HasName &has);

/// A layer's number as names have it, taken off the front: no sign, no zeros in front, at most four
/// digits.
std::optional<std::int64_t> takeLayer(std::string_view &text);

/// True for the names that only an encoder-decoder has.
bool isOfTwoStacks(std::string_view name);

} // namespace headlight::core
