// A step's share of a parameter: as it stands where that can be, else decoded, never more than a
// few MB of it at a time.
#pragma once

#include "core/transformer/model/parameter_block.h"
#include "core/transformer/plan/plan.h"

#include <span>
#include <stop_token>

namespace headlight::core {

/// Thrown where the numbers of a parameter cannot be read; the error names it. It never leaves
/// forward(), backward() or makeSteps().
struct ParameterReadError {
    Error error;
};

/// The rows and columns of a head's share; none where the model does not have the parameter.
ParameterBlock sliceOf(const ModelParameters &weights, const ParameterSlice &slice, Index heads,
                       Index head);

class StepParameter {
  public:
    StepParameter() = default; ///< none
    StepParameter(const ModelParameters &weights, const ParameterSlice &slice, Index heads = 1,
                  Index head = 0);
    /// All of a matrix that stands for that one.
    StepParameter(Parameter parameter, const ParameterId &id)
        : m_block(std::move(parameter)), m_id(id) {}

    bool empty() const { return m_block.empty(); }
    const ParameterBlock &block() const { return m_block; }
    /// All of it, for what is small: a bias, a gain, a table of few rows. Empty where there is
    /// none. Throws Unreadable.
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

/// The only row of a bias or gain; nothing where there is none. Who has only a temporary has to
/// give it a name first.
inline std::span<const float> rowOf(const SharedMatrix &numbers) {
    return numbers.empty() ? std::span<const float>() : numbers.row(0);
}
void rowOf(const SharedMatrix &&) = delete;

/// out = x · W; throws Unreadable. The bits are those of the product with all of W.
void multiply(MatrixView x, const StepParameter &w, MutableMatrixView out,
              const std::stop_token &stop);
/// out = x · Wᵀ
void multiplyTransposed(MatrixView x, const StepParameter &w, MutableMatrixView out,
                        const std::stop_token &stop);

} // namespace headlight::core
