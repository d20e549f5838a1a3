#include "ui/views/motion/step_motion.h"

#include "ui/views/motion/system_motion.h"

#include <QApplication>
#include <QPainter>
#include <QSettings>

#include <algorithm>

namespace headlight::ui {

namespace {

constexpr char kMotionKey[] = "views/motion";
constexpr int kUsualDuration = 480; // ms
constexpr int kMinDuration = 120;   // ms; shorter animations are hard to follow
constexpr double kShareOfStep = 0.7;

} // namespace

StepMotion::StepMotion(QWidget &view) : m_view(view) {
    setObjectName("stepMotion");
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_OpaquePaintEvent); // do not repaint the view below
    setFocusPolicy(Qt::NoFocus);
    m_animation.setStartValue(0.0);
    m_animation.setEndValue(1.0);
    connect(&m_animation, &QVariantAnimation::valueChanged, this, [this] { update(m_moving); });
    connect(&m_animation, &QVariantAnimation::finished, this, &StepMotion::finish);
}

bool StepMotion::isChosen() {
    return QSettings().value(kMotionKey, true).toBool();
}

void StepMotion::choose(bool on) {
    QSettings().setValue(kMotionKey, on);
}

bool StepMotion::isWanted() {
    return isChosen() && !SystemMotion::instance().isReduced();
}

int StepMotion::durationAfter(std::optional<qint64> since) {
    if (!since)
        return kUsualDuration;
    const double available = kShareOfStep * static_cast<double>(*since);
    const int duration = static_cast<int>(std::min<double>(kUsualDuration, available));
    return duration < kMinDuration ? 0 : duration;
}

void StepMotion::play(CloseUpMotion motion, double shrink) {
    finish();
    const int duration =
        durationAfter(m_last.isValid() ? std::optional(m_last.elapsed()) : std::nullopt);
    m_last.start();
    if (motion.isEmpty() || duration == 0)
        return;
    m_motion = std::move(motion);
    m_shrink = shrink;
    const QRectF area = m_motion.area();
    m_moving = QRectF(area.topLeft() * shrink, area.size() * shrink)
                   .toAlignedRect()
                   .intersected(m_view.rect());
    if (m_moving.isEmpty())
        return;
    m_still = m_view.grab(); // the view is not painted again before the end
    setParent(&m_view);
    setGeometry(m_view.rect());
    m_animation.setDuration(duration);
    m_animation.start();
    show();
    raise();
    qApp->installEventFilter(this);
}

void StepMotion::finish() {
    if (!isPlaying())
        return;
    qApp->removeEventFilter(this);
    setParent(nullptr);
    m_animation.stop();
    m_still = {};
    m_motion = {};
}

void StepMotion::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.drawPixmap(0, 0, m_still);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(m_shrink, m_shrink);
    m_motion.paint(painter, m_animation.currentValue().toDouble());
}

bool StepMotion::eventFilter(QObject *object, QEvent *event) {
    const QEvent::Type type = event->type();
    const bool isInput = type == QEvent::ShortcutOverride || type == QEvent::KeyPress ||
                         type == QEvent::MouseButtonPress || type == QEvent::Wheel ||
                         type == QEvent::TouchBegin;
    const bool isElsewhere = object == &m_view && (type == QEvent::Resize || type == QEvent::Hide);
    if (isInput || isElsewhere)
        finish();
    return false;
}

} // namespace headlight::ui
