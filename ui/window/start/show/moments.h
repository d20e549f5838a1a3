// The twelve moments of the show for a class. Each has a sentence and the numbers that support it.
// If a sentence is not true for these runs, an alternative is used.
#pragma once

#include "ui/window/start/read_sentence.h"
#include "ui/window/start/show/show_runs.h"

#include <QCoreApplication>

namespace headlight::ui {

enum class MomentKind {
    Question, ///< the sentence alone
    Vote,     ///< two buttons, one for each noun
    Answer,   ///< the model's answer
    Change,   ///< another last word is typed
    Both,     ///< both sentences together
    Lines,    ///< the words that "it" looks at in both sentences
    Layers,   ///< the words that "it" looks at in layer 0 and in layer 1
    Roles,    ///< query, key and value
    Score,    ///< the close-up of one score
    Softmax,  ///< from scores to weights
    Silence,  ///< the answer with one head silenced
    Learned,  ///< leads to the training of the model
};

/// A number that a moment states, and the cell in one of the runs that contains it.
struct MomentNumber {
    core::TracePointer run;
    core::Selection place; ///< for a probability, `key` is the word in the sentence
    QString what;          ///< "weight of it on animal"
    double value = 0;
};

struct Moment {
    MomentKind kind = MomentKind::Question;
    int seconds = 0;   ///< time since the start of the show
    QString sentence;  ///< large text; marked words are between asterisks: "Who is *it*?"
    QString note;      ///< text below the picture, with the same marks
    bool holds = true; ///< true if the planned claim holds; otherwise `sentence` is the alternative
    std::vector<MomentNumber> numbers;
};

/// All moments of a show. Each of its two sentences has an "it" and two nouns.
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
    /// Returns the word that the second half of the show is about. This is the answer to the second
    /// sentence or, if the answer is not one of its nouns, the word with the largest weight.
    core::Index target() const { return m_target; }
    /// Returns the head of layer 0 in which "it" looks most at the last word of the second
    /// sentence.
    core::Index readingHead() const { return m_readingHead; }
    /// Returns the sentence shown after all heads of the layer were silenced.
    QString sentenceWithoutHeads() const;
    QString noteWithoutHeads() const;
    /// Returns a note about the votes for the moment of the answer; empty without votes.
    QString voteNote(const std::array<int, 2> &votes) const;
    /// Returns a note about the weight of a word in the row of "it", in both sentences.
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
    /// Returns a moment with the score of target(). It holds if the target has the highest score,
    /// that is, if it is `best`.
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
