// Painting in a command: fonts need a GUI application, but no display.
#pragma once

#include "app/standard_streams.h"

#include <QGuiApplication>

namespace headlight::app {

/// Returns the result of `paint`, without the libraries' messages on standard error.
template <typename Paint>
auto paintOffscreen(Paint paint) {
    const ScopedStderrSilencer quiet;
    qputenv("QT_QPA_PLATFORM", "offscreen");
    char name[] = "headlight";
    char *words[] = {name, nullptr};
    int count = 1;
    const QGuiApplication application(count, words);
    return paint();
}

} // namespace headlight::app
