// Short animation of a computation step over the picture of a view. Any user input ends it
// immediately. The view below is not repainted until the animation ends.
#pragma once

#include "ui/figures/close_up/close_up_motion.h"

#include <QElapsedTimer>
#include <QPixmap>
#include <QVariantAnimation>
#include <QWidget>

namespace headlight::ui {

class StepMotion : public QWidget {
    Q_OBJECT
  public:
    /// Becomes a child of the view only while playing, because screen readers count children.
    explicit StepMotion(QWidget &view);

    /// True if the saved setting is on and the system does not request reduced motion.
    static bool isWanted();
    static bool isChosen();
    static void choose(bool on);
    /// Returns the duration in ms; 0: too short to be seen. `since`: time since the previous step;
    /// empty: no previous step. The animation ends before the next step if steps play or repeat
    /// while a key is held.
    static int durationAfter(std::optional<qint64> since);

    /// Starts an animation and ends the previous one. `shrink`: view pixels for one figure pixel.
    void play(CloseUpMotion motion, double shrink);
    /// Ends the animation and uncovers the view.
    void finish();
    bool isPlaying() const { return parentWidget() != nullptr; }
    /// Returns the animation, for callers that stop it at a certain time.
    QVariantAnimation &animation() { return m_animation; }

  protected:
    void paintEvent(QPaintEvent *event) override;
    bool eventFilter(QObject *object, QEvent *event) override;

  private:
    QWidget &m_view;
    CloseUpMotion m_motion;
    double m_shrink = 1;
    QPixmap m_still; // picture of the view below
    QRect m_moving;  // the part of the view in which something moves
    QVariantAnimation m_animation;
    QElapsedTimer m_last; // time since the previous step
};

} // namespace headlight::ui
