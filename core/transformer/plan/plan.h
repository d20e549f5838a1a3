// A computation as data: steps with inputs, parameters, shapes and names. Used by forward passes,
// backward passes, the reuse of earlier traces, and explanations.
#pragma once

#include "core/tensor/shape.h"
#include "core/transformer/model/model.h"
#include "core/transformer/model/parameter_id.h"
#include "core/transformer/names/stage.h"
#include "core/transformer/plan/operation.h"

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace headlight::core {

using StepId = std::size_t;

/// A parameter of a step, and its split into heads.
struct ParameterSlice {
    /// The axis that is split into H equal blocks. Head h has block h.
    enum class Split { Whole, Columns, Rows };
    ParameterId id{};
    Split split = Split::Whole;
    bool operator==(const ParameterSlice &) const = default;

    /// Returns the part of the parameter, or of its gradient, that belongs to a head.
    template <typename Block>
    Block partOf(const Block &whole, Index heads, Index head) const {
        switch (split) {
        case Split::Columns:
            return whole.columnBlock(head * (whole.columns / heads), whole.columns / heads);
        case Split::Rows:
            return whole.rowBlock(head * (whole.rows / heads), whole.rows / heads);
        case Split::Whole:
            break;
        }
        return whole;
    }
};

/// An intervention in the matrix of one head of a step.
struct Change {
    std::optional<Index> sequence; ///< nullopt: all sequences
    Index head = 0;
    Operation operation;
    bool operator==(const Change &) const = default;
};

/// A stage, or an unnamed step between two stages.
struct Step {
    StageId at{};  ///< the stage that the step computes or leads to
    int inner = 0; ///< 0: the stage itself; otherwise index of an unnamed step before it
    std::optional<StepId> renames{};          ///< another step, with the same values
    Operation operation{};                    ///< unused if `renames` is set
    std::vector<StepId> reads{};              ///< earlier steps, in the order of the operation
    std::vector<ParameterSlice> parameters{}; ///< in the order of the operation
    Shape shape{};                            ///< [B, H, T, …], [B, T, …], or [B, …]
    std::vector<Change> changes{};            ///< at most one change per matrix
    bool isAside = false;                     ///< computed on demand only; no step reads it

    bool isNamed() const { return inner == 0; }
    /// True if the step does not rename another one.
    bool isOwn() const { return !renames; }
    /// Returns H, or 1 if the step is not split into heads.
    Index heads() const { return shape.rank() == 4 ? shape[1] : 1; }
    /// Returns B, or 1 if the rows are sequences.
    Index sequences() const { return shape.rank() == 2 ? 1 : shape[0]; }
    /// Returns the change to this matrix; null if there is none.
    const Operation *changeAt(Index sequence, Index head) const;
};

class Plan {
  public:
    Plan() = default;
    explicit Plan(std::vector<Step> steps);

    const std::vector<Step> &steps() const { return m_steps; }
    const Step &operator[](StepId id) const { return m_steps[id]; }
    std::size_t size() const { return m_steps.size(); }
    /// Returns the step for this stage; nullopt if the model has no such stage.
    std::optional<StepId> find(StageId at, int inner = 0) const;
    /// Returns the step itself, or the step that it renames.
    StepId origin(StepId id) const { return m_steps[id].renames.value_or(id); }

  private:
    std::vector<Step> m_steps; ///< in computation order; `renames` never points to a rename
    std::map<std::pair<StageId, int>, StepId> m_places;
};

using PlanPointer = std::shared_ptr<const Plan>;

/// The size of an input.
struct Extent {
    Index batch = 0;   ///< B
    Index targets = 0; ///< number of tokens per sequence
    Index sources = 0; ///< number of tokens per second sequence
    Extent(Index sequences, Index targetTokens, Index sourceTokens)
        : batch(sequences), targets(targetTokens), sources(sourceTokens) {}
    explicit Extent(const Input &input);

    Index queries(AttentionId attention) const {
        return attention.stack == Stack::Encoder || attention.stack == Stack::SourceEmbeddings
                   ? sources
                   : targets;
    }
    Index keys(AttentionId attention) const {
        return attention.block == Block::CrossAttention ? sources : queries(attention);
    }
};

/// Builds the plan of a model: the steps for its config and parameters. No other code defines the
/// structure of a transformer (Vaswani et al. 2017). The config must be valid. For captures,
/// returns the captured plan, regardless of the extent.
Plan planOf(const Model &model, const Extent &extent);
/// Builds the plan for this input, including the input's interventions.
Plan planOf(const Model &model, const Input &input);

} // namespace headlight::core
