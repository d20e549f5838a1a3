// Theme (light, dark, or the system's) and text size: palette and style sheet for the program.
#pragma once

#include "ui/figures/base/style.h"

#include <QString>

namespace headlight::ui {

enum class Theme { System, Light, Dark };

/// Returns "system", "light" or "dark", as used in settings and on the command line.
QString nameOf(Theme theme);
Theme themeOf(const QString &name);

/// Return the saved theme, and the saved text size as a multiple of the default size.
Theme savedTheme();
void saveTheme(Theme theme);
double savedTextScale();
void saveTextScale(double scale);
/// Returns the nearest text size that the program offers.
double inTextScales(double scale);

/// Sets the program's font. This is faster before the first widget exists.
void applyFont(double textScale);
/// Sets the program's palette, font and style sheet, and returns the matching style for figures.
/// Theme::System uses SystemScheme.
FigureStyle applyTheme(Theme theme, double textScale);

} // namespace headlight::ui
