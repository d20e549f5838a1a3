// Controls on the left of the "Being born" view: task, question before the replay, progress,
// playback, and buttons that silence one head at a time.
#pragma once

#include "core/training/run/run_moment.h"
#include "ui/figures/birth/birth_content.h"

#include <QWidget>

#include <optional>

class QAbstractButton;
class QBoxLayout;
class QButtonGroup;
class QFrame;
class QLabel;
class QProgressBar;
class QPushButton;
class QSlider;

namespace headlight::ui {

class BirthReplay;

class BirthPanel : public QWidget {
    Q_OBJECT
  public:
    explicit BirthPanel(BirthReplay &replay, QWidget *parent = nullptr);

    /// Shows the task; null if the session's task cannot be watched.
    void setTask(const core::WatchableTask *task);
    /// Shows the question about a head, with its pictures. Without pictures there is no question.
    void setQuestion(const QString &head, std::vector<HeatmapContent> pictures, std::size_t right,
                     const FigureStyle &style);
    /// Shows the snapshot's facts and one button per head. `silences` has the button texts, which
    /// are empty for heads that cannot be silenced yet.
    void setProgress(const QString &step, const QString &facts, const QStringList &silences);
    /// Shows how the answers change without the silenced head.
    void setSilenceResult(const QString &words);
    /// Returns the text set by setSilenceResult(); empty if there is none.
    QString silenceResult() const;
    /// Returns the index of the silenced head, if any.
    std::optional<std::size_t> silenced() const;
    /// Shows this head as silenced and all others as not silenced, without emitting
    /// silenceWanted().
    void setSilenced(std::optional<std::size_t> head);
    /// Returns the index of the chosen picture; unset until the question is answered.
    std::optional<std::size_t> answered() const { return m_answered; }
    /// True if there is a question that is not answered yet. The replay then waits for the answer,
    /// or until the user starts it without one.
    bool isAsking() const;
    /// Updates the controls from the replay.
    void showState();
    /// Answers the question with the picture of this index, if the question is still open. Returns
    /// false if it is not, or if there is no such picture.
    bool setAnswer(std::size_t picture);
    /// Like setAnswer(), but also starts the replay.
    void answer(std::size_t picture);
    /// Silences the head before the silenced one or, if none is silenced, the last head. Silences
    /// none if the first head is silenced.
    void silenceNext();
    void playOrPause();
    int wantedWidth() const;
    /// Hides the heading and the save button and reduces spacing, so that the silence buttons fit
    /// into a presentation.
    void makeCompact();

  signals:
    void questionAnswered();
    void taskWanted(const QString &task);
    void recordWanted();
    void silenceWanted();
    void anotherExampleWanted();
    void saveWanted();

  protected:
    void resizeEvent(QResizeEvent *event) override;

  private:
    void makeQuestion();
    void makeTimes();
    /// Creates the buttons that silence the first `count` heads.
    void makeSilences(std::size_t count);
    /// Places the silence buttons side by side if they fit, else below each other.
    void placeSilences();
    void showVerdict();
    /// Returns the snapshot's position on the slider, which is proportional to its time in the
    /// replay.
    int placeOf(std::size_t snapshot) const;
    /// Returns the snapshot at a position on the track.
    std::size_t snapshotAt(int place) const;

    BirthReplay &m_replay;
    QWidget *m_heading;
    QPushButton *m_tasks; ///< opens a menu, so that a stray key does not change the task
    QLabel *m_learned;
    QFrame *m_question;
    QLabel *m_questionText, *m_verdict;
    QList<QPushButton *> m_pictures;
    QButtonGroup *m_times;
    QPushButton *m_play, *m_again, *m_other, *m_save;
    QBoxLayout *m_silenceRow;        ///< the buttons that silence the heads
    QList<QPushButton *> m_silences; ///< one per head; at most one is checked
    QProgressBar *m_progress;
    QSlider *m_slider;
    QLabel *m_step, *m_facts, *m_silenceResult;
    std::optional<std::size_t> m_answered;
    std::size_t m_right = 0;
    QString m_head;
    bool m_hasTask = false;
    bool m_isCompact = false;
};

} // namespace headlight::ui
