#include "ui/window/saving/suggested_name.h"

#include <QList>

namespace headlight::ui {

namespace {

constexpr qsizetype kMaxNameLength = 40;

} // namespace

QString suggestedName(const QString &title) {
    QList<uint> letters;
    bool isBetween = false;
    for (const uint letter : title.toUcs4()) {
        const bool belongs = QChar::isLetterOrNumber(letter) || QChar::isMark(letter);
        if (belongs && letters.size() < kMaxNameLength) {
            if (isBetween && !letters.isEmpty())
                letters << '-';
            letters << QChar::toLower(letter);
        }
        isBetween = !belongs;
    }
    return QString::fromUcs4(reinterpret_cast<const char32_t *>(letters.constData()),
                             letters.size());
}

} // namespace headlight::ui
