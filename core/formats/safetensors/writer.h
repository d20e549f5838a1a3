// Writes tensors to a safetensors file one by one, so that only the current one is in memory.
#pragma once

#include "core/formats/safetensors/safetensors.h"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::core {

/// Receives the bytes of a file in consecutive pieces. An error stops writing.
using ByteSink = std::function<Outcome(std::string_view bytes)>;

struct TensorToWrite {
    /// Receives numbers in row-major order.
    using Numbers = std::function<Outcome(std::span<const float> numbers)>;

    std::string name;
    Shape shape;
    /// Passes all numbers to its argument. writeSafetensors() calls it once.
    std::function<Outcome(const Numbers &)> giveNumbers;
};

/// Writes the tensors as F32, in order. Equal input results in equal bytes. The data offset is a
/// multiple of 8. Errors before anything is written: a duplicate name, a header larger than
/// kMaxHeaderBytes. Later errors: giveNumbers() fails or passes a wrong number of values; errors of
/// the sink.
Outcome writeSafetensors(const std::vector<TensorToWrite> &tensors, const Metadata &metadata,
                         const ByteSink &sink);

/// Like writeSafetensors(), but returns the bytes. Additional error: a null tensor.
Result<std::string> safetensorsBytes(const std::vector<NamedTensor> &tensors,
                                     const Metadata &metadata);

} // namespace headlight::core
