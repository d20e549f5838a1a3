// Reverse mode: from what a loss makes of some stages to the gradients of every parameter and every
// stage before them (Linnainmaa 1970; Rumelhart, Hinton and Williams 1986).
#pragma once

#include "core/transformer/trace/trace.h"

#include <map>
#include <stop_token>

namespace headlight::core {

/// Where a loss L starts: dL/d(stage), of the stage's shape. A loss that reads several stages has
/// several seeds; two of one stage add up.
struct Seed {
    std::string stage; ///< its full name in the trace
    Tensor gradient;
};

/// Immutable once made; safe to read from any thread.
class Gradients {
  public:
    Gradients(ModelParameters parameterGradients, std::map<std::string, Tensor, std::less<>> stages,
              Index heads, Index encoderHeads)
        : parameters(std::move(parameterGradients)),
          m_stages(std::move(stages)),
          m_heads(heads),
          m_encoderHeads(encoderHeads) {}

    /// dL/d(parameter) in the places of the model's weights: a matrix of the same shape for each
    /// that the model has, zero where nothing of it reached the loss. What is used several times
    /// has the sum in the one place that owns it: layers that share their weights in theirs, a tied
    /// output matrix and an encoder without embeddings of its own in main.embeddings.
    const ModelParameters parameters;

    /// dL/d(stage), of the stage's shape: by how much L grows with each of these numbers alone, and
    /// all that is made from them. Names of the same tensor have the same gradient: where nothing
    /// lies between two stages (positioned and layers.0.input, layers.0.output and layers.1.input),
    /// it is that of both their uses and both their seeds. position_bias has that of its own layer,
    /// summed over the sequences. Hidden by −∞, a masked score has 0. Null where nothing flowed
    /// back to, where the trace does not have the stage, and where the stages were not kept.
    Tensor stage(std::string_view name) const;
    Tensor stage(Stage stage, AttentionId attention = {}) const {
        return this->stage(stageName(stage, attention));
    }
    /// Every name whose gradient is kept; without head_outputs, which is made when it is asked for.
    std::vector<std::string> stageNames() const;

  private:
    std::map<std::string, Tensor, std::less<>> m_stages;
    Index m_heads; ///< H
    Index m_encoderHeads;
};

using GradientsPointer = std::shared_ptr<const Gradients>;

/// From the seeds back through everything that forward() did for this trace, what-ifs too: a score
/// that was set by hand and a silenced head pass nothing back, a mean passes the mean, uniform
/// weights pass to the values only.
///
/// Works from the last layer to the first and holds no more than one layer's tensors besides the
/// trace's own, so that a trace that computes its layers on demand stays small (gradient
/// checkpointing, Chen et al. 2016); `keepStages` keeps the gradient of every stage as well, but
/// for those that the trace makes one head at a time, which are gone back through in tiles.
///
/// Errors, with the field ("seeds[1].gradient") or the stage: a stage that the trace does not have,
/// another shape, a capture, which has no weights to go back through; numbers that grow beyond what
/// 32 bits hold; "cancelled" once `stop` is requested, within a few milliseconds.
Result<GradientsPointer> backward(const Trace &trace, const std::vector<Seed> &seeds,
                                  bool keepStages, std::stop_token stop = {});

} // namespace headlight::core
