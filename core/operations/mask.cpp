#include "core/operations/mask.h"

#include <algorithm>
#include <cassert>
#include <type_traits>

namespace headlight::core {

namespace {

using Says = MaskWord::Says;

struct MaskRow {
    Index query = 0;
    Index keys = 0;
    Index sourceLength = 0;
};

/// The keys that a rule shows to a query: first … end − 1. The range may extend beyond the existing
/// keys.
struct KeyRange {
    Index first = 0;
    Index end = 0;
};

KeyRange keysLeft(const CausalMask &, const MaskRow &row) {
    return {0, row.query + 1};
}
KeyRange keysLeft(const PaddingMask &, const MaskRow &row) {
    return {0, row.sourceLength};
}
KeyRange keysLeft(const WindowMask &window, const MaskRow &row) {
    if (!window.bothWays)
        return {row.query - window.width + 1, row.query + 1};
    const Index after = std::min(window.width, row.keys); // prevents overflow for huge widths
    return {row.query - window.width, row.query + after + 1};
}
KeyRange keysLeft(const PrefixMask &prefix, const MaskRow &row) {
    return {0, std::max(prefix.length, row.query + 1)};
}
KeyRange keysLeft(const BlockMask &blocks, const MaskRow &row) {
    const Index first = row.query / blocks.size * blocks.size;
    return {first, first + blocks.size};
}

template <typename Rule>
MaskWord wordAt(const Rule &rule, const MaskRow &row, Index key) {
    const KeyRange left = keysLeft(rule, row);
    if (key < left.first)
        return {Says::Hide, left.first};
    if (key < left.end)
        return {Says::Nothing, left.end};
    return {Says::Hide, row.keys};
}
MaskWord wordAt(const DiagonalMask &, const MaskRow &row, Index key) {
    if (key == row.query)
        return {Says::Hide, key + 1};
    return {Says::Nothing, key < row.query ? row.query : row.keys};
}
MaskWord wordAt(const CellOverrides &cells, const MaskRow &row, Index key) {
    return cells.at(row.query, key, row.keys);
}

} // namespace

Mask::Mask(const MaskLayers &layers, Index sequence, Index queries, Index keys, Index sourceLength)
    : m_queries(queries), m_keys(keys), m_sourceLength(sourceLength) {
    m_layers.reserve(layers.size());
    for (const MaskLayer &layer : layers)
        m_layers.push_back(std::visit(
            [&](const auto &each) -> Layer {
                if constexpr (std::is_same_v<std::decay_t<decltype(each)>, CellMask>)
                    return CellOverrides(each, sequence, queries, keys);
                else
                    return each;
            },
            layer));
    // Computed here once, because figures need it for every row. Most masks already hide a key in
    // the first row.
    for (Index query = 0; query < m_queries && !m_hidesAnything; ++query)
        m_hidesAnything = visibleKeys(query) < m_keys;
}

Mask::Mask(const std::vector<bool> &hidden, Index queries, Index keys)
    : m_queries(queries),
      m_keys(keys),
      m_sourceLength(keys),
      m_hidesAnything(std::find(hidden.begin(), hidden.end(), true) != hidden.end()) {
    assert(std::ssize(hidden) == queries * keys);
    m_layers.emplace_back(CellOverrides(hidden, keys));
}

MaskRun Mask::runFrom(Index query, Index key) const {
    assert(query >= 0 && query < m_queries && key >= 0 && key < m_keys);
    const MaskRow row{query, m_keys, m_sourceLength};
    MaskRun run{key, m_keys, 0};
    for (std::size_t index = 0; index < m_layers.size(); ++index) {
        const MaskWord word =
            std::visit([&](const auto &layer) { return wordAt(layer, row, key); }, m_layers[index]);
        run.end = std::min(run.end, word.end);
        if (word.says == Says::ShowByHand)
            run.mark = 0;
        else if (word.says == Says::HideByHand || (word.says == Says::Hide && !run.hidden()))
            run.mark = index + 1;
    }
    return run;
}

std::optional<std::size_t> Mask::hiddenBy(Index query, Index key) const {
    const MaskRun run = runFrom(query, key);
    return run.hidden() ? std::optional(run.mark - 1) : std::nullopt;
}

Index Mask::visibleKeys(Index query) const {
    Index visible = 0;
    forEachRun(query, [&](const MaskRun &run) { visible += run.hidden() ? 0 : run.length(); });
    return visible;
}

Index Mask::visibleEnd(Index query) const {
    Index end = 0;
    forEachRun(query, [&](const MaskRun &run) { end = run.hidden() ? end : run.end; });
    return end;
}

bool hideTheSame(const Mask &a, const Mask &b) {
    if (a.m_queries != b.m_queries || a.m_keys != b.m_keys)
        return false;
    if (a.m_layers == b.m_layers && a.m_sourceLength == b.m_sourceLength)
        return true;
    for (Index query = 0; query < a.m_queries; ++query)
        if (!hideTheSame(a, b, query, a.m_keys))
            return false;
    return true;
}

bool hideTheSame(const Mask &a, const Mask &b, Index query, Index keys) {
    for (Index key = 0; key < keys;) {
        const MaskRun ofA = a.runFrom(query, key), ofB = b.runFrom(query, key);
        if (ofA.hidden() != ofB.hidden())
            return false;
        key = std::min(ofA.end, ofB.end);
    }
    return true;
}

void applyMask(MatrixView numbers, const Mask &mask, float value, MutableMatrixView masked,
               const std::stop_token &stop, Index first) {
    assert(first + numbers.rows <= mask.queries() && numbers.columns <= mask.keys());
    const bool inPlace = numbers.data == masked.data;
    for (Index row = 0; row < numbers.rows && !stop.stop_requested(); ++row) {
        const auto from = numbers.row(row).begin();
        const auto to = masked.row(row).begin();
        mask.forEachRun(first + row, 0, numbers.columns, [&](const MaskRun &run) {
            if (run.hidden())
                std::fill(to + run.first, to + run.end, value);
            else if (!inPlace)
                std::copy(from + run.first, from + run.end, to + run.first);
        });
    }
}

void maskBackward(MatrixView outGradient, const Mask &mask, MutableMatrixView gradient,
                  Index first) {
    applyMask(outGradient, mask, 0, gradient, {}, first);
}

void uniformWeights(const Mask &mask, MutableMatrixView weights, Index first) {
    assert(first + weights.rows <= mask.queries() && weights.columns <= mask.keys());
    for (Index row = 0; row < weights.rows; ++row) {
        // Infinite for a query without visible keys, for which it is not used.
        const float share = 1.0f / static_cast<float>(mask.visibleKeys(first + row));
        const auto to = weights.row(row).begin();
        mask.forEachRun(first + row, 0, weights.columns, [&](const MaskRun &run) {
            std::fill(to + run.first, to + run.end, run.hidden() ? 0 : share);
        });
    }
}

} // namespace headlight::core
