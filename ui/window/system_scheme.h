// Whether the system is dark. Qt 6.4 cannot be asked for its scheme, and its palette is hidden
// behind the program's own: so it is read before that is set, and again when the system says that
// it changed.
#pragma once

#include <QObject>
#include <QPalette>

namespace headlight::ui {

class SystemScheme : public QObject {
    Q_OBJECT
  public:
    /// One for the program; made before the program's palette is set for the first time.
    static SystemScheme &instance();

    bool isDark() const { return m_dark; }
    /// The program's own palette: a change to it is not the system's.
    void setProgramPalette(const QPalette &palette);

  signals:
    /// Perhaps: the program's own look is to be set again in any case.
    void changed();

  protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

  private:
    explicit SystemScheme(QObject *parent);
    void read();
    void take(const QPalette &systems);

    QPalette m_own;
    bool m_hasOwn = false;
    bool m_reading = false; // what changes meanwhile is our own doing
    bool m_dark = false;
};

} // namespace headlight::ui
