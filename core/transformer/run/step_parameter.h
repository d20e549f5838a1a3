// A step's slice of a parameter: a view if possible, otherwise decoded, at most a few MB at a time.
#pragma once

#include "core/transformer/model/parameter_block.h"
#include "core/transformer/plan/plan.h"

#include <span>
#include <stop_token>

namespace headlight::core {

/// Thrown if a parameter cannot be read. The error names the parameter. The functions of forward.h,
/// backward.h and output_row.h never let it escape.
struct ParameterReadError {
    Error error;
};

/// Returns the slice of the parameter that belongs to one head; empty if the model does not have
/// the parameter.
ParameterBlock sliceOf(const ModelParameters &weights, const ParameterSlice &slice, Index heads,
                       Index head);

class StepParameter {
  public:
    StepParameter() = default; ///< empty
    StepParameter(const ModelParameters &weights, const ParameterSlice &slice, Index heads = 1,
                  Index head = 0);
    /// Uses a complete matrix in place of parameter `id`.
    StepParameter(Parameter parameter, const ParameterId &id)
        : m_block(std::move(parameter)), m_id(id) {}

    bool empty() const { return m_block.empty(); }
    const ParameterBlock &block() const { return m_block; }
    /// Returns the complete slice, for small parameters such as biases, gains and short tables.
    /// Empty if there is none. Throws ParameterReadError.
    SharedMatrix numbers() const { return rows(0, m_block.rows); }
    SharedMatrix rows(Index first, Index count) const;
    StepParameter rowBlock(Index first, Index count) const {
        return {m_block.rowBlock(first, count), m_id};
    }
    StepParameter columnBlock(Index first, Index count) const {
        return {m_block.columnBlock(first, count), m_id};
    }
    void copyRow(Index row, std::span<float> out) const;

  private:
    friend class ParameterProduct;
    StepParameter(ParameterBlock block, const ParameterId &id)
        : m_block(std::move(block)), m_id(id) {}

    ParameterBlock m_block;
    ParameterId m_id;
};

/// Returns the only row of a bias or gain; empty if there is none. The overload for temporaries is
/// deleted, because the span would dangle.
inline std::span<const float> rowOf(const SharedMatrix &numbers) {
    return numbers.empty() ? std::span<const float>() : numbers.row(0);
}
void rowOf(const SharedMatrix &&) = delete;

/// out = x · W, bit-identical to the product with the complete W, unless multiplyEncoded() uses
/// fixed point. Throws ParameterReadError.
void multiply(MatrixView x, const StepParameter &w, MutableMatrixView out,
              const std::stop_token &stop);
/// out = x · Wᵀ
void multiplyTransposed(MatrixView x, const StepParameter &w, MutableMatrixView out,
                        const std::stop_token &stop);

} // namespace headlight::core
