#include "core/tensor/large_product.h"

#include <algorithm>
#include <atomic>
#include <new>
#include <oneapi/dnnl/dnnl.h>
#include <system_error>
#include <thread>
#include <vector>

/// Of the OpenMP runtime that oneDNN uses. Its header is not everywhere where the library is.
extern "C" void omp_set_num_threads(int count);

namespace headlight::core {

namespace {

/// Multiply-adds of a block: 4 ms on a slow core, which does 4·10⁹ a second.
constexpr Index kBlock = Index(1) << 24;
constexpr Index kBlockRows = 128;
constexpr Index kBlockDepth = 1024;
/// A block of fewer rows takes as long as one of so many: it waits for memory.
constexpr Index kFewestRows = 8;
/// What oneDNN's inner loops do at once, with any vector length.
constexpr Index kColumnStep = 48;
constexpr Index kMostThreads = 8;

constexpr Index pieces(Index length, Index ofLength) {
    return (length + ofLength - 1) / ofLength;
}

/// The piece of `factor` that starts at (row, column).
const float *at(const Factor &factor, Index row, Index column) {
    const MatrixView &matrix = factor.matrix;
    return matrix.data +
           (factor.transposed ? column * matrix.stride + row : row * matrix.stride + column);
}

/// All but one core, so that the window stays quick; but both of two, because a window that mostly
/// sleeps gets a core at once when it wakes.
Index mostThreads() {
    const Index cores = static_cast<Index>(std::thread::hardware_concurrency());
    return std::clamp(cores <= 2 ? cores : cores - 1, Index(1), kMostThreads);
}

/// The blocks of the result, each made by one thread, its depth from front to back. So the order
/// of every sum depends on the shapes alone.
class Blocks {
  public:
    Blocks(const Factor &a, const Factor &b, Into into, MutableMatrixView out,
           const std::stop_token &stop)
        : m_a(a), m_b(b), m_into(into), m_out(out), m_stop(stop) {
        const Index depth = std::min(a.columns(), kBlockDepth);
        const Index rows = std::clamp(out.rows, kFewestRows, kBlockRows);
        m_across = pieces(out.columns, std::max(kColumnStep, kBlock / (rows * depth)));
        m_width = pieces(pieces(out.columns, m_across), kColumnStep) * kColumnStep;
        m_across = pieces(out.columns, m_width);
        m_count = m_across * pieces(out.rows, kBlockRows);
    }

    Index count() const { return m_count; }
    bool failed() const { return m_failed; }

    /// Takes blocks until none is left.
    void work() {
        // Of this thread alone: otherwise oneDNN shares a block among threads of its own, whose
        // number then changes the order of the sums.
        omp_set_num_threads(1);
        for (Index block = m_next++; block < m_count; block = m_next++)
            multiply(block / m_across * kBlockRows, block % m_across * m_width);
    }

  private:
    void multiply(Index row, Index column) {
        const Index rows = std::min(kBlockRows, m_out.rows - row);
        const Index columns = std::min(m_width, m_out.columns - column);
        for (Index k = 0; k < m_a.columns() && !m_stop.stop_requested(); k += kBlockDepth) {
            const bool add = k > 0 || m_into == Into::Add;
            const dnnl_status_t status =
                dnnl_sgemm(m_a.transposed ? 'T' : 'N', m_b.transposed ? 'T' : 'N', rows, columns,
                           std::min(kBlockDepth, m_a.columns() - k), 1, at(m_a, row, k),
                           m_a.matrix.stride, at(m_b, k, column), m_b.matrix.stride, add ? 1 : 0,
                           m_out.data + row * m_out.stride + column, m_out.stride);
            if (status != dnnl_success)
                m_failed = true;
        }
    }

    const Factor &m_a;
    const Factor &m_b;
    Into m_into;
    MutableMatrixView m_out;
    const std::stop_token &m_stop;
    Index m_width = 0;
    Index m_across = 0;
    Index m_count = 0;
    std::atomic<Index> m_next = 0;
    std::atomic<bool> m_failed = false;
};

} // namespace

void largeProduct(const Factor &a, const Factor &b, Into into, MutableMatrixView out,
                  const std::stop_token &stop) {
    Blocks blocks(a, b, into, out, stop);
    static const Index most = mostThreads();
    const Index threads = std::min(most, blocks.count());
    {
        std::vector<std::jthread> others;
        try {
            for (Index thread = 1; thread < threads; ++thread)
                others.emplace_back([&blocks] { blocks.work(); });
        } catch (const std::system_error &) {
            // The system gives no more threads: those that there are do the work.
        }
        blocks.work();
    }
    if (blocks.failed()) // The shapes are right, so it found no memory.
        throw std::bad_alloc();
}

} // namespace headlight::core
