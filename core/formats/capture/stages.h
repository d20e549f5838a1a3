// What the names in a capture mean: which stage, and which of its axes are tokens.
#pragma once

#include <cstdint>
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
    bool isShort = false;          ///< a short name: the B of the axes may be missing
};

/// None for a name that Headlight does not know. `twoStacks`: the file is an encoder-decoder's, so
/// that cross_attentions.{l} belong to its decoder.
std::optional<CaptureStage> captureStage(std::string_view name, bool twoStacks);

/// True for the names that only an encoder-decoder has.
bool isOfTwoStacks(std::string_view name);

} // namespace headlight::core
