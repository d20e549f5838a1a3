// The matrices of single heads that a trace keeps of stages too large to be held whole.
#pragma once

#include "core/transformer/plan/fits.h"

#include <algorithm>
#include <vector>

namespace headlight::core {

class MatrixCache {
  public:
    explicit MatrixCache(Index mostBytes = kMatricesBytes) : m_mostBytes(mostBytes) {}

    /// Empty: it is not there. What is asked for stays longer than what is not.
    SharedMatrix find(StepId step, Index sequence, Index head) {
        const auto found = std::ranges::find_if(m_matrices, [&](const Kept &kept) {
            return kept.step == step && kept.sequence == sequence && kept.head == head;
        });
        if (found == m_matrices.end())
            return {};
        std::rotate(m_matrices.begin(), found, found + 1);
        return m_matrices.front().numbers;
    }
    /// Before one of so many bytes is made: lets go of those that were asked for longest ago. The
    /// one that was asked for last stays in any case, so that a head's weights and one more stage
    /// of it can be there together.
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
    std::vector<Kept> m_matrices; ///< the one that was asked for last in front
};

} // namespace headlight::core
