// Content of the answer next to the words. This is the model's prediction. Without an output layer,
// it is the words whose vectors become more similar to the selected word's vector.
#pragma once

#include "core/generation/rest_of_word.h"
#include "ui/figures/output/output_content.h"

#include <QString>

#include <optional>
#include <vector>

namespace headlight::ui {

struct AnswerContent {
    enum class Kind {
        Nothing, ///< not computed yet; the notice explains why
        Words,   ///< predicted words; a click appends one to the text
        Classes,
        Cosines, ///< similarity to the other words, before and after attention
    };
    struct Bar {
        core::Index index = 0; ///< word of the vocabulary, class, or token
        QString name;
        /// The pieces that follow a predicted piece until its word ends, and their text.
        std::vector<core::Index> restIds;
        QString rest;
        double value = 0;
        std::optional<double> before; ///< value before the edit, of A, or before attention
        QString number;               ///< "43.1 %", or "0.31 → 0.83"
        QString description;          ///< for the tooltip and screen readers
        bool operator==(const Bar &) const = default;
    };

    Kind kind = Kind::Nothing;
    QString title{};   ///< "%1 becomes more like" or "next word after %1", where %1 is the subject
    QString subject{}; ///< a word of the text
    QString notice{};  ///< why there are no bars
    std::vector<Bar> bars{};
    std::size_t omitted = 0; ///< words that are compared but have no bar
    double highest = 1;      ///< value at the end of a full bar

    QString titleText() const;
    /// Returns "200 of 300 words" if some words have no bar, otherwise an empty text.
    QString omittedText() const;
    /// Completes the words of the first bars with `rests`, in the same order.
    void completeWords(const std::vector<core::RestOfWord> &rests);
    bool operator==(const AnswerContent &) const = default;
};

/// Maximum number of bars for predicted words, and for cosines with other words.
inline constexpr std::size_t kMaxPredictions = 8, kMaxCosines = 200;

/// `given`: the output rows that are available.
AnswerContent answerOf(const core::TracePointer &trace, const core::Selection &selection,
                       const FigureOptions &options, const GivenOutput &given);

/// Returns the cosines between the other words and the selected word, or the last word if none is
/// selected. `place` is a selection of attention weights; see stripContentOf().
AnswerContent becomesMoreLike(const core::Trace &trace, const core::Selection &place);

} // namespace headlight::ui
