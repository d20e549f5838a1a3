// Content of the words figure: two sentences in every encoding. Each card has the encoding's
// numbers, the cosines between the words of the two sentences, and the cosine of the sentences.
#pragma once

#include "core/analysis/encoded_texts.h"
#include "ui/figures/base/figure_options.h"
#include "ui/figures/heatmap/heatmap_figure.h"

#include <QStringList>

#include <memory>
#include <optional>
#include <vector>

namespace headlight::ui {

/// One encoding of the words.
struct WordsCard {
    core::TextEncoding way = core::TextEncoding::OneHot;
    QString title, explanation;
    HeatmapFigure numbers;
    std::optional<HeatmapFigure> cosines; ///< cosines between the words of the two sentences
    QString textsCaption;                 ///< the kind of comparison between the sentences
    QString texts; ///< "0.5000 = 1.00 / (1.41 · 1.41)"; empty if the sentences are not compared
};

struct WordsContent {
    QString nothing; ///< why there is nothing to show; if set, all other fields are empty
    QString title;
    QStringList sentences; ///< "sentence 1: money bank"
    QString notice;        ///< mentions omitted tokens or a missing sentence; may be empty
    std::shared_ptr<const core::EncodedTexts> numbers;
    std::vector<WordsCard> cards;

    /// Selects the token's row, column and cosines in every card. Selects nothing if the token is
    /// not shown.
    void select(const core::Selection &selection);
    /// Describes a cell of the numbers.
    QString words(const WordsCard &card, Cell cell) const;
    /// Describes a cell of the cosines in every encoding: "Cosine of “bank” in sentence 1 and
    /// “bank” in sentence 2 · one-hot: 1, …".
    QString cosineText(Cell cell) const;
    /// Returns the sequence and token of a row of the numbers. Unset if the rows are sentences.
    std::optional<std::pair<core::Index, core::Index>> tokenAt(const WordsCard &card,
                                                               core::Index row) const;
};

/// Returns the encoding's name, such as "one-hot".
QString titleOf(core::TextEncoding way);

bool isShown(core::TextEncoding way, core::ShownEncoding shown);

WordsContent wordsContentOf(const core::Trace &trace, const core::Selection &selection,
                            const FigureStyle &style, const FigureOptions &options);

} // namespace headlight::ui
