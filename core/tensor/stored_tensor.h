// A tensor whose numbers stay in a file or in memory, with its axes in any order.
#pragma once

#include "core/tensor/number_storage.h"
#include "core/tensor/tensor.h"

#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

namespace headlight::core {

/// Number format of an element.
enum class ElementType { F16, BF16, F32, F64 };

/// Returns the type with this name, such as "F32". No value for unknown names.
std::optional<ElementType> findElementType(std::string_view name);
std::string_view nameOf(ElementType type);
std::uint64_t bytesOf(ElementType type);

struct StoredTensor {
    StoragePointer bytes;
    ElementType type = ElementType::F32;
    bool isBigEndian = false;
    Shape shape;
    /// Distance between adjacent elements along each axis, in elements. All elements must be within
    /// `bytes`.
    std::vector<Index> strides;

    bool isNull() const { return !bytes; }
    /// True if the elements of each row are contiguous, so that single rows can be read.
    bool hasWholeRows() const { return strides.empty() || strides.back() == 1; }
};

/// Returns row-major strides, or column-major ones if `isFortran`.
std::vector<Index> stridesOf(const Shape &shape, bool isFortran = false);

/// Reads the whole tensor into row-major order. Errors: those of its storage, not enough memory,
/// "cancelled" after `stop` is requested.
Result<Tensor> readWhole(const StoredTensor &stored, const std::stop_token &stop = {});

/// Reads rows of the matrix of one sequence and head. The tensor must have two to four axes and
/// contiguous rows. A batch or head axis of size 1 is used for every sequence or head.
Result<SharedMatrix> readRows(const StoredTensor &stored, Index sequence, Index head, Rows rows,
                              const std::stop_token &stop = {});

} // namespace headlight::core
