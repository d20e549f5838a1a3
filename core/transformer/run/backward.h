// Reverse-mode differentiation (Linnainmaa 1970; Rumelhart, Hinton and Williams 1986). Computes the
// gradients of all parameters and earlier stages from the gradient of a loss at some stages.
#pragma once

#include "core/transformer/trace/trace.h"

#include <map>
#include <stop_token>

namespace headlight::core {

/// The gradient of a loss L at a stage where the backward pass starts, dL/d(stage). A loss that
/// depends on several stages has several seeds. Seeds of the same stage are added.
struct Seed {
    std::string stage; ///< full name in the trace
    Tensor gradient;
};

/// The result of a backward pass. Immutable and thread-safe.
class Gradients {
  public:
    Gradients(ModelParameters parameterGradients, std::map<std::string, Tensor, std::less<>> stages,
              Index heads, Index encoderHeads)
        : parameters(std::move(parameterGradients)),
          m_stages(std::move(stages)),
          m_heads(heads),
          m_encoderHeads(encoderHeads) {}

    /// dL/d(parameter), in the structure of the model's parameters. Every existing parameter has a
    /// gradient of the same shape, which is zero if the parameter does not affect the loss. A
    /// parameter that is used more than once has the sum of its gradients, stored where the
    /// parameter is stored. For layers that share parameters, that is the parameter layer. For a
    /// tied output matrix and an encoder without its own embeddings, it is main.embeddings.
    const ModelParameters parameters;

    /// Returns dL/d(stage) with the shape of the stage, including the effect on all later stages.
    /// Stages that share a tensor (positioned and layers.0.input, layers.0.output and
    /// layers.1.input) share the gradient of all their uses and seeds. position_bias has the
    /// gradient for its own layer, summed over sequences. Scores hidden by −∞ have gradient 0. Null
    /// if the stage has no gradient, the trace does not have the stage, or gradients of stages were
    /// not kept.
    Tensor stage(std::string_view name) const;
    Tensor stage(Stage stage, AttentionId attention = {}) const {
        return this->stage(stageName(stage, attention));
    }
    /// Returns the names of all stages with a gradient, except head_outputs, whose gradient is
    /// computed on demand.
    std::vector<std::string> stageNames() const;

  private:
    std::map<std::string, Tensor, std::less<>> m_stages;
    Index m_heads; ///< H
    Index m_encoderHeads;
};

using GradientsPointer = std::shared_ptr<const Gradients>;

/// Runs the backward pass of a trace, including its interventions. Scores set by the user and
/// silenced heads pass on no gradient. Heads set to their mean pass on the mean gradient, and
/// uniform heads pass gradients only to values.
///
/// Works from the last layer to the first. In addition to the tensors of the trace, it stores
/// tensors of only one layer at a time, so traces that compute layers on demand stay small
/// (gradient checkpointing, Chen et al. 2016). With `keepStages`, it also keeps the gradients of
/// all stages. Stages that the trace computes one head at a time are the exception, because they
/// are differentiated in tiles.
///
/// Errors name the field ("seeds[1].gradient") or the stage: a stage that is not in the trace; a
/// wrong shape; a capture, which has no parameters; a model with experts; float overflow; those of
/// forward(); "cancelled" within a few milliseconds after `stop` was requested.
Result<GradientsPointer> backward(const Trace &trace, const std::vector<Seed> &seeds,
                                  bool keepStages, std::stop_token stop = {});

} // namespace headlight::core
