// The least and the largest number of a matrix, and their mean, row by row: after an edit only the
// rows that it changed are looked at again.
#pragma once

#include "core/transformer/model/parameter_block.h"

#include <span>
#include <vector>

namespace headlight::core {

class BlockSummary {
  public:
    BlockSummary() = default; ///< of no numbers
    explicit BlockSummary(const ParameterBlock &block);

    /// The block is another one of the same shape, and differs in these rows.
    void update(const ParameterBlock &block, std::span<const Index> rows);

    bool empty() const { return m_all.count == 0; }
    double least() const { return m_all.least; }
    double most() const { return m_all.most; }
    double mean() const { return m_all.sum / static_cast<double>(m_all.count); } ///< !empty()
    /// The largest absolute value that is finite.
    float largest() const { return m_all.largest; }

  private:
    /// What is no number, because it cannot be read, is left out.
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
