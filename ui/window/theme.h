// Light, dark, or as the system is; and how large the text is. Palette and style sheet for the
// whole program.
#pragma once

#include "ui/figures/style.h"

#include <QString>

namespace headlight::ui {

enum class Theme { System, Light, Dark };

/// "system", "light", "dark", as settings and the command line write it.
QString nameOf(Theme theme);
Theme themeOf(const QString &name);

/// Gives the program the theme's palette, font and style sheet, and returns the figures' style for
/// it. Qt 6.4 cannot be asked for the system's scheme: a dark window background of the palette that
/// the program started with means dark.
FigureStyle applyTheme(Theme theme, double textScale);

} // namespace headlight::ui
