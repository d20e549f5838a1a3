// Deliberate faults in the engine, one at a time, selected when the program starts. If the tests
// pass with a fault, they would miss the bug that it represents.
#pragma once

#include "core/transformer/plan/plan.h"

#include <functional>
#include <string>
#include <vector>

namespace headlight::core::test {

/// A fault in one of four places.
struct Fault {
    std::string name;
    /// Reuse: makes the comparison of operations ignore a field.
    std::function<void(Operation &)> forget{};
    /// Reuse: makes the engine ignore a dependence on the input.
    std::function<void(Dependence &)> overlook{};
    /// Changes how the transformer is built. Returns false if the fault does not apply to the
    /// plan.
    std::function<bool(std::vector<Step> &)> misplace{};
    /// Reuse: treats parameters with shared values as equal even if they were edited.
    bool forgetsEdits = false;
};

const std::vector<Fault> &allFaults();

/// Returns the fault that the environment variable HEADLIGHT_FAULT selects. Null for the engine
/// without a fault.
const Fault *chosenFault();

/// True once the chosen fault has had an effect.
extern bool faultWasApplied;

} // namespace headlight::core::test
