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

/// Finds a type by its name, such as "F32". No value for unknown names.
std::optional<ElementType> findElementType(std::string_view name);
std::string_view nameOf(ElementType type);
std::uint64_t bytesOf(ElementType type);

struct StoredTensor {
    StoragePointer bytes;
    ElementType type = ElementType::F32;
    bool isBigEndian = false;
    Shape shape;
    /// Distance in elements between neighbours along each axis. All elements lie within `bytes`.
    std::vector<Index> strides;

    bool isNull() const { return !bytes; }
    /// True if the elements of a row are contiguous, so that single rows can be read.
    bool hasWholeRows() const { return strides.empty() || strides.back() == 1; }
};

/// Row-major strides, or column-major if `isFortran`.
std::vector<Index> stridesOf(const Shape &shape, bool isFortran = false);

/// Reads the whole tensor into row-major order. Errors: those of its storage, not enough memory,
/// "cancelled" after `stop` is requested.
Result<Tensor> readWhole(const StoredTensor &stored, const std::stop_token &stop = {});

/// Reads rows of the matrix of one sequence and head. The tensor has two to four axes and whole
/// rows. A batch or head axis of size 1 serves every sequence or head.
Result<SharedMatrix> readRows(const StoredTensor &stored, Index sequence, Index head, Rows rows,
                              const std::stop_token &stop = {});

} // namespace headlight::core
