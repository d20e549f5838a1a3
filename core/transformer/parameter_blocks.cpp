#include "core/transformer/parameter_blocks.h"

#include <cstring>

namespace headlight::core {

namespace {

bool sameNumbers(std::span<const float> a, std::span<const float> b) {
    return std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

template <typename IsSame>
std::vector<bool> sameBlocks(const Parameter &before, const Parameter &now, Index heads,
                             IsSame isSame) {
    const bool comparable =
        before && now && before->rows() == now->rows() && before->columns() == now->columns();
    std::vector<bool> same(static_cast<std::size_t>(heads), before == now);
    if (before != now && comparable)
        for (Index h = 0; h < heads; ++h)
            same[static_cast<std::size_t>(h)] = isSame(h);
    return same;
}

} // namespace

std::vector<bool> sameColumns(const Parameter &before, const Parameter &now, Index heads) {
    return sameBlocks(before, now, heads, [&](Index h) {
        const Index size = now->columns() / heads;
        const MatrixView a = before->view().columnBlock(h * size, size);
        const MatrixView b = now->view().columnBlock(h * size, size);
        for (Index row = 0; row < a.rows; ++row)
            if (!sameNumbers(a.row(row), b.row(row)))
                return false;
        return true;
    });
}

std::vector<bool> sameRows(const Parameter &before, const Parameter &now, Index heads) {
    return sameBlocks(before, now, heads, [&](Index h) {
        const auto count = static_cast<std::size_t>(now->rows() / heads * now->columns());
        const auto first = static_cast<std::size_t>(h) * count;
        return sameNumbers(std::span(before->values()).subspan(first, count),
                           std::span(now->values()).subspan(first, count));
    });
}

} // namespace headlight::core
