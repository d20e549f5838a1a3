// An LRU cache for single-head matrices of stages that are too large to keep completely. Its size
// in bytes is limited. Not thread-safe: Trace guards it with m_mutex.
#pragma once

#include "core/transformer/plan/trace_bytes.h"

#include <algorithm>
#include <vector>

namespace headlight::core {

class MatrixCache {
  public:
    explicit MatrixCache(Index maxBytes = kMatricesBytes) : m_mostBytes(maxBytes) {}

    /// Returns the matrix and marks it as most recently used; empty if it is not cached.
    SharedMatrix find(StepId step, Index sequence, Index head) {
        const auto found = std::ranges::find_if(m_matrices, [&](const Kept &kept) {
            return kept.step == step && kept.sequence == sequence && kept.head == head;
        });
        if (found == m_matrices.end())
            return {};
        std::rotate(m_matrices.begin(), found, found + 1);
        return m_matrices.front().numbers;
    }
    /// Removes the least recently used matrices until `bytes` more bytes fit. Always keeps the most
    /// recently used one, so that the attention weights and one other stage of the same head can be
    /// cached together.
    void makeRoomFor(Index bytes) {
        for (std::size_t kept = 0; kept < m_matrices.size(); ++kept) {
            bytes += bytesOf(m_matrices[kept].numbers);
            if (kept > 0 && bytes > m_mostBytes)
                return m_matrices.resize(kept);
        }
    }
    void add(StepId step, Index sequence, Index head, SharedMatrix numbers) {
        m_matrices.insert(m_matrices.begin(), {step, sequence, head, std::move(numbers)});
    }

  private:
    struct Kept {
        StepId step = 0;
        Index sequence = 0;
        Index head = 0;
        SharedMatrix numbers;
    };
    static Index bytesOf(const SharedMatrix &matrix) {
        return matrix.rows * matrix.columns * static_cast<Index>(sizeof(float));
    }

    Index m_mostBytes;
    std::vector<Kept> m_matrices; ///< most recently used first
};

} // namespace headlight::core
