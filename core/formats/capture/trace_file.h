// A trace as a file: every stage of a computation, to be opened again or read by any other program.
#pragma once

#include "core/formats/safetensors/writer.h"
#include "core/result.h"
#include "core/transformer/trace/trace.h"

#include <string>
#include <string_view>

namespace headlight::core {

/// Writes a safetensors file with the stages whose full name, or its last part ("weights"), fits
/// the pattern (matchesGlob()). Metadata: `format` "headlight-trace", `headlight` the version,
/// `tokens` a JSON list of lists; with two sequences `source_tokens` and `target_tokens`.
///
/// Stage by stage: what the trace does not hold is made when it is written, a layer at a time, or
/// the matrix of one head. Errors: no stage fits, before anything is written, and lists those there
/// are; a stage cannot be made; those of the sink; "cancelled" once `stop` is requested.
Outcome writeTrace(const Trace &trace, std::string_view pattern, const Sink &sink,
                   std::stop_token stop = {});

/// The bytes of such a file.
Result<std::string> serializeTrace(const Trace &trace, std::string_view pattern = "*");

} // namespace headlight::core
