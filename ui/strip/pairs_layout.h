// Places of the tokens of two compared texts: a column for each pair and for each token without a
// partner, in the order of the texts. Pure geometry.
#pragma once

#include "core/analysis/text_comparison.h"
#include "ui/figures/base/style.h"

#include <QRectF>

#include <optional>
#include <vector>

namespace headlight::ui {

struct PairsLayout {
    struct Column {
        std::optional<core::Index> now, a; ///< at least one is set
        double left = 0, width = 0;

        bool isPair() const { return now && a; }
    };
    /// A token of one of the texts.
    struct Token {
        std::size_t column = 0;
        bool isOfA = false;
        bool operator==(const Token &) const = default;
    };
    std::vector<Column> columns;
    double width = 0;      ///< of all columns
    double chipHeight = 0; ///< of a token; the current text is above A
    double rowGap = 0;     ///< between the two rows
    double height() const { return 2 * chipHeight + rowGap; }

    QRectF chip(Token token) const;
    /// Returns the token at the point, in content coordinates; also the empty place of a token
    /// without a partner.
    std::optional<Token> tokenAt(QPointF point) const;
    /// Returns the column of a token of the current text.
    std::optional<std::size_t> columnOf(core::Index now) const;
    /// Returns the token of the column nearest to the end: the column's own, or if it has none in
    /// that text, the next one in the direction.
    std::optional<core::Index> nearest(std::size_t column, bool isOfA, int direction) const;
};

PairsLayout pairsLayoutOf(const core::AlignedText &text, const FigureStyle &style);

} // namespace headlight::ui
