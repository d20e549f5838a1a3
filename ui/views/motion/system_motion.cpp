#include "ui/views/motion/system_motion.h"

#include <QApplication>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusVariant>
#include <QPointer>
#include <QStyle>

namespace headlight::ui {

namespace {

const QString kPortal = QStringLiteral("org.freedesktop.portal.Desktop");
const QString kPortalPath = QStringLiteral("/org/freedesktop/portal/desktop");
const QString kPortalSettings = QStringLiteral("org.freedesktop.portal.Settings");
const QString kInterfaceSpace = QStringLiteral("org.gnome.desktop.interface");
const QString kAnimationsKey = QStringLiteral("enable-animations");

/// Unwraps the nested variants of the portal's Read().
QVariant unwrapped(QVariant value) {
    while (value.canConvert<QDBusVariant>())
        value = value.value<QDBusVariant>().variant();
    return value;
}

} // namespace

SystemMotion &SystemMotion::instance() {
    static QPointer<SystemMotion> motion; // tests create several applications
    if (!motion)
        motion = new SystemMotion(qApp);
    return *motion;
}

SystemMotion::SystemMotion(QObject *parent) : QObject(parent) {
    ask();
}

void SystemMotion::ask() {
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected())
        return;
    bus.connect(kPortal, kPortalPath, kPortalSettings, QStringLiteral("SettingChanged"), this,
                SLOT(settingChanged(QString, QString, QDBusVariant)));
    QDBusMessage read = QDBusMessage::createMethodCall(kPortal, kPortalPath, kPortalSettings,
                                                       QStringLiteral("Read"));
    read << kInterfaceSpace << kAnimationsKey;
    auto *answer = new QDBusPendingCallWatcher(bus.asyncCall(read), this);
    connect(answer, &QDBusPendingCallWatcher::finished, this, [this, answer] {
        const QDBusPendingReply<QDBusVariant> reply = *answer;
        if (!reply.isError()) // on error there is no portal, or it does not know the setting
            setAnimationsEnabled(unwrapped(reply.value().variant()).toBool());
        answer->deleteLater();
    });
}

void SystemMotion::settingChanged(const QString &space, const QString &key,
                                  const QDBusVariant &value) {
    if (space == kInterfaceSpace && key == kAnimationsKey)
        setAnimationsEnabled(unwrapped(value.variant()).toBool());
}

void SystemMotion::setAnimationsEnabled(bool enabled) {
    if (std::exchange(m_animationsEnabled, enabled) != enabled)
        emit changed();
}

bool SystemMotion::isReduced() const {
    return !m_animationsEnabled ||
           QApplication::style()->styleHint(QStyle::SH_Widget_Animation_Duration) == 0;
}

} // namespace headlight::ui
