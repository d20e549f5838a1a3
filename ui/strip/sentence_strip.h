// The strip above every view of a sentence: its words, tinted by the selected row's weights, and
// the answer. Follows the document.
#pragma once

#include "ui/document/document.h"
#include "ui/figures/base/style.h"
#include "ui/figures/sentence/strip_layout.h"
#include "ui/figures/text/text.h"
#include "ui/strip/strip_content.h"

#include <QWidget>

#include <functional>
#include <string>
#include <utility>

class QAction;
class QToolButton;

namespace headlight::ui {

class AnswerBars;
class OutputRuns;
class PairsStrip;
struct AnswerContent;
class StripArcs;
class WordsStrip;

class SentenceStrip : public QWidget {
    Q_OBJECT
  public:
    explicit SentenceStrip(Document &document, QWidget *parent = nullptr);
    ~SentenceStrip() override;

    /// Sets the style. Large text is reduced if the strip would otherwise not fit.
    void setStyle(const FigureStyle &style);
    /// Shows the weights that a lesson comes to later only if `other` shows them.
    void take(const SentenceStrip &other) {
        m_isAtStep = other.m_isAtStep;
        read(true);
    }
    /// Leaves all keys to the window, for windows where keys step through the lesson.
    void leaveFocusAlone();
    /// Returns the style in use, with the text scale of the last layout.
    const FigureStyle &figureStyle() const { return m_style; }
    /// Places the answer, with this many bars, below the words instead of to their right.
    void setAnswerBelow(int bars, int widest) {
        m_barsBelow = bars;
        m_widestBelow = widest;
    }
    /// Calls `complete` with each predicted answer before it is shown.
    void
    setAnswerCompleted(std::function<void(const core::TracePointer &, AnswerContent &)> complete) {
        m_completeAnswer = std::move(complete);
    }
    /// Shows the answer at the first token with this text, whatever row is selected. If there is no
    /// such token, shows the answer at the selected row, as usual.
    void setAnswerAt(std::string token) { m_answerAt = std::move(token); }
    /// Sets the height of the arcs, px before scaling. 0 means the usual height.
    void setArcRoom(double pixels) { m_arcRoom = pixels; }
    /// Lays the strip out for this width and the current height of its window. If it needs more
    /// than `most`, shows fewer lines, then one line, then smaller text, but not below the usual
    /// size. With smaller text, the maximum is `mostIfSmaller`. Returns the height, or 0 if the
    /// strip does not fit at all. While the user types A's text, the height may exceed `most`.
    int layOutFor(int width, int most = QWIDGETSIZE_MAX, int mostIfSmaller = QWIDGETSIZE_MAX);
    bool hasWords() const { return !m_content.sentences.empty(); }

    /// Returns the action that shows arcs from the selected word to the words it looks at. The
    /// setting is saved.
    QAction *arcsAction() const { return m_arcsAction; }
    const StripContent &content() const { return m_content; }
    /// Returns the widget with the words of a text. The widget of the source is hidden if there is
    /// only one text.
    WordsStrip &words(InputSide side = InputSide::Own) const {
        return side == InputSide::Own ? *m_words : *m_sourceWords;
    }
    AnswerBars &answer() const { return *m_answer; }
    /// Returns the strip below the words, with both texts of a comparison.
    PairsStrip &pairs() const { return *m_pairs; }
    /// Returns the rectangle of the caption, in widget pixels.
    QRectF captionRect() const { return m_caption; }
    /// True while a worker reads logits.
    bool isReading() const;
    StripRoom room() const { return m_room; }
    /// Shows that the words still belong to the previous text, because the typed text cannot be
    /// read.
    void setTextRefused(bool isRefused);
    /// Shows this notice in place of the weights and the answer. They belong to the previous text,
    /// and the user could mistake them for results of the typed one. If empty, shows them again.
    void showNoAnswer(const QString &notice);
    /// True if the words or their weights belong to an earlier text.
    bool isStale() const { return m_document.slowPass().isSlow() || m_isTextRefused; }

  signals:
    /// The strip needs another height, or has its first words.
    void heightChanged();
    /// Describes the item under the mouse. Empty if there is none.
    void hovered(const QString &words);
    void failed(const headlight::core::Error &error);
    void succeeded();
    void statusMessage(const QString &message);

  protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;

  private:
    void documentChanged(const ChangeEvent &event);
    void read(bool scrollsToSelection);
    /// True if the lesson shows attention weights only in later steps, and the user has not yet
    /// gone to another stage or clicked a word.
    bool isAheadOfLesson() const;
    void readAnswer();
    /// Returns the selection in the trace, moved to the row whose answer is shown.
    core::Selection answerSelection() const;
    void showStale();
    int layOut(int width, int lines, bool hasPairs);
    int layOutLine(int width, int most, bool hasPairs);
    void showStyle();
    /// Uses the style with this text scale.
    void useTextScale(double scale);
    void place();
    void placeArcs();
    /// True if the arcs are switched on, or a predicted word was chosen.
    bool showsArcs() const;
    /// Completes the words of the answer's bars, if the answer continues the end of the text.
    void completeWords(AnswerContent &answer);
    void choose(int bar);
    /// Shows the weights of the row that predicted the chosen word, until the text or the selection
    /// changes.
    void showOrigin();
    void connectWords(WordsStrip &words);
    void makeSequenceButtons();
    void showSequenceButtons();
    Spans captionSpans() const;
    double scaled(double pixels) const;

    Document &m_document;
    FigureStyle m_style;
    StripTexts m_texts;
    StripContent m_content;
    bool m_isAtStep = false; // true from a lesson step until the user clicks a word
    /// A word of the answer that was written into the text, and the row that predicted it.
    struct Origin {
        core::Index row = 0, word = 0;
        std::string text;          ///< text of the word's first token
        core::Selection selection; ///< selection after the word was written
    };
    std::optional<Origin> m_origin;
    OutputRuns *m_runs;
    WordsStrip *m_sourceWords;
    WordsStrip *m_words;
    AnswerBars *m_answer;
    PairsStrip *m_pairs;
    bool m_hasPairs = true;           // false: the pairs are never shown
    QToolButton *m_previous, *m_next; // select the previous and the next sequence of the batch
    StripArcs *m_arcs;
    QAction *m_arcsAction;
    bool m_isTextRefused = false;
    QString m_noAnswer; // why the weights and the answer are hidden; empty: they are shown
    StripRoom m_room = StripRoom::Lines;
    QRectF m_caption;
    QRectF m_titles[2]; // rectangles of the texts' titles; empty if there is only one text
    bool m_hadWords = false;
    std::function<void(const core::TracePointer &, AnswerContent &)> m_completeAnswer;
    std::string m_answerAt; // token whose answer is shown; empty: the selected one
    int m_barsBelow = 0;    // bars below the words; 0: the answer is on the right
    int m_widestBelow = 0;  // px, widest answer below the words
    double m_arcRoom = 0;
    int m_height = 0;                      // height of the last layout
    int m_most = QWIDGETSIZE_MAX;          // maximum height
    int m_mostIfSmaller = QWIDGETSIZE_MAX; // maximum height with reduced text
    double m_wishedScale = 1;              // requested text scale, used if it fits
};

} // namespace headlight::ui
