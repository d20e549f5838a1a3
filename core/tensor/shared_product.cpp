#include "core/tensor/shared_product.h"

#include <algorithm>
#include <atomic>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

namespace headlight::core {

namespace {

/// Multiply-adds that are worth a thread: 4 ms on a slow core, which does 4·10⁹ a second.
constexpr Index kWorthAThread = Index(1) << 24;
constexpr Index kBlockRows = 384;
constexpr Index kFewestColumns = 96;
/// A block of fewer rows takes as long as one of so many: it waits for memory.
constexpr Index kFewestRows = 8;
constexpr Index kMostThreads = 8;

constexpr Index pieces(Index length, Index ofLength) {
    return (length + ofLength - 1) / ofLength;
}

} // namespace

Index mostProductThreads() {
    const Index cores = static_cast<Index>(std::thread::hardware_concurrency());
    return std::clamp(cores <= 2 ? cores : cores - 1, Index(1), kMostThreads);
}

void sharedProduct(const ProductKernel &kernel, Index mostThreads, const Factor &a, const Factor &b,
                   Into into, MutableMatrixView out, const std::stop_token &stop) {
    const Index depth = a.columns();
    if (out.rows * out.columns == 0)
        return;
    if (depth == 0) {
        for (Index r = 0; r < out.rows && into == Into::Replace; ++r)
            std::ranges::fill(out.row(r), 0.0f);
        return;
    }
    if (std::max(out.rows, kFewestRows) * depth * out.columns < kWorthAThread)
        return productBlock(kernel, a, b, into, out, stop);

    const Index height = std::min(kBlockRows, out.rows);
    const Index worth = kWorthAThread / (std::max(height, kFewestRows) * depth);
    Index width = std::clamp(worth, kFewestColumns, kProductBlockColumns);
    width =
        pieces(pieces(out.columns, pieces(out.columns, width)), kernel.columns) * kernel.columns;
    const Index across = pieces(out.columns, width);
    const Index count = across * pieces(out.rows, height);
    std::atomic<Index> next = 0;
    std::atomic<bool> outOfMemory = false;
    const auto work = [&]() noexcept {
        try {
            for (Index block = next++; block < count; block = next++) {
                const Index row = block / across * height, column = block % across * width;
                const Index rows = std::min(height, out.rows - row);
                const Index columns = std::min(width, out.columns - column);
                productBlock(kernel, a.rowBlock(row, rows), b.columnBlock(column, columns), into,
                             {out.data + row * out.stride + column, rows, columns, out.stride},
                             stop);
            }
        } catch (const std::bad_alloc &) { // of a thread, it would end the program
            outOfMemory = true;
        }
    };
    {
        std::vector<std::jthread> others;
        try {
            for (Index thread = 1; thread < std::min(mostThreads, count); ++thread)
                others.emplace_back(work);
        } catch (const std::system_error &) {
            // The system gives no more threads: those that there are do the work.
        }
        work();
    }
    if (outOfMemory)
        throw std::bad_alloc();
}

} // namespace headlight::core
