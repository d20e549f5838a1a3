#include "ui/figures/colours/colour_map.h"

#include "ui/figures/colours/published_colours.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace headlight::ui {

namespace {

constexpr std::array kAll{ColourMap::Viridis, ColourMap::Magma,        ColourMap::Cividis,
                          ColourMap::Greys,   ColourMap::BlueWhiteRed, ColourMap::PurpleWhiteGreen};

// Equally spaced colours, interpolated linearly. The diverging maps are Brewer's RdBu (reversed)
// and PRGn.
constexpr std::array<QRgb, 2> kGreys{0xf7f7f7, 0x101010};
constexpr std::array<QRgb, 11> kBlueWhiteRed{0x053061, 0x2166ac, 0x4393c3, 0x92c5de,
                                             0xd1e5f0, 0xf7f7f7, 0xfddbc7, 0xf4a582,
                                             0xd6604d, 0xb2182b, 0x67001f};
constexpr std::array<QRgb, 11> kPurpleWhiteGreen{0x40004b, 0x762a83, 0x9970ab, 0xc2a5cf,
                                                 0xe7d4e8, 0xf7f7f7, 0xd9f0d3, 0xa6dba0,
                                                 0x5aae61, 0x1b7837, 0x00441b};
constexpr QRgb kNotANumber = 0xff808080;

/// An odd number of steps, so that a diverging map contains its neutral colour.
using Table = std::array<QRgb, 255>;

Table tableOf(std::span<const QRgb> anchors) {
    Table table{};
    for (std::size_t i = 0; i < table.size(); ++i) {
        const double at =
            static_cast<double>(i * (anchors.size() - 1)) / static_cast<double>(table.size() - 1);
        const auto below = std::min(static_cast<std::size_t>(at), anchors.size() - 2);
        const double share = at - static_cast<double>(below);
        const auto mix = [&](int (*channel)(QRgb)) {
            return static_cast<int>(std::lround((1 - share) * channel(anchors[below]) +
                                                share * channel(anchors[below + 1])));
        };
        table[i] = qRgb(mix(qRed), mix(qGreen), mix(qBlue));
    }
    return table;
}

/// Returns all colours of a map from low to high.
std::span<const QRgb> coloursOf(ColourMap map) {
    static const Table greys = tableOf(kGreys);
    static const Table blueWhiteRed = tableOf(kBlueWhiteRed);
    static const Table purpleWhiteGreen = tableOf(kPurpleWhiteGreen);
    switch (map) {
    case ColourMap::Viridis:
        return kViridis;
    case ColourMap::Magma:
        return kMagma;
    case ColourMap::Cividis:
        return kCividis;
    case ColourMap::Greys:
        return greys;
    case ColourMap::BlueWhiteRed:
        return blueWhiteRed;
    case ColourMap::PurpleWhiteGreen:
        return purpleWhiteGreen;
    }
    return greys;
}

/// `value`: 0 to 255.
double linearChannel(int value) {
    static const std::array<double, 256> linear = [] { // cached, because every number uses it
        std::array<double, 256> made{};
        for (std::size_t i = 0; i < made.size(); ++i) {
            const double share = static_cast<double>(i) / 255;
            made[i] = share <= 0.04045 ? share / 12.92 : std::pow((share + 0.055) / 1.055, 2.4);
        }
        return made;
    }();
    return linear[static_cast<std::size_t>(value)];
}

} // namespace

std::span<const ColourMap> allColourMaps() {
    return kAll;
}

bool isDiverging(ColourMap map) {
    return map == ColourMap::BlueWhiteRed || map == ColourMap::PurpleWhiteGreen;
}

QRgb colourOf(ColourMap map, double t) {
    if (std::isnan(t))
        return kNotANumber;
    const std::span<const QRgb> colours = coloursOf(map);
    const double last = static_cast<double>(colours.size() - 1);
    const auto place = static_cast<std::size_t>(std::lround(std::clamp(t, 0.0, 1.0) * last));
    return 0xff000000 | colours[place];
}

