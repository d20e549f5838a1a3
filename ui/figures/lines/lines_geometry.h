// Layout of the tokens of both sides and of the lines between them, without painting.
#pragma once

#include "ui/figures/base/style.h"
#include "ui/figures/lines/lines_content.h"

#include <QLineF>
#include <QRectF>

namespace headlight::ui {

struct LinesGeometry {
    QRectF area;
    QRectF title, subtitle;
    QRectF legend; ///< legend of the heads' colours; empty unless several heads have lines
    bool isAcross = false;
    QRectF queryTitle, keyTitle;
    std::vector<QRectF> queries, keys; ///< one per token
    QRectF lines;                      ///< area between the tokens
    /// Width in px of the weights beside a token, on the side away from the lines.
    double numberWidth = 0;
    double step = 0;           ///< px from one token to the next in columns
    core::Index labelStep = 1; ///< every n-th token has space for its text
    double headStep = 0;       ///< px between the lines of two heads
    double firstHead = 0;      ///< px from a token's middle to the first head's line

    const std::vector<QRectF> &tokens(LineToken::Side side) const {
        return side == LineToken::Side::Query ? queries : keys;
    }
    QRectF token(LineToken token) const {
        return tokens(token.side)[static_cast<std::size_t>(token.index)];
    }
    /// Returns the rectangle of the weights beside a token.
    QRectF numbers(LineToken token) const;
    /// Returns the line of a head. `rank` is the index of the head among those with lines. The
    /// lines of several heads between the same tokens are parallel.
    QLineF line(core::Index query, core::Index key, std::size_t rank = 0) const;
    /// Returns the token whose text or weights are at the point.
    std::optional<LineToken> tokenAt(QPointF point) const;
    /// Returns the tokens first … end − 1 of a side that are at least partly in the rectangle.
    std::pair<core::Index, core::Index> tokensIn(LineToken::Side side, const QRectF &sight) const;
};

/// Widths of the tokens, measured once per content, because a text may have thousands of them.
struct LinesMeasures {
    double queryWidth = 0, keyWidth = 0;        ///< px, width of the widest token
    std::vector<double> queryWidths, keyWidths; ///< px, of each token; empty for columns
    static LinesMeasures of(const LinesContent &content, const FigureStyle &style);
};

/// Return the fonts of the tokens and of the weights beside them.
QFont lineTokenFont(const FigureStyle &style, bool bold = false);
QFont lineNumberFont(const FigureStyle &style);

/// Maximum number of heads whose weights are shown beside a token.
inline constexpr core::Index kMaxNumbers = 4;

LinesGeometry linesGeometryOf(const LinesContent &content, const LinesMeasures &measures,
                              const FigureStyle &style, const QRectF &area);

/// Returns the smallest size at which every token shows its text. `sight` is the size of the view.
QSizeF linesReadableSize(const LinesContent &content, const LinesMeasures &measures,
                         const FigureStyle &style, const QSizeF &sight);

} // namespace headlight::ui
