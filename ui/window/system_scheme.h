// Detects whether the system uses a dark scheme. Qt 6.4 has no API for the scheme, and the
// program's palette hides the system's. The class reads the system's palette before the program
// sets its own, and again after the system reports a change.
#pragma once

#include <QObject>
#include <QPalette>

namespace headlight::ui {

class SystemScheme : public QObject {
    Q_OBJECT
  public:
    /// Returns the single instance. Create it before the program's palette is set for the first
    /// time.
    static SystemScheme &instance();

    bool isDark() const { return m_dark; }
    /// Sets the program's palette, without mistaking it for a change of the system's.
    void setProgramPalette(const QPalette &palette);

  signals:
    /// The scheme may have changed; the receiver applies the program's style again.
    void changed();

  protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

  private:
    explicit SystemScheme(QObject *parent);
    void read();
    void take(const QPalette &systems);

    QPalette m_own;
    bool m_hasOwn = false;
    bool m_reading = false; // true while this class changes the palette
    bool m_dark = false;
};

} // namespace headlight::ui
