#include "ui/command_line/output_pattern.h"

namespace headlight::ui {

namespace {

constexpr QLatin1Char kSign('%');

} // namespace

QString withPatterns(const QString &name, const PatternWord &word) {
    QString text;
    for (qsizetype i = 0; i < name.size(); ++i) {
        if (name[i] != kSign || i + 1 == name.size()) {
            text += name[i];
            continue;
        }
        const QChar letter = name[++i];
        const std::optional<QString> replaced = letter == kSign ? std::nullopt : word(letter);
        text += replaced ? *replaced : QString(kSign) + letter;
    }
    return text;
}

QString withPercentSigns(const QString &name) {
    return QString(name).replace(QStringLiteral("%%"), QString(kSign));
}

bool hasPattern(const QString &name, QChar letter) {
    bool isThere = false;
    withPatterns(name, [&](QChar each) -> std::optional<QString> {
        isThere |= each == letter;
        return std::nullopt;
    });
    return isThere;
}

} // namespace headlight::ui
