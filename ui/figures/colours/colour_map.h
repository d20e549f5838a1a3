// Colour maps: a number from 0 to 1 becomes a colour. Sequential ones for weights, diverging ones
// for signed values.
#pragma once

#include <QRgb>
#include <QString>

#include <optional>
#include <span>

namespace headlight::ui {

enum class ColourMap { Viridis, Magma, Cividis, Greys, BlueWhiteRed, PurpleWhiteGreen };

std::span<const ColourMap> allColourMaps();

/// A diverging map has its neutral colour at 0.5, which stands for the value 0.
bool isDiverging(ColourMap map);

/// The colour at t; below 0 and above 1 the ends, and for NaN a grey that no map contains. Always
/// opaque.
QRgb colourOf(ColourMap map, double t);

/// The same on a dark ground: what is light is toned down, in the same order of luminance, so that
/// no cell glares; dark colours are the map's own.
QRgb tonedDown(ColourMap map, double t);

/// The same of what changed: on a dark ground what is as it was is nearly the ground itself, and
/// the larger a change is, the brighter it stands out. Of a diverging map; of others as
/// tonedDown().
QRgb changeOnDark(ColourMap map, double t);

/// The name on the command line and in files: "viridis", "rdbu".
QString nameOf(ColourMap map);
std::optional<ColourMap> findColourMap(const QString &name);
/// The name for people, translated: "blue–white–red".
QString titleOf(ColourMap map);

/// Relative luminance as in WCAG 2, 0 … 1.
double luminanceOf(QRgb colour);

/// Whether text on this colour should be black; else white: the greater contrast of the two, at
/// least 4.5 : 1.
bool wantsDarkText(QRgb background);

} // namespace headlight::ui
