// The style of a figure: colours, fonts and colour maps. Light and dark are for the screen, paper
// is for print.
#pragma once

#include "core/transformer/names/stage.h"
#include "ui/figures/colours/colour_map.h"

#include <QColor>
#include <QFont>

namespace headlight::ui {

struct FigureStyle {
    /// `textScale` scales all text and the space reserved for it. It is 1 for a desk, and 1.5 or 2
    /// for a projector.
    static FigureStyle light(double textScale = 1);
    static FigureStyle dark(double textScale = 1);
    /// A light style on a white or transparent background. Leaves out elements for the screen only:
    /// cards, the selection, click hints, and marks of stages not computed yet.
    static FigureStyle paper(double textScale = 1, bool isTransparent = false);
    /// The light or dark style for presenting to a class. Text and cells with numbers are legible
    /// from the last row, even with a small `textScale`.
    static FigureStyle presented(bool isDark, double textScale);

    QColor background; ///< background of the whole figure
    QColor surface;    ///< background of cards: the current stage, the formula
    QColor border;     ///< card border
    QColor text;
    QColor mutedText;  ///< shapes, labels; contrast at least 4.5 : 1 on background and surface
    QColor hidden;     ///< masked cell
    QColor hiddenLine; ///< thin diagonal through a masked cell
    QColor selection;
    QColor accent;
    QColor query, key, value, context; ///< role colours; same minimum contrast as mutedText

    ColourMap weightsMap = ColourMap::Viridis;
    ColourMap signedMap = ColourMap::BlueWhiteRed;

    double textScale = 1;
    int minText = 0;   ///< px, smallest text; 0: no limit
    double minRow = 0; ///< px, smallest height of a cell with a number; 0: as tall as the number
    bool isDark = false;
    bool isPaper = false;
    bool isTransparent = false; ///< paper only; colours are still mixed with white

    /// Returns the colour of a stage's symbol, its arrows and its part of formulas.
    QColor colourOf(core::Role role) const;
    ColourMap mapOf(core::Role role) const;

    enum class Text { Cell, Label, Body, Title };
    /// Returns a font with a whole-pixel size, so that the figure looks the same on every device.
    QFont font(Text text, bool bold = false) const;
    QFont monospace() const;
    /// Returns this style with text at its usual size.
    FigureStyle withUsualText() const {
        FigureStyle usual = *this;
        usual.textScale = 1;
        return usual;
    }
    /// Returns the size in whole px of text that has `pixels` px at a text scale of 1.
    int typeSize(double pixels) const;
    /// Returns the body font at `pixels` times the text scale.
    QFont bodyFont(double pixels, bool bold = false) const;
    /// True if the text has a minimum size. A matrix may then show only some of its rows.
    bool isPresented() const { return minText > 0; }
    /// Returns a length in logical pixels that scales with the text.
    double scaled(double pixels) const { return pixels * textScale; }
    bool operator==(const FigureStyle &) const = default;
};

/// Mixes `colour` into `into`; share 1 is `colour` itself. Replaces opacity, which vector formats
/// render inconsistently.
QColor mixed(const QColor &colour, const QColor &into, double share);

/// Returns the WCAG 2 contrast ratio, 1 … 21.
double contrastOf(const QColor &a, const QColor &b);

inline constexpr double kTextContrast = 4.5; ///< WCAG 2, 1.4.3
inline constexpr double kMarkContrast = 3;   ///< WCAG 2, 1.4.11: lines, outlines, bars

/// Mixes `share` of the colour into `ground`. If the contrast is too low, increases the share and
/// then makes the colour darker or lighter.
QColor faint(const QColor &colour, const QColor &ground, double share,
             double contrast = kMarkContrast);

} // namespace headlight::ui
