#include "core/tensor/reordered_rows.h"

#include <algorithm>
#include <cassert>

namespace headlight::core {

namespace {

class ReorderedRows final : public NumberStorage {
  public:
    ReorderedRows(StoragePointer rows, std::uint64_t bytesOfRow, std::vector<std::uint32_t> order)
        : m_rows(std::move(rows)), m_bytesOfRow(bytesOfRow), m_order(std::move(order)) {}

    std::uint64_t size() const override { return m_order.size() * m_bytesOfRow; }
    Outcome read(std::uint64_t offset, std::span<std::byte> to) const override {
        while (!to.empty()) {
            const std::uint64_t row = offset / m_bytesOfRow, within = offset % m_bytesOfRow;
            const std::uint64_t wanted = within + to.size(); // bytes from the start of the row
            std::uint64_t together = m_bytesOfRow;           // contiguous bytes of the original
            for (std::uint64_t next = 1; together < wanted && isAfter(row, next); ++next)
                together += m_bytesOfRow;
            const std::uint64_t count = std::min(together, wanted) - within;
            const std::uint64_t place = m_order[row] * m_bytesOfRow + within;
            if (Outcome outcome = m_rows->read(place, to.first(count)); !outcome)
                return outcome;
            to = to.subspan(count);
            offset += count;
        }
        return Done{};
    }
    const NumberEncoding *encoding() const override { return m_rows->encoding(); }
    const std::byte *encodedAt(std::uint64_t offset) const override {
        return m_rows->encodedAt(m_order[offset / m_bytesOfRow] * m_bytesOfRow +
                                 offset % m_bytesOfRow);
    }
    bool isInOrder() const override { return false; }
    Outcome checkEncoded() const override { return m_rows->checkEncoded(); }
    void releasePages() const override { m_rows->releasePages(); }
    std::uint64_t memory() const override {
        return m_rows->memory() + m_order.size() * sizeof(std::uint32_t);
    }
    NumberSourcePointer source() const override { return m_rows->source(); }

  private:
    /// True if row + next comes `next` rows after `row` in the original too.
    bool isAfter(std::uint64_t row, std::uint64_t next) const {
        return row + next < m_order.size() && m_order[row + next] == m_order[row] + next;
    }

    StoragePointer m_rows;
    std::uint64_t m_bytesOfRow;
    std::vector<std::uint32_t> m_order;
};

} // namespace

StoragePointer withRowsInOrder(StoragePointer rows, std::uint64_t bytesOfRow,
                               std::vector<std::uint32_t> order) {
    assert(bytesOfRow > 0);
    assert(std::ranges::all_of(
        order, [&](std::uint32_t row) { return (row + 1) * bytesOfRow <= rows->size(); }));
    return std::make_shared<const ReorderedRows>(std::move(rows), bytesOfRow, std::move(order));
}

} // namespace headlight::core
