// A capture: stages computed by Headlight or by another program, read from a file.
#pragma once

#include "core/formats/capture/array_file.h"

#include <stop_token>
#include <string>
#include <vector>

namespace headlight::core {

using TokenLists = std::vector<std::vector<std::string>>;

struct CapturedStage {
    std::string name; ///< name in a trace: "layers.0.self_attention.weights"
    Tensor tensor;    ///< null: the values stay in the file until they are needed
    StoredTensor stored{};
    std::string type = "F32"; ///< number type in the file, such as "BF16"

    bool isHeld() const { return !tensor.isNull(); }
    const Shape &shape() const & { return isHeld() ? tensor.shape() : stored.shape; }
};

struct Capture {
    TokenLists tokens;       ///< query tokens: B lists of T
    TokenLists sourceTokens; ///< tokens of the second sequences: B lists of S; empty without them
    std::vector<CapturedStage> stages; ///< in the order of a trace, by layer; shape [B, …]
    std::vector<std::string> ignored;  ///< names in the file that Headlight does not recognise
    Metadata metadata;
    bool countsTokens = false;                  ///< the file has no tokens; numbers replace them
    std::vector<NumberSourcePointer> sources{}; ///< the opened files

    /// Returns the stage's values; null if it was not captured or cannot be read.
    Tensor stage(std::string_view name) const;
    /// Returns the distinct number types in the file, such as "F32" and "F16".
    std::vector<std::string> types() const;
    /// Returns the memory needed to hold all values.
    std::uint64_t bytes() const;
};

using CapturePointer = std::shared_ptr<const Capture>;

/// Metadata field of a trace whose attention weights need not sum to 1 in each row, because it has
/// no softmax or a mask after softmax.
inline constexpr std::string_view kRowSums = "row_sums";

/// Maximum number of tokens in all sequences together.
inline constexpr Index kMaxCapturedTokens = Index(1) << 20;

/// Size limit for captures that are held in memory. Larger captures stay in their file and are read
/// when the user views them.
inline constexpr std::uint64_t kHeldCaptureBytes = std::uint64_t(128) << 20;

/// Memory limit for stages that cannot be read in part, such as arrays in Fortran order.
inline constexpr std::uint64_t kMaxCaptureBytes = std::uint64_t(1) << 30;

/// Reads files written by serializeTrace(), and files with the names of TransformerLens. Also reads
/// the short names attentions.{l}, encoder_attentions.{l}, decoder_attentions.{l},
/// cross_attentions.{l} ([H, T, S] or [B, H, T, S]). Renames all stages as in a trace. Metadata
/// `tokens` is a JSON list of strings, or of lists of strings. With two sequences there are
/// `source_tokens` and `target_tokens`. Without any of these, tokens are numbered. Errors name the
/// file and the tensor: those of openArrays(), malformed tokens, a shape that contradicts them, a
/// duplicate stage, no stage at all; "cancelled" once `stop` is requested.
Result<Capture> readCapture(const std::string &path, std::stop_token stop = {});

} // namespace headlight::core
