// An operation of a plan, compiled for training. Processes several sequences at once in
// preallocated memory.
#pragma once

#include "core/training/pass/flat_parameters.h"
#include "core/training/pass/training_workspace.h"

#include <memory>

namespace headlight::core {

class Node {
  public:
    Node() = default;
    virtual ~Node() = default;
    Node(const Node &) = delete;
    Node &operator=(const Node &) = delete;

    virtual void forward(TrainingWorkspace &lane) const = 0;
    /// Computes the gradients of the inputs and parameters. The gradient of the output must be
    /// complete.
    virtual void backward(TrainingWorkspace &lane) const = 0;
};

using NodePointer = std::unique_ptr<const Node>;

/// An input of a node. `accumulate` is Replace if this node is the first to write the input's
/// gradient.
struct NodeRead {
    Buffer buffer{};
    Accumulate accumulate = Accumulate::Add;
};

} // namespace headlight::core
