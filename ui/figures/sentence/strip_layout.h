// Layout of the words of one text as chips over several lines or in one line, without painting.
#pragma once

#include "ui/figures/base/style.h"
#include "ui/figures/colours/colour_scale.h"
#include "ui/figures/sentence/strip_words.h"

#include <QRectF>

#include <optional>
#include <vector>

namespace headlight::ui {

/// The space that the words may take up.
enum class StripRoom {
    Lines, ///< several lines; more than kMaxStripLines of them scroll
    Line,  ///< one line, which scrolls to the selection; for short windows
};

inline constexpr int kMaxStripLines = 3;

inline constexpr double kStripWord = 20; ///< px, size of a word in the strip at the usual text size
inline constexpr double kPageWord = 15;  ///< px, size of a word in pages of text, before scaling

/// Returns the font of the words.
QFont stripWordFont(const FigureStyle &style, bool bold = false, double pixels = kStripWord);

/// Returns the colour of a word with this weight. Colour scales for weights are darkest at zero. So
/// weights below a tenth of the range fade into the colour of a word without weight.
QColor wordTint(double weight, const ColourScale &scale, const FigureStyle &style,
                core::Index row = 0);
QFont stripNumberFont(const FigureStyle &style, bool bold = false);

struct StripLayout {
    struct Chip {
        QRectF rect; ///< the word
        int line = 0;
        bool joinsLeft = false, joinsRight = false; ///< touches the next chip on this side
    };
    std::vector<Chip> chips; ///< one per word, in the order of the text
    int lines = 0;
    double lineStep = 0; ///< distance between the tops of two lines
    double headroom = 0; ///< space above each line's chips, for arcs
    double chipHeight = 0;
    double numberHeight = 0; ///< height of the weights directly below the chips
    double padding = 0;      ///< px on either side of a word within its chip
    QSizeF content;          ///< size of all lines
    double lineGap = 0;
    double gap = 0; ///< px between two words

    /// Returns the height if at most `visibleLines` lines are visible.
    double heightOf(int visibleLines) const;
    /// Returns the rectangle for the weight below a word. The weight of a part of a word may be
    /// wider.
    QRectF number(core::Index word) const;
    /// Returns the index after the last part that continues the word of `part` in the same line.
    core::Index endOfWord(core::Index part) const;
    /// Returns the word whose chip or weight is at the point, in content coordinates.
    std::optional<core::Index> wordAt(QPointF point) const;
    /// Returns the words of a line: first … end − 1.
    std::pair<core::Index, core::Index> wordsOf(int line) const;
    /// Returns the word `linesUp` lines above (negative: below) that is closest horizontally.
    core::Index wordAbove(core::Index word, int linesUp) const;
    /// Returns the scroll offset nearest to `from` at which the word is visible.
    QPointF seen(core::Index word, QPointF from, const QSizeF &sight) const;
    /// Returns the rectangle around the first words in one line, as many as fit into `width`. Skips
    /// words that do not fit.
    QRectF together(const std::vector<core::Index> &words, double width) const;
    /// Returns the position to scroll one line to, so that these words are visible, most important
    /// first. `arrow` is the width that is covered at each end.
    QPointF seenTogether(const std::vector<core::Index> &words, QPointF from, const QSizeF &sight,
                         double arrow) const;
};

struct StripSpace {
    double width = 0;
    StripRoom room = StripRoom::Lines;
    double headroom = 0;      ///< space above each line, px before scaling
    bool hasNumbers = true;   ///< weights are shown below the words
    bool isPage = false;      ///< page of text: no word is bold or widened for its number
    double word = kStripWord; ///< px before scaling; white space scales with it
    bool operator==(const StripSpace &) const = default;
};

StripLayout stripLayoutOf(const StripWords &words, const FigureStyle &style,
                          const StripSpace &space);

/// Returns the width of each word's text in px. It depends on the size of the words, but not on the
/// width of the lines.
std::vector<double> stripTextWidths(const StripWords &words, const FigureStyle &style,
                                    const StripSpace &space);
/// Returns the height of the layout.
double stripHeightOf(const StripWords &words, const FigureStyle &style, const StripSpace &space,
                     const std::vector<double> &textWidths);
/// Returns the same layout as the function above without measuring the texts.
StripLayout stripLayoutOf(const StripWords &words, const FigureStyle &style,
                          const StripSpace &space, const std::vector<double> &textWidths);

} // namespace headlight::ui
