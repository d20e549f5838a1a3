// Training controls at the bottom of the view: new run, start and pause, one batch, restart from
// the seed, and a slider through the checkpoints.
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

    /// New run, start or pause, one batch, restart, text file, earlier, later and best checkpoint.
    /// The window adds these actions to its menu.
    QList<QAction *> actions() const {
        return {m_new, m_start, m_one, m_again, m_text, m_earlier, m_later, m_best};
    }
    int heightFor(int width);
    /// Updates the bar from the model and its run.
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
    QString progressText() const;
    QString memoryText() const;

    TrainingController &m_controller;
    QAction *m_new = nullptr, *m_start = nullptr, *m_one = nullptr, *m_again = nullptr;
    QAction *m_text = nullptr, *m_earlier = nullptr, *m_later = nullptr, *m_best = nullptr;
    QList<QToolButton *> m_buttons;
    QLabel *m_progress = nullptr; ///< step, rate, time left
    QSlider *m_slider = nullptr;
    QLabel *m_memory = nullptr; ///< memory of the checkpoints
};

} // namespace headlight::ui
