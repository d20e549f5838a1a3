#include "ui/panels/step_player.h"

#include <QComboBox>
#include <QSettings>

#include <algorithm>

namespace headlight::ui {

namespace {

constexpr char kSpeedKey[] = "stepper/speed";

} // namespace

int stepTime(PlaySpeed speed, Granularity granularity) {
    const int normal = granularity == Granularity::Stage ? 1200
                       : granularity == Granularity::Row ? 800
                                                         : 400;
    switch (speed) {
    case PlaySpeed::Slow:
        return 2 * normal;
    case PlaySpeed::Normal:
        return normal;
    case PlaySpeed::Fast:
        return normal / 4;
    }
    return normal;
}

StepPlayer::StepPlayer(QObject *parent) : QObject(parent), m_box(new QComboBox) {
    m_speed = static_cast<PlaySpeed>(std::clamp(QSettings().value(kSpeedKey, 1).toInt(), 0, 2));
    m_box->addItems({tr("slow"), tr("normal"), tr("fast")});
    m_box->setCurrentIndex(static_cast<int>(m_speed));
    m_box->setObjectName("speed");
    m_box->setAccessibleName(tr("Playback speed"));
    m_box->setToolTip(m_box->accessibleName());
    connect(m_box, &QComboBox::activated, this,
            [this](int index) { setSpeed(static_cast<PlaySpeed>(index)); });
    connect(&m_timer, &QTimer::timeout, this, &StepPlayer::stepDue);
}

void StepPlayer::start() {
    m_timer.start(stepTime(m_speed, m_granularity));
}

void StepPlayer::setSpeed(PlaySpeed speed) {
    m_speed = speed;
    QSettings().setValue(kSpeedKey, static_cast<int>(speed));
    m_box->setCurrentIndex(static_cast<int>(speed));
    followTime();
}

void StepPlayer::setGranularity(Granularity granularity) {
    m_granularity = granularity;
    followTime();
}

void StepPlayer::followTime() {
    if (m_timer.isActive())
        start();
}

} // namespace headlight::ui