namespace {

constexpr double kUntoned = 0.15; // colours up to this luminance are unchanged

/// Returns the share of the luminance above kUntoned that is kept. The share is small for Greys,
/// because its light colours represent small values.
constexpr double tone(ColourMap map) {
    return map == ColourMap::Greys ? 0.15 : 0.6;
}

int channelOf(double linear) {
    const double share =
        linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
    return static_cast<int>(std::lround(255 * std::clamp(share, 0.0, 1.0)));
}

QRgb toned(QRgb colour, double kept) {
    const double luminance = luminanceOf(colour);
    if (luminance <= kUntoned)
        return 0xff000000 | colour;
    const double factor = (kUntoned + kept * (luminance - kUntoned)) / luminance;
    return qRgb(channelOf(factor * linearChannel(qRed(colour))),
                channelOf(factor * linearChannel(qGreen(colour))),
                channelOf(factor * linearChannel(qBlue(colour))));
}

constexpr QRgb kZeroOnDark = 0x2a2e36; // slightly lighter than a card

/// The end colours of a diverging map on a dark background.
struct DarkEnds {
    QRgb less, more;
};
constexpr DarkEnds darkEnds(ColourMap map) {
    return map == ColourMap::PurpleWhiteGreen ? DarkEnds{0xb57ccb, 0x58b05c}
                                              : DarkEnds{0x4f9be8, 0xe8604a};
}

/// Returns the colour of a signed value on a dark background. Values further from zero are
/// brighter.
QRgb signedOnDark(ColourMap map, double t) {
    const double size = 2 * std::clamp(t, 0.0, 1.0) - 1;
    const QRgb end = size < 0 ? darkEnds(map).less : darkEnds(map).more;
    const auto mix = [&](int (*channel)(QRgb)) {
        return static_cast<int>(std::lround((1 - std::abs(size)) * channel(kZeroOnDark) +
                                            std::abs(size) * channel(end)));
    };
    return qRgb(mix(qRed), mix(qGreen), mix(qBlue));
}

} // namespace

QRgb tonedDown(ColourMap map, double t) {
    static const auto tables = [] {
        std::array<std::vector<QRgb>, kAll.size()> made;
        for (const ColourMap one : kAll)
            for (const QRgb colour : coloursOf(one))
                made[static_cast<std::size_t>(one)].push_back(toned(colour, tone(one)));
        return made;
    }();
    if (std::isnan(t))
        return kNotANumber;
    if (isDiverging(map))
        return signedOnDark(map, t);
    const std::vector<QRgb> &colours = tables[static_cast<std::size_t>(map)];
    const auto last = static_cast<double>(colours.size() - 1);
    return colours[static_cast<std::size_t>(std::lround(std::clamp(t, 0.0, 1.0) * last))];
}

QString nameOf(ColourMap map) {
    switch (map) {
    case ColourMap::Viridis:
        return QStringLiteral("viridis");
    case ColourMap::Magma:
        return QStringLiteral("magma");
    case ColourMap::Cividis:
        return QStringLiteral("cividis");
    case ColourMap::Greys:
        return QStringLiteral("greys");
    case ColourMap::BlueWhiteRed:
        return QStringLiteral("rdbu");
    case ColourMap::PurpleWhiteGreen:
        return QStringLiteral("prgn");
    }
    return {};
}

std::optional<ColourMap> findColourMap(const QString &name) {
    for (const ColourMap map : kAll)
        if (nameOf(map) == name)
            return map;
    return std::nullopt;
}

QString titleOf(ColourMap map) {
    switch (map) {
    case ColourMap::Greys:
        return QCoreApplication::translate("headlight::ui::ColourMap", "greys");
    case ColourMap::BlueWhiteRed:
        return QCoreApplication::translate("headlight::ui::ColourMap", "blue–white–red");
    case ColourMap::PurpleWhiteGreen:
        return QCoreApplication::translate("headlight::ui::ColourMap", "purple–white–green");
    case ColourMap::Viridis:
    case ColourMap::Magma:
    case ColourMap::Cividis:
        break; // these names are not translated
    }
    return nameOf(map);
}

double luminanceOf(QRgb colour) {
    return 0.2126 * linearChannel(qRed(colour)) + 0.7152 * linearChannel(qGreen(colour)) +
           0.0722 * linearChannel(qBlue(colour));
}

bool wantsDarkText(QRgb background) {
    // (L + 0.05) / 0.05 and 1.05 / (L + 0.05) are equal at L = √0.0525 − 0.05.
    return luminanceOf(background) > 0.1791;
}

} // namespace headlight::ui
