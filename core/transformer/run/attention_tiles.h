// The backward pass of an attention module without stored scores and attention weights. They are
// recomputed for some rows of one head at a time, so memory grows linearly with the text length
// (Dao et al. 2022, section 3.1).
#pragma once

#include "core/transformer/run/forward_runner.h"
#include "core/transformer/run/gradient_context.h"
#include "core/transformer/run/gradient_store.h"

namespace headlight::core {

/// Returns the steps from the attention weights that `mix` reads back to the product of queries and
/// keys.
std::vector<StepId> stepsOfAttention(const Plan &plan, StepId mix);
/// Returns the steps that compute the position bias of disentangled attention for the steps
/// `ofAttention`. Empty for another kind of attention.
std::vector<StepId> stepsOfDistances(const Plan &plan, const std::vector<StepId> &ofAttention);

/// Returns the step of the sinks' weights, which reads the same scores. Nullopt without sinks.
std::optional<StepId> stepOfSinks(const Plan &plan, StepId mix);

class AttentionTiles {
  public:
    /// `chain`: the context of the WeightedSum step, with its complete gradient. `known`: values of
    /// the steps of the plan; queries, keys and values must be present. `names`: the stage names of
    /// the steps. All arguments must outlive this object.
    AttentionTiles(const GradientContext &chain, GradientStore &store,
                   const std::vector<StageNames> &names, const std::vector<Tensor> &known);

    /// Adds the gradients of queries, keys, values and the position bias table. Throws Cancelled.
    void run();

  private:
    /// Scratch memory of one thread.
    struct Scratch {
        std::map<StepId, std::unique_ptr<ForwardRunner>> makers; ///< recompute forward values
        std::vector<float> gradient; ///< gradient for some rows of attention weights
    };

    void goBack(Scratch &lane, Index sequence, Index head, Rows rows);
    Index keysSeen(Index sequence, Rows rows) const;
    void goThrough(Scratch &lane, StepId step, Index sequence, Index head, Rows rows,
                   MutableMatrixView gradient);
    void giveToBias(const Step &add, Index head, Rows rows, MatrixView gradient);
    /// Adds the gradient that flows back from the seeds of the sinks' weights. `gradient`: the
    /// gradient of the scores.
    void giveToSinks(Scratch &lane, Index sequence, Index head, Rows rows,
                     MutableMatrixView gradient);
    void giveToDistances(Index sequence, Index head, Rows rows, MatrixView gradient);
    /// Adds the step's seeds to the gradient of some of its rows, and checks it.
    void arrive(StepId step, Index sequence, Index head, Rows rows, MutableMatrixView gradient);

    const GradientContext &m_chain;
    const Plan &m_plan;
    GradientStore &m_store;
    const std::vector<StageNames> &m_names;
    std::vector<StepId> m_steps; ///< from the attention weights to the product of query and key
    /// From the position bias back to the PickDistances steps; empty unless disentangled.
    std::vector<StepId> m_distances;
    std::optional<StepId> m_sinks; ///< set if the sinks' weights have seeds
    const Step &m_product;
    bool m_isNarrow = false; ///< true if keys that no query sees have no gradient
    Tensor m_query, m_key, m_value;
    Adjoint m_toQuery, m_toKey, m_toValue;
    std::map<StepId, Adjoint> m_toDistances; ///< gradients of the inputs of PickDistances
    std::vector<Scratch> m_lanes;
};

} // namespace headlight::core
