// The stepper's clock: while it runs, one step is due after the other.
#pragma once

#include "ui/figures/base/granularity.h"

#include <QObject>
#include <QTimer>

class QComboBox;

namespace headlight::ui {

enum class PlaySpeed { Slow, Normal, Fast };

/// How long a step stays, ms.
int stepTime(PlaySpeed speed, Granularity granularity);

class StepPlayer : public QObject {
    Q_OBJECT
  public:
    /// At the speed that was chosen last.
    explicit StepPlayer(QObject *parent = nullptr);

    void start();
    void stop() { m_timer.stop(); }
    PlaySpeed speed() const { return m_speed; }
    /// Remembered.
    void setSpeed(PlaySpeed speed);
    void setGranularity(Granularity granularity);
    /// The box that chooses the speed; whoever lays it out owns it.
    QComboBox *speedBox() const { return m_box; }

  signals:
    void stepDue();

  private:
    void followTime();

    QTimer m_timer{this}; // runs only while playing
    QComboBox *m_box;
    PlaySpeed m_speed = PlaySpeed::Normal;
    Granularity m_granularity = Granularity::Stage;
};

} // namespace headlight::ui
