// A tensor whose numbers stay where they lie, in a file or in memory, in any order of its axes.
#pragma once

#include "core/tensor/number_storage.h"
#include "core/tensor/tensor.h"

#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

namespace headlight::core {

/// How one number is written.
enum class ElementType { F16, BF16, F32, F64 };

/// "F32"; none for any other name.
std::optional<ElementType> findElementType(std::string_view name);
std::string_view nameOf(ElementType type);
std::uint64_t bytesOf(ElementType type);

struct StoredTensor {
    StoragePointer bytes;
    ElementType type = ElementType::F32;
    bool isBigEndian = false;
    Shape shape;
    /// How many numbers further on the next one along each axis is. All numbers lie within `bytes`.
    std::vector<Index> strides;

    bool isNull() const { return !bytes; }
    /// The numbers of a row lie one after the other, so that some rows can be read by themselves.
    bool hasWholeRows() const { return strides.empty() || strides.back() == 1; }
};

/// The last axis fastest, or with `isFortran` the first.
std::vector<Index> stridesOf(const Shape &shape, bool isFortran = false);

/// All of it, in the order of a tensor. Errors: those of its storage, not enough memory;
/// "cancelled" once `stop` is requested.
Result<Tensor> readWhole(const StoredTensor &stored, const std::stop_token &stop = {});

/// Rows of the matrix of one sequence and head, of a shape of two to four axes, whose rows are
/// whole. A size of 1 stands for every sequence, or head.
Result<SharedMatrix> readRows(const StoredTensor &stored, Index sequence, Index head, Rows rows,
                              const std::stop_token &stop = {});

} // namespace headlight::core
