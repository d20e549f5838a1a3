// A figure as the bytes of a file. The same figure and options give the same bytes. Writing the
// file is somebody else's.
#pragma once

#include "core/result.h"
#include "ui/figures/base/figure.h"
#include "ui/figures/files/figure_size.h"

#include <QByteArray>
#include <QImage>

#include <optional>
#include <span>

namespace headlight::ui {

enum class Format { Png, Svg, Pdf };

/// By the extension of a path, in any case: ".png", ".svg", ".pdf".
std::optional<Format> formatOf(const QString &path);

/// "png", "svg", "pdf".
QString nameOf(Format format);

struct ExportOptions {
    /// Empty: the figure's natural size. In millimetres or inches a PDF and an SVG are as large as
    /// that to the last digit.
    FigureSize size{};
    double scale = 1;    ///< pixels of a PNG for each logical pixel
    QString title;       ///< in the file's metadata
    QString description; ///< likewise, such as the command that makes the figure; empty: the
                         ///< figure's own
    /// That the file carries (core::figureText()); empty: none.
    std::string session{};
    bool isTransparent = false;  ///< a PNG has an alpha channel, for a figure without a background
    bool textAsPaths = false;    ///< of vector files: they need no fonts, and hold no words
    bool namesFallbacks = false; ///< an SVG names more fonts than the one that it was made with
};

inline constexpr double kMaximumSide = 30000;         ///< pixels
inline constexpr double kMaximumPixels = 400'000'000; ///< of one picture

/// Errors: a size or scale that is not positive, or beyond the caps; a size less than the figure's
/// minimum.
core::Outcome canRender(const Figure &figure, Format format, const ExportOptions &options);

/// Errors: the same; Qt failing to encode.
core::Result<QByteArray> render(const Figure &figure, Format format,
                                const ExportOptions &options = {});

/// A PDF of at least one figure, each on a page as large as the first one's. Errors: the same.
core::Result<QByteArray> renderPages(std::span<const Figure *const> pages,
                                     const ExportOptions &options = {});

/// The pixels alone, for the clipboard.
core::Result<QImage> renderImage(const Figure &figure, const ExportOptions &options = {});

} // namespace headlight::ui
