#include "ui/figures/base/style.h"

#include <QFontDatabase>
#include <QFontInfo>
#include <QGuiApplication>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr int kPresentedText = 16; // px, legible from the back of a room
constexpr double kPresentedRow = 22;

/// Checks a single font, because listing all fonts is much slower.
bool isInstalled(const QString &family) {
    return QFontInfo(QFont(family)).family() == family;
}

QString textFamily() {
    static const QString inter = QStringLiteral("Inter");
    static const QString family = isInstalled(inter) ? inter : QGuiApplication::font().family();
    return family;
}

/// Prefers a fixed family. The system's choice depends on the locale, but a figure should not.
QString monospaceFamily() {
    static const QString dejavu = QStringLiteral("DejaVu Sans Mono");
    static const QString family =
        isInstalled(dejavu) ? dejavu : QFontDatabase::systemFont(QFontDatabase::FixedFont).family();
    return family;
}

QFont plainFont(const QString &family, int pixels) {
    QFont font(family);
    font.setPixelSize(pixels);
    font.setHintingPreference(QFont::PreferNoHinting); // same widths at every pixel density
    font.setStyleStrategy(QFont::PreferAntialias);
    return font;
}

} // namespace

FigureStyle FigureStyle::light(double textScale) {
    FigureStyle style;
    style.background = QColor(0xF5F7FA);
    style.surface = QColor(0xFFFFFF);
    style.border = QColor(0xDDE2E9);
    style.text = QColor(0x1B1F27);
    style.mutedText = QColor(0x5B6472);
    style.hidden = QColor(0xECEFF3);
    style.hiddenLine = QColor(0xB9C0CA);
    style.selection = QColor(0xD81343);
    style.accent = QColor(0x2F5FD0);
    style.query = QColor(0x0072B2);
    style.key = QColor(0xB84F00);
    style.value = QColor(0x007D5A);
    style.context = QColor(0x9B4F96);
    style.textScale = textScale;
    return style;
}

FigureStyle FigureStyle::dark(double textScale) {
    FigureStyle style;
    style.background = QColor(0x15181E);
    style.surface = QColor(0x1E222A);
    style.border = QColor(0x363C48);
    style.text = QColor(0xE9ECF1);
    style.mutedText = QColor(0xA3ACBA);
    style.hidden = QColor(0x2A2F39);
    style.hiddenLine = QColor(0x565E6C);
    style.selection = QColor(0xFF4D74);
    style.accent = QColor(0x7FA2FF);
    style.query = QColor(0x56B4E9);
    style.key = QColor(0xF0883E);
    style.value = QColor(0x2FC99A);
    style.context = QColor(0xCF8BCA);
    style.textScale = textScale;
    style.isDark = true;
    return style;
}

FigureStyle FigureStyle::paper(double textScale, bool isTransparent) {
    FigureStyle style = light(textScale);
    style.background = style.surface;
    style.selection = style.text; // paper shows no selection, so the result of a sum is only bold
    style.isPaper = true;
    style.isTransparent = isTransparent;
    return style;
}

FigureStyle FigureStyle::presented(bool isDark, double textScale) {
    FigureStyle style = isDark ? dark(textScale) : light(textScale);
    style.minText = kPresentedText;
    style.minRow = kPresentedRow;
    return style;
}

int FigureStyle::typeSize(double pixels) const {
    return std::max({1, minText, static_cast<int>(std::lround(scaled(pixels)))});
}

QColor FigureStyle::colourOf(core::Role role) const {
    switch (role) {
    case core::Role::Residual:
    case core::Role::Hidden:
    case core::Role::Logits:
    case core::Role::Scores:
        return text;
    case core::Role::Query:
        return query;
    case core::Role::Key:
        return key;
    case core::Role::Value:
        return value;
    case core::Role::Weights:
        return accent;
    case core::Role::Context:
        return context;
    }
    return text;
}

ColourMap FigureStyle::mapOf(core::Role role) const {
    return role == core::Role::Weights ? weightsMap : signedMap;
}

QFont FigureStyle::font(Text size, bool bold) const {
    double pixels = 13;
    switch (size) {
    case Text::Cell:
        pixels = 10;
        break;
    case Text::Label:
        pixels = 11;
        break;
    case Text::Body:
        pixels = 13;
        break;
    case Text::Title:
        pixels = 14;
        break;
    }
    QFont font = plainFont(textFamily(), typeSize(pixels));
    font.setWeight(bold ? QFont::DemiBold : QFont::Normal);
    return font;
}

QFont FigureStyle::bodyFont(double pixels, bool bold) const {
    QFont sized = font(Text::Body, bold);
    sized.setPixelSize(typeSize(pixels));
    return sized;
}

QFont FigureStyle::monospace() const {
    return plainFont(monospaceFamily(), typeSize(12));
}

QColor mixed(const QColor &colour, const QColor &into, double share) {
    const auto channel = [share](int a, int b) {
        return static_cast<int>(std::lround(share * a + (1 - share) * b));
    };
    return QColor(channel(colour.red(), into.red()), channel(colour.green(), into.green()),
                  channel(colour.blue(), into.blue()));
}

double contrastOf(const QColor &a, const QColor &b) {
    const double first = luminanceOf(a.rgb()) + 0.05;
    const double second = luminanceOf(b.rgb()) + 0.05;
    return std::max(first, second) / std::min(first, second);
}

QColor faint(const QColor &colour, const QColor &ground, double share, double contrast) {
    constexpr double kStep = 0.05;
    for (; share < 1; share += kStep)
        if (const QColor made = mixed(colour, ground, share); contrastOf(made, ground) >= contrast)
            return made;
    const QColor strongest = wantsDarkText(ground.rgb()) ? Qt::black : Qt::white;
    for (share = 1; share > 0; share -= kStep)
        if (const QColor made = mixed(colour, strongest, share);
            contrastOf(made, ground) >= contrast)
            return made;
    return strongest;
}

} // namespace headlight::ui
