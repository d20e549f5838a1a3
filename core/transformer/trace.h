// What was computed at every named stage: the one record that the window, the figures, the files
// and the tests all read.
#pragma once

#include "core/operations/mask.h"
#include "core/tensor/tensor.h"
#include "core/transformer/batch.h"
#include "core/transformer/embeddings.h"
#include "core/transformer/interventions.h"
#include "core/transformer/stage.h"
#include "core/transformer/weights.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::core {

/// Config, learned numbers and the words' vectors: what makes attention out of a text.
struct Model {
    Config config;
    Weights weights;
    EmbeddingsPointer embeddings;
    bool operator==(const Model &) const = default; // parameters by identity
};

/// What the model reads, what it may see of it, and what is done to the mechanism meanwhile.
struct Input {
    BatchPointer batch;
    MaskLayers masks;
    Interventions interventions{};
    bool operator==(const Input &) const = default; // the batch by identity
};

/// One stage as it was computed.
struct TraceEntry {
    std::string name;
    Tensor tensor;
    /// Of the output: what each head adds to it, [B, H, T, C], for the next computation to take
    /// over. Null where that would be too much.
    Tensor headOutputs{};
};

/// What was computed for a trace; the rest was taken over from the one before.
struct Work {
    std::vector<std::string> stages; ///< all of each, or some of its heads
    Index heads = 0;                 ///< how many, over all layers, had something computed anew
    double milliseconds = 0;         ///< how long it took
};

/// Immutable once made; safe to read from any thread.
class Trace {
  public:
    Trace(Model model, Input input, std::shared_ptr<const std::vector<Mask>> masks,
          std::vector<TraceEntry> entries, Work work);

    const Model &model() const { return m_model; }
    const Input &input() const { return m_input; }
    const Batch &batch() const { return *m_input.batch; }

    /// The stage's numbers under its full name (stageName()); null where the model has no such
    /// stage.
    Tensor stage(std::string_view name) const;
    Tensor stage(Stage stage, Index layer = 0) const {
        return this->stage(stageName(stage, layer));
    }
    bool has(std::string_view name) const { return find(name) != nullptr; }
    bool has(Stage stage, Index layer = 0) const { return has(stageName(stage, layer)); }
    /// In the order of the computation.
    std::vector<std::string> names() const;
    const TraceEntry *find(std::string_view name) const;

    /// Which keys each query of the sequence may see, and which layer hid the others.
    const Mask &mask(Index sequence) const {
        return (*m_masks)[static_cast<std::size_t>(sequence)];
    }
    const std::shared_ptr<const std::vector<Mask>> &masks() const { return m_masks; }

    const std::vector<std::string> &recomputed() const { return m_work.stages; }
    Index recomputedHeads() const { return m_work.heads; }
    double milliseconds() const { return m_work.milliseconds; }

  private:
    Model m_model;
    Input m_input;
    std::shared_ptr<const std::vector<Mask>> m_masks;
    std::vector<TraceEntry> m_entries;
    Work m_work;
};

using TracePointer = std::shared_ptr<const Trace>;

} // namespace headlight::core
