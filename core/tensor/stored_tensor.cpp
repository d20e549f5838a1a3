#include "core/tensor/stored_tensor.h"

#include "core/cancelled.h"
#include "core/tensor/number_formats.h"

#include <algorithm>
#include <bit>
#include <new>
#include <stdexcept>

namespace headlight::core {

namespace {

struct NamedElement {
    std::string_view name;
    ElementType type;
    std::uint64_t bytes;
};

constexpr NamedElement kElements[] = {{"F16", ElementType::F16, 2},
                                      {"BF16", ElementType::BF16, 2},
                                      {"F32", ElementType::F32, 4},
                                      {"F64", ElementType::F64, 8}};

Error notEnoughMemory() {
    return {"there is not enough memory for its numbers", "", "capture fewer layers or tokens"};
}

void decodeElements(ElementType type, const std::byte *bytes, Index count, float *out) {
    switch (type) {
    case ElementType::F16:
        return decodeNumbers(NumberType::F16, bytes, count, out);
    case ElementType::BF16:
        return decodeNumbers(NumberType::BF16, bytes, count, out);
    case ElementType::F32:
        return decodeNumbers(NumberType::F32, bytes, count, out);
    case ElementType::F64:
        for (Index i = 0; i < count; ++i)
            out[i] = static_cast<float>(std::bit_cast<double>(littleEndian<std::uint64_t>(
                reinterpret_cast<const char *>(bytes) + i * Index(sizeof(double)))));
        return;
    }
}

/// Reads `count` contiguous elements, starting with `first`. Reads them in pieces, so that the
/// encoded and decoded forms are never both in memory at full size.
void readRun(const StoredTensor &stored, Index first, Index count, float *out,
             const std::stop_token &stop) {
    constexpr Index kPiece = Index(1) << 18;
    const std::uint64_t size = bytesOf(stored.type);
    std::vector<std::byte> bytes;
    for (Index done = 0; done < count;) {
        throwIfCancelled(stop);
        const Index now = std::min(kPiece, count - done);
        bytes.resize(static_cast<std::size_t>(now) * size);
        if (Outcome outcome =
                stored.bytes->read(static_cast<std::uint64_t>(first + done) * size, bytes);
            !outcome)
            throw outcome.error();
        if (stored.isBigEndian)
            for (auto number = bytes.begin(); number != bytes.end();
                 number += static_cast<std::ptrdiff_t>(size))
                std::reverse(number, number + static_cast<std::ptrdiff_t>(size));
        decodeElements(stored.type, bytes.data(), now, out + done);
        done += now;
    }
}

/// Reorders elements from storage order to row-major order.
void putInOrder(const std::vector<float> &numbers, const StoredTensor &stored, float *out) {
    const std::vector<Index> &sizes = stored.shape.sizes();
    std::vector<Index> at(sizes.size());
    Index from = 0;
    for (Index count = stored.shape.count(), to = 0; to < count; ++to) {
        out[to] = numbers[static_cast<std::size_t>(from)];
        for (std::size_t axis = sizes.size(); axis-- > 0;) {
            from += stored.strides[axis];
            if (++at[axis] < sizes[axis])
                break;
            from -= stored.strides[axis] * sizes[axis];
            at[axis] = 0;
        }
    }
}

} // namespace

std::optional<ElementType> findElementType(std::string_view name) {
    for (const NamedElement &one : kElements)
        if (one.name == name)
            return one.type;
    return std::nullopt;
}

std::string_view nameOf(ElementType type) {
    return std::ranges::find(kElements, type, &NamedElement::type)->name;
}

std::uint64_t bytesOf(ElementType type) {
    return std::ranges::find(kElements, type, &NamedElement::type)->bytes;
}

std::vector<Index> stridesOf(const Shape &shape, bool isFortran) {
    std::vector<Index> strides(shape.rank());
    std::uint64_t stride = 1; // may wrap around if a size is 0; the strides are then unused
    for (std::size_t i = 0; i < strides.size(); ++i) {
        const std::size_t axis = isFortran ? i : strides.size() - 1 - i;
        strides[axis] = static_cast<Index>(stride);
        stride *= static_cast<std::uint64_t>(shape[axis]);
    }
    return strides;
}

Result<Tensor> readWhole(const StoredTensor &stored, const std::stop_token &stop) try {
    const Index count = stored.shape.count();
    std::vector<float> numbers(static_cast<std::size_t>(count));
    readRun(stored, 0, count, numbers.data(), stop);
    if (stored.strides == stridesOf(stored.shape))
        return Tensor(stored.shape, std::move(numbers));
    std::vector<float> ordered(numbers.size());
    putInOrder(numbers, stored, ordered.data());
    return Tensor(stored.shape, std::move(ordered));
} catch (const Error &error) {
    return error;
} catch (const Cancelled &) {
    return cancelled();
} catch (const std::bad_alloc &) {
    return notEnoughMemory();
} catch (const std::length_error &) {
    return notEnoughMemory();
}

Result<SharedMatrix> readRows(const StoredTensor &stored, Index sequence, Index head, Rows rows,
                              const std::stop_token &stop) try {
    assert(stored.hasWholeRows());
    const Shape &shape = stored.shape;
    const std::size_t rank = shape.rank();
    const Index columns = shape.last(0), stride = stored.strides[rank - 2];
    Index first = rows.first * stride;
    if (rank > 2 && shape[0] > 1)
        first += sequence * stored.strides[0];
    if (rank > 3 && shape[1] > 1)
        first += head * stored.strides[1];
    const auto numbers = std::make_shared<Numbers>(static_cast<std::size_t>(rows.count * columns));
    if (stride == columns)
        readRun(stored, first, rows.count * columns, numbers->data(), stop);
    else
        for (Index row = 0; row < rows.count; ++row)
            readRun(stored, first + row * stride, columns, numbers->data() + row * columns, stop);
    return SharedMatrix({numbers->data(), rows.count, columns, columns}, numbers);
} catch (const Error &error) {
    return error;
} catch (const Cancelled &) {
    return cancelled();
} catch (const std::bad_alloc &) {
    return notEnoughMemory();
} catch (const std::length_error &) {
    return notEnoughMemory();
}

} // namespace headlight::core
