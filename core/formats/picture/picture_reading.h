// Converts a picture to the embeddings of its patches, and back.
#pragma once

#include "core/formats/picture/picture.h"
#include "core/result.h"
#include "core/transformer/model/batch.h"
#include "core/transformer/model/config.h"
#include "core/transformer/model/parameter_matrix.h"

#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

namespace headlight::core {

/// The settings of preprocessor_config.json, which specify how a picture is prepared before it is
/// cut into patches.
struct PicturePreparation {
    enum class Resize {
        No,
        Exactly,   ///< to height × width
        ShortEdge, ///< the shorter edge to `height`, the other in proportion
    };
    Resize resize = Resize::Exactly;
    Index height = 224, width = 224;
    Resampling resampling = Resampling::Bilinear;
    /// The size of the central part that is used; unset: the complete picture.
    std::optional<std::pair<Index, Index>> crop{};
    // The values for PicturePatches; empty: the family's values.
    std::vector<float> mean{}, deviation{};
    bool operator==(const PicturePreparation &) const = default;
};

/// Reads preprocessor_config.json of a folder. If fields or the file are missing, uses the defaults
/// of the processor that the file names, or else of `processor`, such as "ViT". ViT resizes a
/// picture to `pixels` × `pixels`. DeiT with 224 `pixels` resizes it to 256 × 256 and crops the
/// centre. CLIP resizes the shorter edge to `pixels` and crops the centre. Errors name the file and
/// the field: another way to resize, a factor other than 1/255.
Result<PicturePreparation> readPicturePreparation(const std::string &folder, Index pixels,
                                                  std::string_view processor,
                                                  std::stop_token stop = {});

/// Resizes and crops a picture. Errors: the result does not have the size that the patches cover,
/// or the picture is too small, too large or too thin to be resized; "cancelled" once `stop` is
/// requested.
Result<Picture> preparedPicture(const Picture &picture, const PicturePreparation &preparation,
                                const PicturePatches &patches, const std::stop_token &stop = {});

/// Returns the names of a prepared picture's tokens: first [CLS], [DIST], …, then the row and
/// column of each patch, from 1.
std::vector<std::string> patchNames(const PicturePatches &patches);

/// Returns the embeddings of the tokens of patchNames(), [T, E]. The rows before the patches are 0.
Matrix patchEmbeddings(const Picture &prepared, const PicturePatches &patches);

/// Converts embeddings of patches back to a picture. Clips numbers outside the range of a byte.
/// `embeddings` must have a row for each token.
Picture pictureOf(const ParameterMatrix &embeddings, const PicturePatches &patches);

/// Returns an initial picture: a red disc and a blue square on a light background.
Picture firstPicture(Index height, Index width);

} // namespace headlight::core
