#include "core/tensor/stacked_columns.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace headlight::core {

namespace {

class StackedStorage final : public NumberStorage {
  public:
    StackedStorage(StoragePointer tensor, NumberType type, const StackedColumns &of)
        : m_tensor(std::move(tensor)), m_bytes(bytesOf(type)), m_of(of) {}

    std::uint64_t size() const override {
        return m_tensor->size() / static_cast<std::uint64_t>(m_of.parts);
    }
    std::uint64_t memory() const override { return m_tensor->memory(); }
    NumberSourcePointer source() const override { return m_tensor->source(); }

    Outcome read(std::uint64_t offset, std::span<std::byte> to) const override {
        const auto columns = static_cast<std::uint64_t>(m_of.columns);
        const auto matrices = static_cast<std::uint64_t>(m_of.matrices);
        std::vector<std::byte> all; // the requested numbers, with numbers of other parts in between
        while (!to.empty()) {
            const std::uint64_t number = offset / m_bytes, within = offset % m_bytes;
            const std::uint64_t column = number % columns;
            const std::uint64_t count =
                std::min((within + to.size() + m_bytes - 1) / m_bytes, columns - column);
            all.resize(static_cast<std::size_t>(((count - 1) * step() + 1) * m_bytes));
            if (Outcome read = m_tensor->read(
                    place(number / columns / matrices, number / columns % matrices, column) *
                        m_bytes,
                    all);
                !read)
                return read;
            if (step() > 1)
                for (std::uint64_t i = 1; i < count; ++i)
                    std::memmove(all.data() + i * m_bytes, all.data() + i * step() * m_bytes,
                                 m_bytes);
            const std::uint64_t size = std::min<std::uint64_t>(count * m_bytes - within, to.size());
            std::memcpy(to.data(), all.data() + within, size);
            to = to.subspan(size);
            offset += size;
        }
        return Done{};
    }

  private:
    /// Returns the distance between adjacent columns of the part.
    std::uint64_t step() const {
        return m_of.areSideBySide ? 1 : static_cast<std::uint64_t>(m_of.parts);
    }
    /// Returns the index of a number in the tensor.
    std::uint64_t place(std::uint64_t row, std::uint64_t matrix, std::uint64_t column) const {
        const auto rows = static_cast<std::uint64_t>(m_of.rows);
        const auto columns = static_cast<std::uint64_t>(m_of.columns);
        const auto parts = static_cast<std::uint64_t>(m_of.parts);
        const auto part = static_cast<std::uint64_t>(m_of.part);
        const std::uint64_t line = matrix * rows + row;
        return m_of.areSideBySide ? (line * parts + part) * columns + column
                                  : (line * columns + column) * parts + part;
    }

    StoragePointer m_tensor;
    std::uint64_t m_bytes;
    StackedColumns m_of;
};

} // namespace

StoragePointer stackedColumns(StoragePointer tensor, NumberType type, const StackedColumns &of) {
    assert(of.matrices > 0 && of.rows > 0 && of.columns > 0 && of.part < of.parts);
    assert(tensor->size() ==
           static_cast<std::uint64_t>(of.matrices * of.rows * of.columns * of.parts) *
               bytesOf(type));
    return std::make_shared<const StackedStorage>(std::move(tensor), type, of);
}

} // namespace headlight::core
