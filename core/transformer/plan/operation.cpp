#include "core/transformer/plan/operation.h"

#include <limits>

namespace headlight::core {

bool makeTheSame(const Operation &a, const Operation &b) {
    return a == b;
}

Dependence dependenceOf(const Operation &operation) {
    using Reach = Dependence::Reach;
    Dependence on;
    on.tokens = std::holds_alternative<op::LookUp>(operation);
    on.tokenTypes = std::holds_alternative<op::AddTokenTypes>(operation);
    on.mask = std::holds_alternative<op::Mask>(operation) ||
              std::holds_alternative<op::UniformWeights>(operation);
    if (std::holds_alternative<op::Concatenate>(operation))
        on.reach = Reach::AllHeads;
    const auto *norm = std::get_if<op::Normalise>(&operation);
    const bool ofAll = norm && norm->kind == NormKind::Batch;
    const bool pools = std::holds_alternative<op::Pool>(operation);
    if (ofAll || pools)
        on.reach = Reach::AllSequences;
    on.lengths = ofAll || pools || std::holds_alternative<op::MeanRows>(operation);
    return on;
}

bool replaces(const Operation &change) {
    return std::holds_alternative<op::UniformWeights>(change) ||
           std::holds_alternative<op::Zero>(change);
}

bool mayHide(const Operation &operation) {
    const auto *mask = std::get_if<op::Mask>(&operation);
    return mask && mask->value == -std::numeric_limits<float>::infinity();
}

} // namespace headlight::core
