#include "ui/strip/pairs_layout.h"

#include "ui/figures/text/text.h"
#include "ui/text/token_names.h"

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr double kPairsPadding = 6;      // px at each side of a token's text
constexpr double kPairsColumnGap = 4;    // px
constexpr double kPairsRowGap = 6;       // px
constexpr double kMinPairsChip = 22;     // px
constexpr double kWidestPairsChip = 180; // px; longer tokens are elided

} // namespace

QRectF PairsLayout::chip(Token token) const {
    const Column &column = columns[token.column];
    return {column.left, token.isOfA ? chipHeight + rowGap : 0, column.width, chipHeight};
}

std::optional<PairsLayout::Token> PairsLayout::tokenAt(QPointF point) const {
    const auto after = std::ranges::upper_bound(columns, point.x(), {}, &Column::left);
    if (after == columns.begin())
        return std::nullopt;
    const auto column = static_cast<std::size_t>(after - columns.begin()) - 1;
    for (const bool isOfA : {false, true})
        if (chip({column, isOfA}).contains(point))
            return Token{column, isOfA};
    return std::nullopt;
}

std::optional<std::size_t> PairsLayout::columnOf(core::Index now) const {
    const auto found = std::ranges::find(columns, std::optional(now), &Column::now);
    return found == columns.end()
               ? std::nullopt
               : std::optional(static_cast<std::size_t>(found - columns.begin()));
}

std::optional<core::Index> PairsLayout::nearest(std::size_t column, bool isOfA,
                                                int direction) const {
    for (auto i = static_cast<std::ptrdiff_t>(column); i >= 0 && i < std::ssize(columns);
         i += direction) {
        const Column &each = columns[static_cast<std::size_t>(i)];
        if (const auto token = isOfA ? each.a : each.now)
            return token;
    }
    return std::nullopt;
}

PairsLayout pairsLayoutOf(const core::AlignedText &text, const FigureStyle &style) {
    PairsLayout layout;
    const QFont font = style.font(FigureStyle::Text::Body);
    layout.chipHeight = std::ceil(lineHeight(font) + style.scaled(6));
    layout.rowGap = std::round(style.scaled(kPairsRowGap));
    const auto widthOf = [&](const std::vector<std::string> &tokens,
                             std::optional<core::Index> token) {
        return token ? textWidth(tokenText(tokens[static_cast<std::size_t>(*token)]), font) : 0.0;
    };
    const auto add = [&](std::optional<core::Index> now, std::optional<core::Index> a) {
        const double words = std::max(widthOf(text.now, now), widthOf(text.a, a));
        const double width =
            std::clamp(std::ceil(words + 2 * style.scaled(kPairsPadding)),
                       style.scaled(kMinPairsChip), style.scaled(kWidestPairsChip));
        layout.columns.push_back({now, a, layout.width, width});
        layout.width += width + style.scaled(kPairsColumnGap);
    };
    core::AlignedPair next;
    const auto addUntil = [&](core::Index now, core::Index a) {
        while (next.now < now)
            add(next.now++, std::nullopt);
        while (next.a < a)
            add(std::nullopt, next.a++);
    };
    for (const core::AlignedPair &pair : text.pairs) {
        addUntil(pair.now, pair.a);
        add(next.now++, next.a++);
    }
    addUntil(std::ssize(text.now), std::ssize(text.a));
    layout.width = std::max(0.0, layout.width - style.scaled(kPairsColumnGap));
    return layout;
}

} // namespace headlight::ui
