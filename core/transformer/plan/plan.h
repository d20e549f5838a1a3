// A computation as data: what exists, from what it is made, with which parameters, in which shape,
// under which names. Running it, differentiating it, reusing an earlier run, and explaining a
// number all read this.
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

/// A parameter that a step multiplies with or adds, and which part of it each head has.
struct ParameterSlice {
    /// Of H heads, head h has the h-th of H equal blocks.
    enum class Split { Whole, Columns, Rows };
    ParameterId id{};
    Split split = Split::Whole;
    bool operator==(const ParameterSlice &) const = default;
};

/// What a person does to the step's matrix of one head.
struct Change {
    std::optional<Index> sequence; ///< none: of every sequence
    Index head = 0;
    Operation operation;
    bool operator==(const Change &) const = default;
};

/// One stage, or something between two stages that has no name.
struct Step {
    StageId at{};                    ///< the stage that it is, or leads to
    int inner = 0;                   ///< 0: it is that stage; else which one of those before
    std::optional<StepId> renames{}; ///< the step whose numbers these are, and nothing else
    Operation operation{};           ///< where it renames none
    std::vector<StepId> reads{};     ///< in the operation's order; earlier steps
    std::vector<ParameterSlice> parameters{}; ///< the same
    Shape shape{};                            ///< [B, H, T, …], [B, T, …], or [B, …]
    std::vector<Change> changes{};            ///< at most one a matrix
    bool isAside = false;                     ///< no step reads it: made only when it is asked for

    bool isNamed() const { return inner == 0; }
    /// Its numbers are no other step's.
    bool isOwn() const { return !renames; }
    /// H, or 1 where the heads are not apart.
    Index heads() const { return shape.rank() == 4 ? shape[1] : 1; }
    /// B, or 1 where a row is a sequence.
    Index sequences() const { return shape.rank() == 2 ? 1 : shape[0]; }
    /// What is done to this matrix; null: nothing.
    const Operation *changeAt(Index sequence, Index head) const;
};

class Plan {
  public:
    Plan() = default;
    explicit Plan(std::vector<Step> steps);

    const std::vector<Step> &steps() const { return m_steps; }
    const Step &operator[](StepId id) const { return m_steps[id]; }
    std::size_t size() const { return m_steps.size(); }
    /// The step of that name; none where the model has no such stage.
    std::optional<StepId> find(StageId at, int inner = 0) const;
    /// The step whose numbers they are: itself, or what it renames.
    StepId origin(StepId id) const { return m_steps[id].renames.value_or(id); }

  private:
    std::vector<Step> m_steps; ///< in the order of the computation; `renames` is never a rename
    std::map<std::pair<StageId, int>, StepId> m_places;
};

using PlanPointer = std::shared_ptr<const Plan>;

/// How much is read.
struct Extent {
    Index batch = 0;   ///< B
    Index targets = 0; ///< tokens of each sequence that attends
    Index sources = 0; ///< of each second sequence
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

/// The one place that knows how a transformer is put together (Vaswani et al. 2017): which steps
/// its config and the parameters that it has ask for. The config is valid. Of a capture: what was
/// captured, whatever the extent.
Plan planOf(const Model &model, const Extent &extent);
/// The same for this input, with its interventions.
Plan planOf(const Model &model, const Input &input);

} // namespace headlight::core
