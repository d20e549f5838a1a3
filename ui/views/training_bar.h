// Training, at the bottom of its view: a new run, start and pause, one batch, again from the seed,
// and a slider through the moments that were kept.
#pragma once

#include <QList>
#include <QWidget>

class QAction;
class QLabel;
class QSlider;
class QToolButton;

namespace headlight::core {
struct Error;
}

namespace headlight::ui {

class TrainingController;

class TrainingBar : public QWidget {
    Q_OBJECT
  public:
    TrainingBar(TrainingController &controller, QWidget &view);

    /// New run, start or pause, one batch, again, text file, earlier and later moment: the window
    /// puts them into its menu.
    QList<QAction *> actions() const {
        return {m_new, m_start, m_one, m_again, m_text, m_earlier, m_later, m_best};
    }
    int heightFor(int width);
    /// The model or its run may be others.
    void showState();

  signals:
    void newRunRequested();
    void textFileRequested();
    void failed(const headlight::core::Error &error);

  private:
    void makeActions();
    void makeCheckpoints();
    void start();
    void move(int by);
    QString progressWords() const;
    QString memoryWords() const;

    TrainingController &m_controller;
    QAction *m_new = nullptr, *m_start = nullptr, *m_one = nullptr, *m_again = nullptr;
    QAction *m_text = nullptr, *m_earlier = nullptr, *m_later = nullptr, *m_best = nullptr;
    QList<QToolButton *> m_buttons;
    QLabel *m_progress = nullptr; ///< step, rate, time left
    QSlider *m_slider = nullptr;
    QLabel *m_memory = nullptr; ///< of the moments
};

} // namespace headlight::ui
