// Colour maps from numbers in [0, 1] to colours. Sequential maps are for attention weights,
// diverging maps for signed values.
#pragma once

#include <QRgb>
#include <QString>

#include <optional>
#include <span>

namespace headlight::ui {

enum class ColourMap { Viridis, Magma, Cividis, Greys, BlueWhiteRed, PurpleWhiteGreen };

std::span<const ColourMap> allColourMaps();

/// True if the map has its neutral colour at 0.5, which represents the value 0.
bool isDiverging(ColourMap map);

/// Returns the opaque colour at t, clamped to [0, 1]. For NaN, returns a grey that is in no map.
QRgb colourOf(ColourMap map, double t);

/// Like colourOf(), but for a dark background. Light colours are darkened, so that no cell is too
/// bright. Dark colours and the order of luminance do not change. In a diverging map, zero is
/// almost the background colour, and values further from zero are brighter.
QRgb tonedDown(ColourMap map, double t);

/// Returns the name used in files and on the command line: "viridis", "rdbu".
QString nameOf(ColourMap map);
std::optional<ColourMap> findColourMap(const QString &name);
/// Returns the translated name: "blue–white–red".
QString titleOf(ColourMap map);

/// Returns the relative luminance of WCAG 2, 0 … 1.
double luminanceOf(QRgb colour);

/// True if text on this colour should be black, false if white. The chosen colour has the higher
/// contrast, at least 4.5 : 1.
bool wantsDarkText(QRgb background);

} // namespace headlight::ui
