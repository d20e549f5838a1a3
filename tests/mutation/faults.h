// Faults that can be put into the engine on purpose: one at a time, chosen when the program starts.
// A test suite that passes with one of them would not notice the mistake that it stands for.
#pragma once

#include "core/transformer/plan/plan.h"

#include <functional>
#include <string>
#include <vector>

namespace headlight::core::test {

/// What a fault does, in one of four places.
struct Fault {
    std::string name;
    /// Reuse: what of an operation is not compared.
    std::function<void(Operation &)> forget{};
    /// Reuse: what of the input is not asked.
    std::function<void(Dependence &)> overlook{};
    /// How the transformer is put together; false: there is nothing in this plan that it applies
    /// to.
    std::function<bool(std::vector<Step> &)> misplace{};
    /// Reuse: whether parameters over the same numbers are the same, whatever was edited.
    bool forgetsEdits = false;
};

const std::vector<Fault> &allFaults();

/// That of the environment's HEADLIGHT_FAULT; none: the engine as it is.
const Fault *chosenFault();

/// Whether the chosen fault was ever of any consequence.
extern bool faultWasApplied;

} // namespace headlight::core::test
