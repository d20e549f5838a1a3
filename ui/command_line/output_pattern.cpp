#include "ui/command_line/output_pattern.h"

#include <functional>

namespace headlight::ui {

namespace {

constexpr QLatin1Char kSign('%');

/// Returns what replaces % and this letter; unset: they stay as they are.
using PatternWord = std::function<std::optional<QString>(QChar letter)>;

/// Replaces each pattern in a text, including %%, with the result of `word`.
QString withPatterns(const QString &text, const PatternWord &word) {
    QString filled;
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (text[i] != kSign || i + 1 == text.size()) {
            filled += text[i];
            continue;
        }
        const QChar letter = text[++i];
        filled += word(letter).value_or(QString(kSign) + letter);
    }
    return filled;
}

/// Returns the length of the folder in a path, with its slash.
qsizetype folderLength(const QString &path) {
    return path.lastIndexOf(QLatin1Char('/')) + 1;
}

} // namespace

bool hasPattern(const QString &path, QChar letter) {
    bool isThere = false;
    withPatterns(path, [&](QChar each) -> std::optional<QString> {
        isThere |= each == letter;
        return std::nullopt;
    });
    return isThere;
}

bool hasPatternInName(const QString &path, QChar letter) {
    return hasPattern(path.mid(folderLength(path)), letter);
}

QString pathOfText(const QString &path, std::size_t number, LaterPatterns later) {
    const auto filled = [number](const QString &text, bool replacesSigns) {
        return withPatterns(text, [&](QChar letter) -> std::optional<QString> {
            if (letter == QLatin1Char('n'))
                return QString::number(number);
            return letter == kSign && replacesSigns ? std::optional(QString(kSign)) : std::nullopt;
        });
    };
    const qsizetype folder = folderLength(path);
    return filled(path.left(folder), true) + filled(path.mid(folder), later == LaterPatterns::None);
}

QString pathOfFigure(const QString &path, const std::optional<PlaceWords> &words) {
    const qsizetype folder = folderLength(path);
    const QString name = path.mid(folder);
    return path.left(folder) + withPatterns(name, [&](QChar letter) -> std::optional<QString> {
               if (letter == kSign)
                   return QString(kSign);
               if (words && letter == QLatin1Char('l'))
                   return words->layer;
               if (words && letter == QLatin1Char('h'))
                   return words->head;
               return std::nullopt;
           });
}

} // namespace headlight::ui
