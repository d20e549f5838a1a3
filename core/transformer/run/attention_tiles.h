// Back through an attention whose scores and weights nobody holds: some rows of one head at a time
// are made once more and gone back through, so that its memory grows with the length of a text
// alone (Dao et al. 2022, section 3.1).
#pragma once

#include "core/transformer/run/forward_runner.h"
#include "core/transformer/run/gradient_context.h"
#include "core/transformer/run/gradient_store.h"

namespace headlight::core {

/// The steps from what `mix` reads as weights to the product of query and key.
std::vector<StepId> stepsOfAttention(const Plan &plan, StepId mix);

class AttentionTiles {
  public:
    /// `chain`: of the step that mixes the values; what flows back to it is all there. `known`: the
    /// numbers of this plan's steps, of which queries, keys and values must be there. `names`: of
    /// its steps. All must live as long as this.
    AttentionTiles(const GradientContext &chain, GradientStore &store,
                   const std::vector<StageNames> &names, const std::vector<Tensor> &known);

    /// Gives to queries, keys, values and the table of a position bias. Throws Cancelled.
    void run();

  private:
    /// What one thread works with.
    struct Scratch {
        std::map<StepId, std::unique_ptr<ForwardRunner>> makers; ///< of the numbers that are needed
        std::vector<float> gradient;                             ///< of some rows of weights
    };

    void goBack(Scratch &lane, Index sequence, Index head, Rows rows);
    Index keysSeen(Index sequence, Rows rows) const;
    void goThrough(Scratch &lane, StepId step, Index sequence, Index head, Rows rows,
                   MutableMatrixView gradient);
    void giveToBias(const Step &add, Index head, Rows rows, MatrixView gradient);

    const GradientContext &m_chain;
    const Plan &m_plan;
    GradientStore &m_store;
    const std::vector<StageNames> &m_names;
    std::vector<StepId> m_steps; ///< from the weights to the product of query and key
    const Step &m_product;
    bool m_isNarrow = false; ///< nothing flows back through keys that no query sees
    Tensor m_query, m_key, m_value;
    Adjoint m_toQuery, m_toKey, m_toValue;
    std::vector<Scratch> m_lanes;
};

} // namespace headlight::core
