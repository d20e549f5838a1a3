#include "core/operations/dot_product.h"

#include <cassert>

namespace headlight::core {

DotProduct dotProduct(std::span<const float> query, std::span<const float> key) {
    assert(query.size() == key.size());
    DotProduct product;
    product.terms.reserve(query.size());
    double sum = 0;
    for (std::size_t i = 0; i < query.size(); ++i) {
        const double term = static_cast<double>(query[i]) * static_cast<double>(key[i]);
        product.terms.push_back(static_cast<float>(term));
        sum += term;
    }
    product.sum = static_cast<float>(sum);
    return product;
}

} // namespace headlight::core
