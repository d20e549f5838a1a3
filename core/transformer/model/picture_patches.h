// The patches of a picture that are the tokens of a model (Dosovitskiy et al. 2021, An Image Is
// Worth 16x16 Words).
#pragma once

#include "core/tensor/matrix.h"

#include <vector>

namespace headlight::core {

inline constexpr Index kMaxPatches = 4096;
inline constexpr Index kMaxPatchSide = 64;

/// A picture is cut into rows × columns square patches. The embedding of a patch consists of its
/// pixels: all pixels of the first channel row by row, then those of the next channel. The patches
/// come after `before` other tokens, such as [CLS], in reading order.
struct PicturePatches {
    Index rows = 0; ///< 0: the model does not read pictures
    Index columns = 0;
    Index side = 0; ///< height and width of a patch in pixels
    Index before = 0;
    /// A pixel p from 0 to 1 is stored as (p − mean) / deviation of its channel: red, green, blue.
    std::vector<float> mean{}, deviation{};

    static constexpr Index kChannels = 3;

    bool isOn() const { return rows > 0; }
    Index count() const { return rows * columns; }
    Index tokens() const { return before + count(); }
    /// Returns the length of a patch's embedding.
    Index width() const { return side * side * kChannels; }
    /// Returns the position of a pixel in its patch's embedding.
    Index place(Index channel, Index y, Index x) const { return (channel * side + y) * side + x; }
    bool operator==(const PicturePatches &) const = default;
};

} // namespace headlight::core
