// A sentence of the show: words as large as the area allows, tinted by weights. It has either arcs
// from the ringed word, or a word that is struck out while another one is typed next to it.
#pragma once

#include "ui/figures/sentence/strip_layout.h"
#include "ui/strip/strip_arcs.h"

#include <QPainter>

namespace headlight::ui {

struct ShowWordsContent {
    StripWords words;
    std::optional<core::Index> ringed;   ///< "it"
    std::optional<core::Index> pointed;  ///< word that the user chose
    std::optional<core::Index> outlined; ///< word that differs between the two sentences
    /// Weights in the row of the ringed word. Empty: no tint, no numbers, no arcs.
    std::vector<float> weights;
    std::optional<core::Index> struck; ///< word that is struck out up to `struckShare` of its width
    double struckShare = 1;
    std::optional<core::Index> typed; ///< word that is shown by its first letters only
    double typedShare = 1;
};

class ShowWords {
  public:
    /// Chooses the largest text of at most `most` px whose words fit into the area in `lines`
    /// lines. The arcs take the rest of the area's height, up to a limit. `dark`: the theme.
    ShowWords(ShowWordsContent content, bool dark, const QRectF &area, int lines, double most);

    /// Returns the rectangle of all lines, with the arcs above and the weights below.
    QRectF rect() const { return m_rect; }
    QRectF chip(core::Index word) const;
    std::optional<core::Index> wordAt(QPointF point) const;
    /// Returns the arcs from the ringed word, in the coordinates of the constructor's area.
    std::vector<StripArc> arcs() const;
    /// Returns the style with the text scale of the words.
    const FigureStyle &style() const { return m_style; }
    /// Returns the size of the words, px.
    double wordSize() const;
    const ShowWordsContent &content() const { return m_content; }
    void paint(QPainter &painter) const;

  private:
    StripLayout layoutIn(double width, double headroom) const;
    void paintWord(QPainter &painter, core::Index word) const;
    void outline(QPainter &painter, core::Index word, const QPen &pen, double grow) const;

    ShowWordsContent m_content;
    FigureStyle m_style;
    StripLayout m_layout;
    QRectF m_rect;
};

} // namespace headlight::ui
