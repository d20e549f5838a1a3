// Two sentences as numbers, in every way: a card for each, with the numbers, the cosines of the
// words across the sentences, and that of the sentences. What the figure paints.
#pragma once

#include "core/analysis/encoded_texts.h"
#include "ui/figures/base/figure_options.h"
#include "ui/figures/heatmap/heatmap_figure.h"

#include <QStringList>

#include <memory>
#include <optional>
#include <vector>

namespace headlight::ui {

/// One way of writing words as numbers.
struct WordsCard {
    core::TextEncoding way = core::TextEncoding::OneHot;
    QString title, explanation;
    HeatmapFigure numbers;
    std::optional<HeatmapFigure> cosines; ///< of the words of one sentence with those of the other
    QString textsCaption;                 ///< what is compared of the sentences
    QString texts;                        ///< "0.5000 = 1.00 / (1.41 · 1.41)"; empty: nothing is
};

struct WordsContent {
    QString nothing; ///< why there is nothing to be seen; the rest is empty then
    QString title;
    QStringList sentences; ///< "sentence 0: money bank"
    QString notice;        ///< what is not shown, or what there is too little of; may be empty
    std::shared_ptr<const core::EncodedTexts> numbers;
    std::vector<WordsCard> cards;

    /// The card's row, column and cosines of the selected token; none: it is not shown.
    void select(const core::Selection &selection);
    /// What a cell of the numbers says.
    QString words(const WordsCard &card, Cell cell) const;
    /// What a cell of cosines says, in each way: "“bank” and “bank”: 1 as one-hot, …".
    QString cosineWords(Cell cell) const;
    /// The selection at the token of a row of the numbers, or of a sentence.
    std::optional<std::pair<core::Index, core::Index>> tokenAt(const WordsCard &card,
                                                               core::Index row) const;
};

/// "one-hot".
QString titleOf(core::TextEncoding way);

bool isShown(core::TextEncoding way, core::ShownEncoding shown);

WordsContent wordsContentOf(const core::Trace &trace, const core::Selection &selection,
                            const FigureStyle &style, const FigureOptions &options);

} // namespace headlight::ui
