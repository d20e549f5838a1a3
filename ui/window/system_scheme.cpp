#include "ui/window/system_scheme.h"

#include <QApplication>
#include <QEvent>
#include <QPointer>

#include <utility>

namespace headlight::ui {

namespace {

/// True if the palettes match. Compares two roles only, because a palette may have more roles than
/// the program's own.
bool looksLike(const QPalette &palette, const QPalette &own) {
    return palette.color(QPalette::Window) == own.color(QPalette::Window) &&
           palette.color(QPalette::WindowText) == own.color(QPalette::WindowText);
}

} // namespace

SystemScheme &SystemScheme::instance() {
    static QPointer<SystemScheme> scheme; // tests create several applications
    if (!scheme)
        scheme = new SystemScheme(qApp);
    return *scheme;
}

SystemScheme::SystemScheme(QObject *parent) : QObject(parent) {
    take(QGuiApplication::palette());
    qApp->installEventFilter(this);
}

void SystemScheme::setProgramPalette(const QPalette &palette) {
    const bool wasReading = std::exchange(m_reading, true);
    m_own = palette;
    m_hasOwn = true;
    QApplication::setPalette(palette);
    m_reading = wasReading;
}

void SystemScheme::take(const QPalette &systems) {
    m_dark = systems.color(QPalette::Window).lightness() < 128;
}

/// Removes the program's palette briefly, which reveals the system's.
void SystemScheme::read() {
    m_reading = true;
    QApplication::setPalette(QPalette());
    const QPalette systems = QGuiApplication::palette();
    if (m_hasOwn)
        QApplication::setPalette(m_own);
    m_reading = false;
    take(systems);
}

bool SystemScheme::eventFilter(QObject *watched, QEvent *event) {
    if (m_reading)
        return false;
    if (event->type() == QEvent::ApplicationPaletteChange && watched == qApp) {
        // Either the program got another palette, or the system's palette below it changed.
        const QPalette now = QGuiApplication::palette();
        if (m_hasOwn && looksLike(now, m_own))
            read();
        else
            take(now);
        emit changed();
    } else if (event->type() == QEvent::ThemeChange && watched->isWindowType()) {
        read();
        emit changed();
    }
    return false;
}

} // namespace headlight::ui
