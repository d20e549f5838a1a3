#include "ui/window/system_scheme.h"

#include <QApplication>
#include <QEvent>
#include <QPointer>

#include <utility>

namespace headlight::ui {

namespace {

/// Also of a palette that has roles besides those of the program's own.
bool looksLike(const QPalette &palette, const QPalette &own) {
    return palette.color(QPalette::Window) == own.color(QPalette::Window) &&
           palette.color(QPalette::WindowText) == own.color(QPalette::WindowText);
}

} // namespace

SystemScheme &SystemScheme::instance() {
    static QPointer<SystemScheme> scheme; // a test makes one application after another
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

/// The system's palette is what is there when the program has none of its own.
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
        // Either somebody gave the program another palette, or the system's changed beneath ours.
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
