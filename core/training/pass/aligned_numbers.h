// A float buffer aligned for vector instructions.
#pragma once

#include "core/tensor/matrix.h"

#include <algorithm>
#include <memory>
#include <new>

namespace headlight::core {

/// An aligned buffer, initially zero. Allocating it throws std::bad_alloc.
class AlignedNumbers {
  public:
    AlignedNumbers() = default;
    explicit AlignedNumbers(Index count)
        : m_numbers(static_cast<float *>(::operator new(
              static_cast<std::size_t>(std::max(count, Index(1))) * sizeof(float), kPlace))),
          m_count(count) {
        clear();
    }
    AlignedNumbers(const AlignedNumbers &other) : AlignedNumbers(other.m_count) { *this = other; }
    AlignedNumbers(AlignedNumbers &&) noexcept = default;
    /// Does not reallocate if the sizes are equal.
    AlignedNumbers &operator=(const AlignedNumbers &other) {
        if (m_count != other.m_count)
            return *this = AlignedNumbers(other);
        std::copy_n(other.data(), other.m_count, data());
        return *this;
    }
    AlignedNumbers &operator=(AlignedNumbers &&) noexcept = default;
    ~AlignedNumbers() = default;

    float *data() { return m_numbers.get(); }
    const float *data() const { return m_numbers.get(); }
    Index size() const { return m_count; }
    void clear() { std::fill_n(data(), m_count, 0.0f); }

  private:
    static constexpr std::align_val_t kPlace{64};
    struct Delete {
        void operator()(float *numbers) const { ::operator delete(numbers, kPlace); }
    };
    std::unique_ptr<float, Delete> m_numbers;
    Index m_count = 0;
};

} // namespace headlight::core
