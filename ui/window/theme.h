// Light, dark, or as the system is; and how large the text is. Palette and style sheet for the
// whole program.
#pragma once

#include "ui/figures/base/style.h"

#include <QString>

namespace headlight::ui {

enum class Theme { System, Light, Dark };

/// "system", "light", "dark", as settings and the command line write it.
QString nameOf(Theme theme);
Theme themeOf(const QString &name);

/// Gives the program the theme's palette, font and style sheet, and returns the figures' style for
/// it. As the system is: see SystemScheme.
FigureStyle applyTheme(Theme theme, double textScale);

} // namespace headlight::ui
