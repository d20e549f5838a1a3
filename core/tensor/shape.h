// The sizes of a tensor's axes, the outermost first.
#pragma once

#include "core/tensor/matrix.h"

#include <initializer_list>
#include <string>
#include <vector>

namespace headlight::core {

class Shape {
  public:
    Shape() = default;
    Shape(std::initializer_list<Index> sizes) : m_sizes(sizes) {}
    explicit Shape(std::vector<Index> sizes) : m_sizes(std::move(sizes)) {}

    std::size_t rank() const { return m_sizes.size(); }
    Index operator[](std::size_t axis) const { return m_sizes[axis]; }
    /// Returns the size of an axis, counted from the last one: last(0) is the innermost size. 1 if
    /// there is no such axis.
    Index last(std::size_t fromEnd) const {
        return fromEnd < m_sizes.size() ? m_sizes[m_sizes.size() - 1 - fromEnd] : 1;
    }
    const std::vector<Index> &sizes() const { return m_sizes; }
    /// Returns the number of elements of a tensor with this shape.
    Index count() const;
    /// Returns text for display: "6 × 8 × 16".
    std::string text() const;
    bool operator==(const Shape &) const = default;

  private:
    std::vector<Index> m_sizes;
};

} // namespace headlight::core
