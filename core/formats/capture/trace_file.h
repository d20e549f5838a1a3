// A trace as a file: every stage of a computation, to be opened again or read by any other program.
#pragma once

#include "core/result.h"
#include "core/transformer/trace/trace.h"

#include <string>
#include <string_view>

namespace headlight::core {

/// The bytes of a safetensors file with the stages whose full name, or its last part ("weights"),
/// fits the pattern (matchesGlob()). Metadata: `format` "headlight-trace", `headlight` the version,
/// `tokens` a JSON list of lists; with two sequences `source_tokens` and `target_tokens`. Errors:
/// no stage fits; the error lists those there are.
Result<std::string> serializeTrace(const Trace &trace, std::string_view pattern = "*");

} // namespace headlight::core
