// A sentence of the show: words as large as the place allows, tinted by weights, with the arcs from
// the ringed word, or with a word that is struck out while another one is typed beside it.
#pragma once

#include "ui/figures/sentence/strip_layout.h"
#include "ui/strip/strip_arcs.h"

#include <QPainter>

namespace headlight::ui {

struct ShowWordsContent {
    StripWords words;
    std::optional<core::Index> ringed;   ///< "it"
    std::optional<core::Index> pointed;  ///< the word that the user chose
    std::optional<core::Index> outlined; ///< the word that differs between two sentences
    std::vector<float> weights;        ///< of the ringed word; empty: no tint, no numbers, no arcs
    std::optional<core::Index> struck; ///< struck out, as far as `struckShare`
    double struckShare = 1;
    std::optional<core::Index> typed; ///< only the first letters are written
    double typedShare = 1;
};

class ShowWords {
  public:
    /// Chooses the largest text up to `most` px at which the words fit into the area in `lines`
    /// lines. `dark`: the theme.
    ShowWords(ShowWordsContent content, bool dark, const QRectF &area, int lines, double most);

    /// Returns the place of all lines with the arcs above and the weights below.
    QRectF rect() const { return m_rect; }
    QRectF chip(core::Index word) const;
    std::optional<core::Index> wordAt(QPointF point) const;
    /// Returns the arcs from the ringed word, in the pixels of the area.
    std::vector<StripArc> arcs() const;
    /// Returns the style whose scale the words have.
    const FigureStyle &style() const { return m_style; }
    const ShowWordsContent &content() const { return m_content; }
    void paint(QPainter &painter) const;

  private:
    void paintWord(QPainter &painter, core::Index word) const;
    void outline(QPainter &painter, core::Index word, const QPen &pen, double grow) const;

    ShowWordsContent m_content;
    FigureStyle m_style;
    StripLayout m_layout;
    QRectF m_rect;
};

} // namespace headlight::ui
