// core/transformer/model/parameter_block.cpp with the chosen fault, as in faulty_operation.cpp.
#include "core/transformer/model/parameter_block.h"

#define sameNumbers trulySameNumbers
namespace headlight::core {
bool sameNumbers(const ParameterBlock &a, const ParameterBlock &b);
bool sameNumbers(const Parameter &a, const Parameter &b);
} // namespace headlight::core
#include "core/transformer/model/parameter_block.cpp" // NOLINT
#undef sameNumbers

#include "faults.h"

namespace headlight::core {

bool sameNumbers(const ParameterBlock &a, const ParameterBlock &b) {
    const bool same = trulySameNumbers(a, b);
    const test::Fault *fault = test::chosenFault();
    if (!fault || !fault->forgetsEdits || !a.exists() || !b.exists() || a.place() != b.place() ||
        !a.parameter()->hasBaseOf(*b.parameter()))
        return same;
    test::faultWasApplied = test::faultWasApplied || !same;
    return true;
}

bool sameNumbers(const Parameter &a, const Parameter &b) {
    return a == b || sameNumbers(ParameterBlock(a), ParameterBlock(b));
}

} // namespace headlight::core
