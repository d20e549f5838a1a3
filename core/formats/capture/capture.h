// A capture: stages that were computed elsewhere, by Headlight or by any other program, read from a
// safetensors file.
#pragma once

#include "core/formats/safetensors/safetensors.h"

#include <stop_token>
#include <string>
#include <vector>

namespace headlight::core {

using TokenLists = std::vector<std::vector<std::string>>;

struct Capture {
    TokenLists tokens; ///< the tokens that attend: B lists of T
    TokenLists
        sourceTokens; ///< those attended to across sequences: B lists of S; empty with one sequence
    std::vector<NamedTensor> stages;  ///< under their names in a trace, layer after layer; [B, …]
    std::vector<std::string> ignored; ///< names in the file that mean nothing to Headlight
    Metadata metadata;
    std::vector<std::string> types{}; ///< of each stage, in the file: "F32", "BF16"

    /// Null where it was not captured.
    Tensor stage(std::string_view name) const;
};

/// In the metadata of a trace whose weights need not sum to 1 along a row: what if there were no
/// softmax, or a mask after it?
inline constexpr std::string_view kRowSums = "row_sums";

/// Memory that the numbers of a capture may take once read.
inline constexpr std::uint64_t kMaximumCaptureBytes = std::uint64_t(4) << 30;

/// Reads what serializeTrace() writes, and the short names attentions.{l}, encoder_attentions.{l},
/// decoder_attentions.{l}, cross_attentions.{l} ([H, T, S] or [B, H, T, S]), which are given their
/// names in a trace. Metadata `tokens`: a JSON list of strings, or of lists of strings; with two
/// sequences `source_tokens` and `target_tokens`. Errors name the file and the tensor: those of
/// SafetensorsFile, missing or malformed tokens, a shape that does not agree with them, a stage
/// that stands in the file twice, nothing to show; "cancelled" once `stop` is requested.
Result<Capture> readCapture(const std::string &path, std::stop_token stop = {});

} // namespace headlight::core
