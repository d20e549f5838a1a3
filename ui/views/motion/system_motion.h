// Whether the system asks for reduced motion. Qt 6.4 cannot be asked: the style says it on desktops
// that give it to their styles (KDE), the settings portal where GNOME's "enable-animations" is off.
#pragma once

#include <QObject>

class QDBusVariant;

namespace headlight::ui {

class SystemMotion : public QObject {
    Q_OBJECT
  public:
    /// One for the program; the portal answers a moment after it was first asked for.
    static SystemMotion &instance();

    bool isReduced() const;
    /// What the portal said, or would say.
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
