// From a picture to the embeddings of its patches, and back.
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

/// The settings of preprocessor_config.json: how a picture is changed before it is cut into
/// patches.
struct PicturePreparation {
    enum class Resize {
        No,
        Exactly,   ///< to height × width
        ShortEdge, ///< the shorter edge to `height`, the other in proportion
    };
    Resize resize = Resize::Exactly;
    Index height = 224, width = 224;
    Resampling resampling = Resampling::Bilinear;
    /// The size of the part in the middle that is used; unset: all of the picture.
    std::optional<std::pair<Index, Index>> crop{};
    // The numbers of PicturePatches; empty: those of the family.
    std::vector<float> mean{}, deviation{};
    bool operator==(const PicturePreparation &) const = default;
};

/// Reads preprocessor_config.json of a folder. Missing fields have the defaults of the processor
/// that the file names, or else of `processor`, such as "ViT". So does a folder without the file:
/// ViT resizes a picture to `pixels` × `pixels`; DeiT, if `pixels` is 224, to 256 × 256, and uses
/// the middle; CLIP, the shorter edge to `pixels`, and uses the middle. Errors name the file and
/// the field: another way to resize, other factors than 1/255.
Result<PicturePreparation> readPicturePreparation(const std::string &folder, Index pixels,
                                                  std::string_view processor,
                                                  std::stop_token stop = {});

/// Resizes and crops a picture. Errors: the result does not have the size that the patches cover,
/// or the picture is too small, too large or too thin to be resized; "cancelled" once `stop` is
/// requested.
Result<Picture> preparedPicture(const Picture &picture, const PicturePreparation &preparation,
                                const PicturePatches &patches, const std::stop_token &stop = {});

/// Returns the tokens of a prepared picture: those before the patches, named [CLS], [DIST], …,
/// then each patch by its row and column, from 1.
std::vector<std::string> patchNames(const PicturePatches &patches);

/// Returns the embeddings of these tokens, [T, E]. Those before the patches are 0.
Matrix patchEmbeddings(const Picture &prepared, const PicturePatches &patches);

/// Returns the picture of such embeddings, with numbers outside the range of a byte clipped.
/// `embeddings` must have a row for each token.
Picture pictureOf(const ParameterMatrix &embeddings, const PicturePatches &patches);

/// Returns a drawing to begin with: a red disc and a blue square on a light ground.
Picture firstPicture(Index height, Index width);

} // namespace headlight::core
