// A sentence as the model has read it: its words, the position of "it", the two nouns, the answer.
#pragma once

#include "core/selection/selection.h"
#include "core/transformer/trace/trace.h"

#include <QStringList>

#include <array>
#include <optional>
#include <vector>

namespace headlight::ui {

struct ReadSentence {
    core::TracePointer trace;
    QStringList words;
    core::Index it = 0;
    /// The nouns: the words after the first two "the" of the sentence.
    std::array<core::Index, 2> nouns{};

    /// The word that the show asks about.
    static QString pronoun() { return QStringLiteral("it"); }
    core::Index last() const { return words.size() - 1; }
    QString word(core::Index index) const { return words[index]; }
    /// Returns the probability that the answer at "it" is this word of the sentence.
    double probabilityOf(core::Index word) const;
    /// Returns the vocabulary's most probable word at "it".
    QString answer() const;
    double probabilityOfAnswer() const;
    /// Returns the noun that is the answer; unset if the answer is another word.
    std::optional<core::Index> answeredNoun() const;
    /// Returns the selection of a cell in the row of "it".
    core::Selection place(core::Stage stage, core::Index layer, core::Index head,
                          std::optional<core::Index> key = {}) const;
    /// Returns the row of "it": attention weights or scores, one per word.
    std::vector<float> row(core::Stage stage, core::Index layer, core::Index head) const;
    /// Returns the row of any word in a stage whose rows are vectors.
    std::vector<float> vector(core::Stage stage, core::Index layer, core::Index head,
                              core::Index word) const;

    /// Returns nothing if the sentence lacks "it" or two nouns, or if the model has no answer for
    /// it.
    static std::optional<ReadSentence> of(const core::TracePointer &trace);
};

/// Returns the index of the largest number.
core::Index indexOfLargest(const std::vector<float> &numbers);

} // namespace headlight::ui
