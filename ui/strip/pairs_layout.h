// Positions of the tokens of two compared texts. Each pair and each token without a partner has a
// column, in text order. Computes geometry only.
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
    double width = 0;      ///< width of all columns
    double chipHeight = 0; ///< height of a token; the current text is above A
    double rowGap = 0;     ///< space between the two rows
    double height() const { return 2 * chipHeight + rowGap; }

    QRectF chip(Token token) const;
    /// Returns the token at the point, in content coordinates. The empty cell opposite a token
    /// without a partner is included.
    std::optional<Token> tokenAt(QPointF point) const;
    /// Returns the column of a token of the current text.
    std::optional<std::size_t> columnOf(core::Index now) const;
    /// Returns the text's token in this column or, if there is none, in the next column in this
    /// direction that has one.
    std::optional<core::Index> nearest(std::size_t column, bool isOfA, int direction) const;
};

PairsLayout pairsLayoutOf(const core::AlignedText &text, const FigureStyle &style);

} // namespace headlight::ui
