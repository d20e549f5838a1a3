// core/transformer/plan/operation.cpp with the chosen fault. Defines every symbol of the original,
// so that the linker does not pull it in.
#define makeTheSame trulyMakeTheSame
#define dependenceOf trueDependenceOf
#include "core/transformer/plan/operation.cpp" // NOLINT
#undef makeTheSame
#undef dependenceOf

#include "faults.h"

namespace headlight::core {

bool makeTheSame(const Operation &a, const Operation &b);
Dependence dependenceOf(const Operation &operation);

bool makeTheSame(const Operation &a, const Operation &b) {
    const test::Fault *fault = test::chosenFault();
    if (!fault || !fault->forget)
        return trulyMakeTheSame(a, b);
    Operation left = a, right = b;
    fault->forget(left);
    fault->forget(right);
    const bool same = trulyMakeTheSame(left, right);
    test::faultWasApplied = test::faultWasApplied || same != trulyMakeTheSame(a, b);
    return same;
}

Dependence dependenceOf(const Operation &operation) {
    Dependence on = trueDependenceOf(operation);
    if (const test::Fault *fault = test::chosenFault(); fault && fault->overlook) {
        fault->overlook(on);
        test::faultWasApplied = true;
    }
    return on;
}

} // namespace headlight::core
