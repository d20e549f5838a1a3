#include "core/tensor/shape.h"

namespace headlight::core {

Index Shape::count() const {
    Index product = 1;
    for (Index size : m_sizes)
        product *= size;
    return product;
}

std::string Shape::text() const {
    std::string text;
    for (Index size : m_sizes)
        text += (text.empty() ? "" : " × ") + std::to_string(size);
    return text;
}

} // namespace headlight::core
