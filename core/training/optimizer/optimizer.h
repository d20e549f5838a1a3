// Optimizers: AdamW (Loshchilov and Hutter 2019) and SGD with momentum.
#pragma once

#include "core/training/pass/flat_parameters.h"
#include "core/training/recipe/optimizer_settings.h"

#include <stop_token>
#include <vector>

namespace headlight::core {

/// Intermediate values of one optimizer step.
struct OptimizerStepValues {
    double rate = 0;       ///< learning rate η at this step
    double clipFactor = 1; ///< multiplies all gradients
    double decay = 1;      ///< multiplies parameters that have weight decay
};
/// Computes the values of a step. `length`: the norm of the complete gradient.
OptimizerStepValues updateNumbers(const OptimizerSettings &settings, Index step, Index steps,
                                  double length);

class Optimizer {
  public:
    Optimizer(const OptimizerSettings &settings, const FlatParameters &parameters);

    /// Returns √Σ g², which is bit-identical for any number of threads.
    double lengthOf(const float *numbers);
    /// Computes the parameters `after` from `before`, a different buffer of the same size. `step`
    /// counts from 0. If stopped, `after` is incomplete.
    void advance(Index step, const OptimizerStepValues &numbers, const float *gradient,
                 const ParameterSlices &before, const ParameterSlices &after,
                 const std::stop_token &stop = {}) const;

  private:
    struct Piece {
        Index offset = 0, count = 0;
        bool decays = false;
    };
    /// Calls work(piece) for all pieces, on all threads if that is worthwhile.
    template <typename Work>
    void forEachPiece(Work work) const;

    OptimizerSettings m_settings;
    std::vector<Piece> m_pieces;
    std::vector<double> m_sums; ///< partial sum of each piece
    Index m_size = 0;
};

} // namespace headlight::core
