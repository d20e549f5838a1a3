// Plays what moves in a step of the computation, over the picture of a view: short, and at its end
// at once when a person does anything. The view beneath is not painted meanwhile.
#pragma once

#include "ui/figures/flow/flow_motion.h"

#include <QElapsedTimer>
#include <QPixmap>
#include <QVariantAnimation>
#include <QWidget>

namespace headlight::ui {

class StepMotion : public QWidget {
    Q_OBJECT
  public:
    /// Its child only while it plays: a screen reader counts children.
    explicit StepMotion(QWidget &view);

    /// The setting, which is remembered; and the system does not ask for reduced motion.
    static bool isWanted();
    static bool isChosen();
    static void choose(bool on);
    /// ms, for a step that came so long after the one before (none: there was none): steps that are
    /// played or held down are never slowed. 0: too fast for anything to be seen.
    static int durationAfter(std::optional<qint64> since);

    /// `shrink`: the view's pixels for one of the figure's. Whatever was played is at its end.
    void play(FlowMotion motion, double shrink);
    /// The still picture.
    void finish();
    bool isPlaying() const { return parentWidget() != nullptr; }
    /// For who stops it somewhere.
    QVariantAnimation &animation() { return m_animation; }

  protected:
    void paintEvent(QPaintEvent *event) override;
    bool eventFilter(QObject *object, QEvent *event) override;

  private:
    QWidget &m_view;
    FlowMotion m_motion;
    double m_shrink = 1;
    QPixmap m_still; // of the view, beneath this
    QVariantAnimation m_animation;
    QElapsedTimer m_last; // since the last step
};

} // namespace headlight::ui
