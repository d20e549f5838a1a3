// The session that a figure carries, so that it can be painted again: in a PNG as a text chunk, in
// an SVG as metadata, in a PDF as an attached file.
#pragma once

#include "core/result.h"

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::core {

struct FigureSession {
    /// The words of the command line that painted the figure, without "headlight figure" and
    /// without where it was written.
    std::vector<std::string> arguments;
    std::string session; ///< a session document, as it was painted
};

/// The name of the text in a PNG, of the metadata in an SVG, and of the file in a PDF.
inline constexpr std::string_view kPngKeyword = "Headlight";
inline constexpr std::string_view kSvgMetadata = "headlight-figure";
inline constexpr std::string_view kPdfAttachment = "headlight-figure.json";

/// A figure over this is refused unread.
inline constexpr std::size_t kMaximumFigureBytes = std::size_t(512) << 20;

/// More words than the options of a command line, and longer ones than Linux hands to a program.
inline constexpr std::size_t kMaximumFigureArguments = 100;
inline constexpr std::size_t kMaximumArgumentBytes = std::size_t(128) << 10;

/// {"headlight_figure": 1, "arguments": [...], "session": {...}}. Equal sessions give equal bytes.
std::string figureText(const FigureSession &figure);

/// The picture with the text in it. `png` and `svg` are whole files; what is not is returned as it
/// is. A PDF's writer takes attachments. `text` is JSON: what XML cannot hold of its strings, an
/// SVG has as JSON's escapes.
std::string withTextInPng(std::string png, std::string_view text);
std::string withTextInSvg(std::string svg, std::string_view text);

/// From the bytes of a PNG, SVG or PDF. Errors: no such file; it is broken; it carries no session;
/// the one that it carries is none; "cancelled" once `stop` is requested.
Result<FigureSession> readFigure(std::string_view bytes, std::stop_token stop = {});
Result<FigureSession> readFigureFile(const std::string &path,
                                     std::stop_token stop = {}); ///< errors name the file

} // namespace headlight::core
