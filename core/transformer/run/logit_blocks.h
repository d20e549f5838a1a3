// The logits of some rows, a block of columns at a time, so that they are never all in memory at
// once. Each parameter is read and decoded once for all rows.
#pragma once

#include "core/transformer/plan/plan.h"

#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace headlight::core {

/// Blocks begin at columns that are multiples of this.
inline constexpr Index kLogitColumns = 1024;

class LogitBlocks {
  public:
    /// Finds the steps that map a row to its logits. Nullopt unless they are a linear map followed
    /// by elementwise functions, without interventions.
    static std::optional<LogitBlocks> of(const Plan &plan, StepId logits);

    /// Returns the step whose rows are mapped.
    StepId input() const { return m_input; }

    /// Receives the logits of a row starting at column `first`. Called by several threads at once,
    /// but with the columns of each row in order.
    using Take = std::function<void(Index row, Index first, std::span<const float> logits)>;
    /// Computes the logits of these rows of input(), bit-identical to a pass. `plan` may be the
    /// plan of another text. Returns the first stage with NaN or infinity (float overflow); empty
    /// if there is none. Throws Cancelled and ParameterReadError.
    std::string run(const Plan &plan, const Model &model, MatrixView rows, const Take &take,
                    const std::stop_token &stop) const;

  private:
    StepId m_input = 0;
    StepId m_linear = 0;
    std::vector<StepId> m_functions; ///< after the linear map, in order
};

} // namespace headlight::core
