// Writes a trace to a file, for Headlight and other programs.
#pragma once

#include "core/formats/safetensors/writer.h"
#include "core/result.h"
#include "core/transformer/trace/trace.h"

#include <string>
#include <string_view>

namespace headlight::core {

/// Writes a safetensors file of the stages whose full name or last part ("weights") matches the
/// pattern (matchesGlob()). Metadata: `format` "headlight-trace", `headlight` the version, `tokens`
/// a JSON list of lists; with two sequences, `source_tokens` and `target_tokens`.
///
/// Writes stage by stage. Computes stages that the trace does not have, one layer or one head's
/// matrix at a time. Errors: no stage matches (before anything is written, with a list of the
/// stages); a stage cannot be computed; an error of the sink; "cancelled" once `stop` is requested.
Outcome writeTrace(const Trace &trace, std::string_view pattern, const ByteSink &sink,
                   std::stop_token stop = {});

/// Like writeTrace(), but returns the bytes.
Result<std::string> serializeTrace(const Trace &trace, std::string_view pattern = "*");

} // namespace headlight::core
