// The filmstrip's clock. While running, emits a signal for each step.
#pragma once

#include "ui/figures/base/granularity.h"

#include <QObject>
#include <QTimer>

class QComboBox;

namespace headlight::ui {

enum class PlaySpeed { Slow, Normal, Fast };

/// Returns the duration of a step, ms.
int stepTime(PlaySpeed speed, Granularity granularity);

class StepPlayer : public QObject {
    Q_OBJECT
  public:
    /// Starts with the saved speed.
    explicit StepPlayer(QObject *parent = nullptr);

    void start();
    void stop() { m_timer.stop(); }
    PlaySpeed speed() const { return m_speed; }
    /// Sets and saves the speed.
    void setSpeed(PlaySpeed speed);
    void setGranularity(Granularity granularity);
    /// The combo box for the speed. It is owned by the widget that contains it.
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
