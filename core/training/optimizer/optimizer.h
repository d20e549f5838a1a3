// From a gradient to new weights: AdamW (Loshchilov and Hutter 2019) or SGD with momentum.
#pragma once

#include "core/training/pass/flat_parameters.h"
#include "core/training/recipe/optimizer_settings.h"

#include <stop_token>
#include <vector>

namespace headlight::core {

/// What one step does with all gradients, weight by weight.
struct OptimizerStepValues {
    double rate = 0;       ///< η at this step
    double clipFactor = 1; ///< that every gradient is multiplied by
    double decay = 1;      ///< that a weight which decays is multiplied by
};
/// `length` is that of the whole gradient.
OptimizerStepValues updateNumbers(const OptimizerSettings &settings, Index step, Index steps,
                                  double length);

class Optimizer {
  public:
    Optimizer(const OptimizerSettings &settings, const FlatParameters &parameters);

    /// √Σ g², the same to the last bit on any number of threads.
    double lengthOf(const float *numbers);
    /// Step number `step` of `steps`, from `before` to `after`: other room, of the same size. Not
    /// all of it, once it is stopped.
    void advance(Index step, const OptimizerStepValues &numbers, const float *gradient,
                 const ParameterSlices &before, const ParameterSlices &after,
                 const std::stop_token &stop = {}) const;

  private:
    struct Piece {
        Index offset = 0, count = 0;
        bool decays = false;
    };
    /// work(piece) for all of them, on all threads where that pays.
    template <typename Work>
    void forEachPiece(Work work) const;

    OptimizerSettings m_settings;
    std::vector<Piece> m_pieces;
    std::vector<double> m_sums; ///< of each piece
    Index m_size = 0;
};

} // namespace headlight::core
