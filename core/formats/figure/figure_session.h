// The session that a figure embeds, so that Headlight can reproduce the figure. A PNG contains it
// as a text chunk, an SVG as metadata, a PDF as an attached file.
#pragma once

#include "core/result.h"

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::core {

struct FigureSession {
    /// The arguments that produced the figure, without "headlight figure" and the output options.
    std::vector<std::string> arguments;
    std::string session; ///< the session document, as it was when the figure was made
};

/// The names under which the text is embedded: keyword in a PNG, id of the metadata in an SVG, file
/// name in a PDF.
inline constexpr std::string_view kPngKeyword = "Headlight";
inline constexpr std::string_view kSvgMetadata = "headlight-figure";
inline constexpr std::string_view kPdfAttachment = "headlight-figure.json";

/// Larger figures are rejected before reading.
inline constexpr std::size_t kMaxFigureBytes = std::size_t(512) << 20;

/// Upper limits. The first exceeds the number of options. The second is Linux's limit for one
/// argument.
inline constexpr std::size_t kMaxFigureArguments = 100;
inline constexpr std::size_t kMaxArgumentBytes = std::size_t(128) << 10;

/// Returns {"headlight_figure": 1, "arguments": [...], "session": {...}}. Equal sessions result in
/// equal bytes.
std::string figureText(const FigureSession &figure);

/// Return the file with the JSON `text` embedded. `png` and `svg` are complete files; other input
/// is returned unchanged. In an SVG, characters that XML cannot represent become JSON escapes. A
/// PDF gets its attachment when it is written.
std::string withTextInPng(std::string png, std::string_view text);
std::string withTextInSvg(std::string svg, std::string_view text);

/// Reads the text from a PNG, SVG or PDF. Errors: another file type; a damaged file; no session or
/// an invalid one; "cancelled" once `stop` is requested.
Result<FigureSession> readFigure(std::string_view bytes, std::stop_token stop = {});
Result<FigureSession> readFigureFile(const std::string &path,
                                     std::stop_token stop = {}); ///< errors name the file

} // namespace headlight::core
