// A capture: stages that were computed elsewhere, by Headlight or by any other program, read from a
// file.
#pragma once

#include "core/formats/capture/array_file.h"

#include <stop_token>
#include <string>
#include <vector>

namespace headlight::core {

using TokenLists = std::vector<std::vector<std::string>>;

struct CapturedStage {
    std::string name; ///< in a trace: "layers.0.self_attention.weights"
    Tensor tensor;    ///< null: the numbers stay in the file until they are asked for
    StoredTensor stored{};
    std::string type = "F32"; ///< of the numbers in the file: "BF16"

    bool isHeld() const { return !tensor.isNull(); }
    const Shape &shape() const & { return isHeld() ? tensor.shape() : stored.shape; }
};

struct Capture {
    TokenLists tokens; ///< the tokens that attend: B lists of T
    TokenLists
        sourceTokens; ///< those attended to across sequences: B lists of S; empty with one sequence
    std::vector<CapturedStage> stages; ///< in a trace's order: layer after layer; [B, …]
    std::vector<std::string> ignored;  ///< names in the file that mean nothing to Headlight
    Metadata metadata;
    bool countsTokens = false;                  ///< the file has none: they are numbers
    std::vector<NumberSourcePointer> sources{}; ///< the files, as they were opened

    /// Its numbers; null where it was not captured, or cannot be read.
    Tensor stage(std::string_view name) const;
    /// Of the numbers in the file, each once: "F32", "F16".
    std::vector<std::string> types() const;
    /// So many bytes the numbers take once they are all in memory.
    std::uint64_t bytes() const;
};

using CapturePointer = std::shared_ptr<const Capture>;

/// In the metadata of a trace whose weights need not sum to 1 along a row: what if there were no
/// softmax, or a mask after it?
inline constexpr std::string_view kRowSums = "row_sums";

/// Tokens of all sequences together.
inline constexpr Index kMostCapturedTokens = Index(1) << 20;

/// A capture over this stays in its file, and is read where somebody looks.
inline constexpr std::uint64_t kHeldCaptureBytes = std::uint64_t(128) << 20;

/// Memory that stages take which cannot be read in part, such as those of an array in Fortran's
/// order.
inline constexpr std::uint64_t kMaximumCaptureBytes = std::uint64_t(1) << 30;

/// Reads what serializeTrace() writes; the short names attentions.{l}, encoder_attentions.{l},
/// decoder_attentions.{l}, cross_attentions.{l} ([H, T, S] or [B, H, T, S]), which are given their
/// names in a trace; and names of TransformerLens. Metadata `tokens`: a JSON list of strings, or of
/// lists of strings; with two sequences `source_tokens` and `target_tokens`; without any of them,
/// numbers. Errors name the file and the tensor: those of openArrays(), malformed tokens, a shape
/// that does not agree with them, a stage that stands in the file twice, nothing to show;
/// "cancelled" once `stop` is requested.
Result<Capture> readCapture(const std::string &path, std::stop_token stop = {});

} // namespace headlight::core
