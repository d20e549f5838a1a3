// Determines which keys a query sees.
#include "core/reference/pass.h"

#include <algorithm>
#include <cstdlib>

namespace headlight::core::reference {

namespace {

/// A query i and a key j of one sequence. The sequence's first `length` keys are real tokens.
struct Pair {
    Index i, j, length;
};

bool sees(const CausalMask &, const Pair &at) {
    return at.j <= at.i;
}
bool sees(const PaddingMask &, const Pair &at) {
    return at.j < at.length;
}
bool sees(const WindowMask &window, const Pair &at) {
    return window.bothWays ? std::abs(at.i - at.j) <= window.width
                           : at.j <= at.i && at.j > at.i - window.width;
}
bool sees(const PrefixMask &prefix, const Pair &at) {
    return at.j <= at.i || at.j < prefix.length;
}
bool sees(const BlockMask &blocks, const Pair &at) {
    return at.i / blocks.size == at.j / blocks.size;
}
bool sees(const DiagonalMask &, const Pair &at) {
    return at.i != at.j;
}

/// Applies a mask that hides pairs by a rule.
template <typename Rule>
void lay(const Rule &rule, Index, Index length, Visible &visible) {
    for (Index j = 0; j < visible.cols(); ++j)
        for (Index i = 0; i < visible.rows(); ++i)
            visible(i, j) = visible(i, j) && sees(rule, {i, j, length});
}

/// Applies the cells that the user has hidden or shown.
void lay(const CellMask &mask, Index sequence, Index, Visible &visible) {
    for (const MaskCell &cell : mask.cells)
        if (cell.sequence.value_or(sequence) == sequence && cell.query >= 0 && cell.key >= 0 &&
            cell.query < visible.rows() && cell.key < visible.cols())
            visible(cell.query, cell.key) = cell.visible;
}

} // namespace

Visible visibleKeys(const Pass &pass, const Config &config, AttentionId at, Index sequence) {
    const Batch &keys = pass.input.keys(at);
    const Index length = keys[sequence].length;
    Visible visible = Visible::Constant(pass.input.queries(at).length(), keys.length(), true);
    // The model's own window (Beltagy et al. 2020) or chunk is the lowest layer.
    const bool isOwn = at.block == Block::SelfAttention && at.stack != Stack::Encoder;
    if (const Index window = isOwn ? config.windowOf(at.layer) : 0; window > 0) {
        if (config.chunkedWindows)
            lay(BlockMask{window}, sequence, length, visible);
        else
            lay(WindowMask{window - 1, true}, sequence, length, visible);
    }
    for (const MaskLayer &layer : pass.input.masksOf(at))
        std::visit([&](const auto &mask) { lay(mask, sequence, length, visible); }, layer);
    return visible;
}

} // namespace headlight::core::reference
