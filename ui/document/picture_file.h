// Reads a picture from a file.
#pragma once

#include "core/formats/picture/picture.h"
#include "core/result.h"

#include <QString>

#include <stop_token>

namespace headlight::ui {

/// Reads a PNG, JPEG, BMP, GIF or PPM file, turned as its EXIF data specifies and without
/// transparency. Only the first picture of an animation is read. Errors: no such file or format;
/// damaged; larger than core::kMaxPicturePixels; "cancelled".
core::Result<core::Picture> readPicture(const QString &path, const std::stop_token &stop = {});

/// True if the name has the extension of a picture file.
bool isPictureFile(const QString &path);

/// Returns the patterns of these files for a file dialog: "*.png *.jpg …".
QString pictureFilePatterns();

} // namespace headlight::ui
