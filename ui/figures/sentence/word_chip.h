// Paints one word of a text as a chip. Joins the parts of a word that a tokenizer has split.
#pragma once

#include "ui/figures/base/style.h"
#include "ui/figures/sentence/strip_words.h"

#include <QPainter>

namespace headlight::ui {

struct WordChip {
    QRectF rect;
    bool joinsLeft = false, joinsRight = false; ///< touches the next chip on this side
    bool joinsNext = false;                     ///< the next word of the text continues this one
    bool isHidden = false;                      ///< hidden by a mask: has a thin diagonal
    QColor fill, text;
    QFont font;
    double padding = 0; ///< px on either side of the word
    double radius = 6;
    double textWidth = -1; ///< width of the word in `font`, px; negative if it is not measured yet
};

void paintWordChip(QPainter &painter, const StripWord &word, const WordChip &chip,
                   const FigureStyle &style);

} // namespace headlight::ui
