// Writes tensors to a safetensors file, one after the other: none of them need be there before its
// turn, and none but the one that is being written.
#pragma once

#include "core/formats/safetensors/safetensors.h"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::core {

/// Takes the bytes of a file, piece by piece from front to back. An error ends the writing.
using Sink = std::function<Outcome(std::string_view bytes)>;

struct TensorToWrite {
    /// Takes some of its numbers, in row-major order.
    using Numbers = std::function<Outcome(std::span<const float> numbers)>;

    std::string name;
    Shape shape;
    /// Is called once, when it is its turn, and gives all of them.
    std::function<Outcome(const Numbers &)> giveNumbers;
};

/// A file with these tensors as F32, in their order. The same input gives the same bytes; the data
/// starts at a multiple of 8. Errors, before anything is written: a name twice, a header beyond
/// kMaximumHeaderBytes; then those of giveNumbers(), or that it gave more or fewer numbers than its
/// shape asks for; and those of the sink.
Outcome writeSafetensors(const std::vector<TensorToWrite> &tensors, const Metadata &metadata,
                         const Sink &sink);

/// The bytes of such a file. Also an error: a null tensor.
Result<std::string> safetensorsBytes(const std::vector<NamedTensor> &tensors,
                                     const Metadata &metadata);

} // namespace headlight::core
