// An operation of a plan as training runs it: on some sequences at once, in memory that is there.
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
    /// All that flows back to what it made is there.
    virtual void backward(TrainingWorkspace &lane) const = 0;
};

using NodePointer = std::unique_ptr<const Node>;

/// What a node reads, and whether its gradient is the first that arrives there.
struct NodeRead {
    Buffer buffer{};
    Accumulate accumulate = Accumulate::Add;
};

} // namespace headlight::core
