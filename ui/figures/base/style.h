// What every figure is painted with: colours, fonts, colour maps. Light and dark are for the
// screen; paper is for what is printed.
#pragma once

#include "core/transformer/names/stage.h"
#include "ui/figures/colours/colour_map.h"

#include <QColor>
#include <QFont>

namespace headlight::ui {

struct FigureStyle {
    /// `textScale` enlarges all text and the space it needs: 1 at a desk, 1.5 or 2 for a projector.
    static FigureStyle light(double textScale = 1);
    static FigureStyle dark(double textScale = 1);
    /// Light, on white or on nothing, without what only a screen needs: cards, the selection, marks
    /// and hints of what can be clicked, and what the steps have not come to.
    static FigureStyle paper(double textScale = 1, bool isTransparent = false);

    QColor background; ///< behind everything
    QColor surface;    ///< cards: the current stage, the formula
    QColor border;     ///< of cards
    QColor text;
    QColor mutedText;  ///< shapes, labels; still 4.5 : 1 on background and surface
    QColor hidden;     ///< a cell that a mask hides
    QColor hiddenLine; ///< the thin diagonal through it
    QColor selection;
    QColor accent;
    QColor query, key, value, context; ///< the roles' own colours, on both background and surface

    ColourMap weightsMap = ColourMap::Viridis;
    ColourMap signedMap = ColourMap::BlueWhiteRed;

    double textScale = 1;
    bool isDark = false;
    bool isPaper = false;
    bool isTransparent = false; ///< of paper: what its colours are mixed with is white all the same

    /// The colour of a stage's symbol, its arrows and its place in formulas.
    QColor colourOf(core::Role role) const;
    ColourMap mapOf(core::Role role) const;

    enum class Text { Cell, Label, Body, Title };
    /// Whole-pixel sizes, so that the same figure comes out the same on every device.
    QFont font(Text text, bool bold = false) const;
    QFont monospace() const;
    /// The same with text at its usual size.
    FigureStyle withUsualText() const {
        FigureStyle usual = *this;
        usual.textScale = 1;
        return usual;
    }
    /// A length in logical pixels that grows with the text.
    double scaled(double pixels) const { return pixels * textScale; }
    bool operator==(const FigureStyle &) const = default;
};

/// `colour` mixed into `into`: share 1 is `colour` itself. Used instead of opacity, which vector
/// formats render unevenly.
QColor mixed(const QColor &colour, const QColor &into, double share);

/// WCAG 2 contrast, 1 … 21.
double contrastOf(const QColor &a, const QColor &b);

} // namespace headlight::ui
