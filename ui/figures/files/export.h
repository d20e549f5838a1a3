// Encodes a figure as the bytes of a file, deterministically. The caller writes the file.
#pragma once

#include "core/result.h"
#include "ui/figures/base/figure.h"
#include "ui/figures/files/figure_size.h"

#include <QByteArray>
#include <QImage>

#include <functional>
#include <memory>
#include <optional>
#include <span>

namespace headlight::ui {

enum class Format { Png, Svg, Pdf };

/// Returns the format for a path's extension, ignoring case: ".png", ".svg", ".pdf".
std::optional<Format> formatOf(const QString &path);

/// Returns "png", "svg" or "pdf".
QString nameOf(Format format);

struct ExportOptions {
    /// If empty, the figure's natural size. A PDF or SVG in millimetres or inches has exactly this
    /// size.
    FigureSize size{};
    double scale = 1; ///< PNG pixels per logical pixel
    QString title;    ///< title in the file's metadata
    /// Description in the file's metadata, such as the command that makes the figure. If empty, the
    /// description that the figure returns.
    QString description;
    /// The session embedded in the file (core::figureText()). Empty for none.
    std::string session{};
    bool isTransparent = false; ///< a PNG with an alpha channel, for a figure without a background
    bool textAsPaths = false;   ///< vector files contain outlines instead of text and need no fonts
    bool namesFallbacks = false; ///< an SVG lists fallback fonts after the one used for the layout
};

inline constexpr double kMaxSide = 30000;         ///< pixels per side
inline constexpr double kMaxPixels = 400'000'000; ///< pixels per image

/// Errors: a size or scale that is not positive or exceeds the limits, or a size below the figure's
/// minimum.
core::Outcome canRender(const Figure &figure, Format format, const ExportOptions &options);

/// Errors: those of canRender(), or Qt cannot encode the figure.
core::Result<QByteArray> render(const Figure &figure, Format format,
                                const ExportOptions &options = {});

/// Returns a PDF with at least one figure. Every page has the size of the first figure. Errors:
/// those of render().
core::Result<QByteArray> renderPages(std::span<const Figure *const> pages,
                                     const ExportOptions &options = {});

/// Creates the page with this index, from 0.
using PageMaker = std::function<core::Result<std::unique_ptr<const Figure>>(std::size_t)>;

/// Like the function above, for `count` pages, at least 1. Holds one page at a time, because the
/// pages of a large model do not fit into memory together. Also returns errors of `make`.
core::Result<QByteArray> renderPages(std::size_t count, const PageMaker &make,
                                     const ExportOptions &options = {});

/// Returns only the image, for the clipboard.
core::Result<QImage> renderImage(const Figure &figure, const ExportOptions &options = {});

} // namespace headlight::ui
