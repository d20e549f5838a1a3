// Minimum, maximum and mean of a matrix, kept per row, so that only the changed rows are read again
// after an edit.
#pragma once

#include "core/transformer/model/parameter_block.h"

#include <span>
#include <vector>

namespace headlight::core {

class BlockSummary {
  public:
    BlockSummary() = default; ///< an empty summary
    explicit BlockSummary(const ParameterBlock &block);

    /// Reads these rows of `block` again. All other rows must be the same as before.
    void update(const ParameterBlock &block, std::span<const Index> rows);

    bool empty() const { return m_all.count == 0; }
    double least() const { return m_all.least; }
    double most() const { return m_all.most; }
    /// The block must not be empty.
    double mean() const { return m_all.sum / static_cast<double>(m_all.count); }
    /// Returns the largest finite absolute value.
    float largest() const { return m_all.largest; }

  private:
    /// Summary of a row. Skips NaN, which represents values that cannot be read.
    struct Row {
        double least = 0, most = 0, sum = 0;
        Index count = 0;
        float largest = 0;
    };
    static Row summaryOf(std::span<const float> numbers);
    void addUp();

    std::vector<Row> m_rows;
    Row m_all;
};

} // namespace headlight::core
