// The twelve moments of the show for a class, as values: each with its sentence and the numbers
// behind it. A claim that does not hold for these runs has another sentence.
#pragma once

#include "ui/window/start/show/read_sentence.h"
#include "ui/window/start/show/show_runs.h"

#include <QCoreApplication>

namespace headlight::ui {

enum class MomentKind {
    Question, ///< the sentence alone
    Vote,     ///< two buttons with the nouns
    Answer,   ///< the model's answer
    Change,   ///< another last word is typed
    Both,     ///< both sentences
    Lines,    ///< what "it" looks at in both
    Layers,   ///< what "it" looks at in layer 0 and in the layer above
    Roles,    ///< query, key and value
    Score,    ///< the close-up of one score
    Softmax,  ///< from scores to weights
    Silence,  ///< the answer without the head
    Learned,  ///< leads to the training of the model
};

/// A number that a moment states, and its place in one of the runs.
struct MomentNumber {
    core::TracePointer run;
    core::Selection place; ///< for a probability, `key` is the word of the sentence
    QString what;          ///< "weight of it on animal"
    double value = 0;
};

struct Moment {
    MomentKind kind = MomentKind::Question;
    int seconds = 0;   ///< since the start of the show
    QString sentence;  ///< large; marked words stand between asterisks: "Who is *it*?"
    QString note;      ///< below the picture, with the same marks
    bool holds = true; ///< the planned claim holds; otherwise the sentence is the other one
    std::vector<MomentNumber> numbers;
};

/// The show as a value. Both sentences have an "it" and two nouns.
class ShowMoments {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::ShowMoments)

  public:
    explicit ShowMoments(ShowRuns runs, ShowRefusal refusal = ShowRefusal::None);

    const std::vector<Moment> &all() const & { return m_moments; }
    const std::vector<Moment> &all() const && = delete; // would dangle
    const ShowRuns &runs() const { return m_runs; }
    const ReadSentence &first() const { return m_first; }
    const ReadSentence &second() const { return m_second; }
    const ReadSentence &withoutHead() const { return m_withoutHead; }
    const ReadSentence &withoutHeads() const { return m_withoutHeads; }
    /// The word that the second half of the show looks for: the answer to the second sentence or,
    /// if it is no noun of it, the word with the largest weight.
    core::Index target() const { return m_target; }
    /// The head of layer 0 in which "it" looks most at the last word of the second sentence.
    core::Index readingHead() const { return m_readingHead; }
    /// True if the answer stays without the head, so that silencing all heads is offered.
    bool offersAllHeads() const;
    /// Returns the sentence after all heads of the layer were silenced.
    QString sentenceWithoutHeads() const;
    QString noteWithoutHeads() const;
    /// Returns what the votes say, for the moment of the answer; empty without votes.
    QString voteNote(const std::array<int, 2> &votes) const;
    /// Returns what a word gets from "it" in both sentences.
    QString weightNote(core::Index word) const;

    /// Returns the text without marks, for screen readers and files.
    static QString plain(const QString &marked);

  private:
    Moment question(ShowRefusal refusal) const;
    Moment vote() const;
    Moment answer() const;
    Moment change() const;
    Moment both() const;
    Moment lines() const;
    Moment layers() const;
    /// Returns a moment with the shown score; it holds if that is the highest, the one of `best`.
    Moment ofBestScore(core::Index best) const;
    Moment roles() const;
    Moment score() const;
    Moment softmax() const;
    Moment silence() const;
    Moment learned() const;
    MomentNumber number(const ReadSentence &of, core::Stage stage, core::Index layer,
                        core::Index head, core::Index key, const QString &what) const;
    MomentNumber probability(const ReadSentence &of, core::Index noun) const;

    ShowRuns m_runs;
    ReadSentence m_first, m_second, m_withoutHead, m_withoutHeads;
    core::Index m_target = 0, m_readingHead = 0;
    std::vector<Moment> m_moments;
};

} // namespace headlight::ui
