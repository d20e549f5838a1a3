// Detects whether the system requests reduced motion. Qt 6.4 has no API for it. On KDE the style
// reports it; for GNOME, the settings portal reports "enable-animations".
#pragma once

#include <QObject>

class QDBusVariant;

namespace headlight::ui {

class SystemMotion : public QObject {
    Q_OBJECT
  public:
    /// Returns the program's single instance. The portal answers asynchronously after the first
    /// call.
    static SystemMotion &instance();

    bool isReduced() const;
    /// Sets the portal's answer. Also called by tests.
    void setAnimationsEnabled(bool enabled);

  signals:
    void changed();

  private slots:
    void settingChanged(const QString &space, const QString &key, const QDBusVariant &value);

  private:
    explicit SystemMotion(QObject *parent);
    void ask();

    bool m_animationsEnabled = true;
};

} // namespace headlight::ui
