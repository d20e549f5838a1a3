// The picture of a moment: the sentences, the answer as bars, vectors, a score, or examples, and
// the buttons of the moment.
#pragma once

#include "core/training/tasks/task.h"
#include "ui/accessibility/item_list.h"
#include "ui/window/start/show/moments.h"
#include "ui/window/start/show/show_meeting.h"
#include "ui/window/start/show/show_words.h"

#include <QVariantAnimation>

#include <array>
#include <memory>

class QPushButton;

namespace headlight::ui {

class AnswerBars;

class ShowStage : public ItemListWidget {
    Q_OBJECT
  public:
    explicit ShowStage(QWidget *parent = nullptr);

    /// Shows this moment. `moves`: animates typing and growing. `show` must stay alive while this
    /// stage uses it.
    void showMoment(const ShowMoments &show, MomentKind kind, bool moves);
    /// `unit`: scale of all lengths; 1 for a window of 1280 × 720 px.
    void setStyle(bool dark, double unit);
    void setVotes(const std::array<int, 2> &votes);
    /// Sets whether the answer is shown without all heads of the layer.
    void silenceAllHeads(bool on);
    bool silencesAllHeads() const { return m_silencesAll; }
    /// Chooses the word `by` words after the chosen one. Only in MomentKind::Lines.
    void pointBy(core::Index by);
    /// Returns the word that the user chose. Only in MomentKind::Lines.
    std::optional<core::Index> pointedWord() const { return m_pointed; }
    bool isMoving() const { return m_motion.state() == QAbstractAnimation::Running; }
    const AnswerBars &bars() const { return *m_bars; }
    /// Returns the row and the column of the score, and where they are shown.
    ShowMeeting meeting() const;
    QRectF meetingArea() const;
    /// Returns the sentences as currently placed, from top to bottom.
    const std::vector<ShowWords> &sentencesShown() const { return m_sentences; }

    int itemCount() const override;
    QString itemName(int index) const override;
    QRect itemRect(int index) const override;
    int currentItem() const override { return m_pointed ? static_cast<int>(*m_pointed) : -1; }
    void pressItem(int index) override;

  signals:
    /// A vote for the first or second noun.
    void voted(int noun);
    void allHeadsSilenced(bool on);
    void watchRequested();
    void wordPointed();

  protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;

  private:
    QPushButton *makeButton(const char *name);
    void point(core::Index word);
    void place();
    void placeButtons();
    void placeVotes(double top);
    /// Places a sentence in the area and returns the y below it.
    double addSentence(ShowWordsContent content, const QRectF &area, double most, int lines = 1);
    ShowWordsContent wordsOf(const ReadSentence &read) const;
    ShowWordsContent typedWords() const;
    void placeSilence(const QRectF &area);
    void placeRows();
    void placeRows(double most);
    void placeBars(double top, double bottom);
    void fillBars();
    void makeExamples();
    void paintExamples(QPainter &painter) const;
    void paintVectors(QPainter &painter) const;
    ShowVector queryOfIt() const;
    ShowVector keyOfTarget() const;
    void paintColumns(QPainter &painter) const;
    void paintRowNames(QPainter &painter) const;
    FigureStyle styleAt(double scale) const;
    QFont typeOf(double pixels, bool bold = false) const;
    double px(double length) const { return length * m_unit; }

    const ShowMoments *m_show = nullptr;
    MomentKind m_kind = MomentKind::Question;
    bool m_dark = false;
    double m_unit = 1;
    double m_progress = 1; ///< progress of the animation, 0 … 1
    std::array<int, 2> m_hands{};
    bool m_silencesAll = false;
    std::optional<core::Index> m_pointed;
    QVariantAnimation m_motion;
    std::vector<ShowWords> m_sentences;
    std::vector<std::pair<QRectF, QString>> m_rowNames;
    double m_below = 0; ///< y below the sentences
    struct ExampleLine {
        QString text, answer;
    };
    std::vector<ExampleLine> m_examples;
    StripArcs *m_arcs;
    AnswerBars *m_bars;
    std::array<QPushButton *, 2> m_votes;
    QPushButton *m_all, *m_watch;
};

} // namespace headlight::ui
