#include "core/operations/mask.h"

#include <algorithm>
#include <array>
#include <limits>

namespace headlight::core {

namespace {

bool hides(const CausalMask &, Index query, Index key, Index) {
    return key > query;
}
bool hides(const PaddingMask &, Index, Index key, Index sourceLength) {
    return key >= sourceLength;
}
bool hides(const WindowMask &window, Index query, Index key, Index) {
    if (window.bothWays)
        return std::abs(query - key) > window.width;
    return key > query || key <= query - window.width;
}
bool hides(const PrefixMask &prefix, Index query, Index key, Index) {
    return key > query && key >= prefix.length;
}
bool hides(const BlockMask &blocks, Index query, Index key, Index) {
    return query / blocks.size != key / blocks.size;
}
bool hides(const DiagonalMask &, Index query, Index key, Index) {
    return query == key;
}

} // namespace

Mask::Mask(const MaskLayers &layers, Index sequence, Index queries, Index keys, Index sourceLength)
    : m_queries(queries), m_keys(keys), m_hiddenBy(static_cast<std::size_t>(queries * keys), 0) {
    assert(layers.size() < std::numeric_limits<std::uint16_t>::max());
    for (std::size_t index = 0; index < layers.size(); ++index)
        apply(layers[index], static_cast<std::uint16_t>(index + 1), sequence, sourceLength);
    m_hidesAnything = std::any_of(m_hiddenBy.begin(), m_hiddenBy.end(),
                                  [](std::uint16_t mark) { return mark != 0; });
}

void Mask::apply(const MaskLayer &layer, std::uint16_t mark, Index sequence, Index sourceLength) {
    if (const auto *cells = std::get_if<CellMask>(&layer)) {
        for (const MaskCell &said : cells->cells) {
            const bool here = !said.sequence || *said.sequence == sequence;
            const bool inside =
                said.query >= 0 && said.query < m_queries && said.key >= 0 && said.key < m_keys;
            if (here && inside)
                m_hiddenBy[cell(said.query, said.key)] = said.visible ? 0 : mark;
        }
        return;
    }
    std::visit(
        [&](const auto &rule) {
            if constexpr (!std::is_same_v<std::decay_t<decltype(rule)>, CellMask>) {
                for (Index query = 0; query < m_queries; ++query)
                    for (Index key = 0; key < m_keys; ++key) {
                        std::uint16_t &by = m_hiddenBy[cell(query, key)];
                        if (by == 0 && hides(rule, query, key, sourceLength))
                            by = mark;
                    }
            }
        },
        layer);
}

std::optional<std::size_t> Mask::hiddenBy(Index query, Index key) const {
    const std::uint16_t mark = m_hiddenBy[cell(query, key)];
    if (mark == 0)
        return std::nullopt;
    return static_cast<std::size_t>(mark - 1);
}

bool Mask::seesNothing(Index query) const {
    for (Index key = 0; key < m_keys; ++key)
        if (!hidden(query, key))
            return false;
    return true;
}

std::string kindOf(const MaskLayer &layer) {
    static constexpr std::array<const char *, 7> kinds{"causal", "padding", "window",  "cells",
                                                       "prefix", "blocks",  "diagonal"};
    static_assert(std::variant_size_v<MaskLayer> == kinds.size());
    return kinds[layer.index()];
}

void applyMask(MatrixView numbers, const Mask &mask, float value, MutableMatrixView masked,
               const std::stop_token &stop, Index first) {
    assert(first + numbers.rows <= mask.queries() && numbers.columns == mask.keys());
    for (Index row = 0; row < numbers.rows && !stop.stop_requested(); ++row)
        for (Index key = 0; key < numbers.columns; ++key)
            masked(row, key) = mask.hidden(first + row, key) ? value : numbers(row, key);
}

void maskBackward(MatrixView outGradient, const Mask &mask, MutableMatrixView gradient) {
    applyMask(outGradient, mask, 0, gradient);
}

void uniformWeights(const Mask &mask, MutableMatrixView weights, Index first) {
    assert(first + weights.rows <= mask.queries() && weights.columns == mask.keys());
    for (Index row = 0; row < weights.rows; ++row) {
        Index visible = 0;
        for (Index key = 0; key < weights.columns; ++key)
            visible += mask.hidden(first + row, key) ? 0 : 1;
        for (Index key = 0; key < weights.columns; ++key)
            weights(row, key) =
                mask.hidden(first + row, key) ? 0 : 1.0f / static_cast<float>(visible);
    }
}

} // namespace headlight::core
