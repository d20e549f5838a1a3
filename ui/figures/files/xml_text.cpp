#include "ui/figures/files/xml_text.h"

namespace headlight::ui {

QString xmlCharacters(const QString &text) {
    QString clean;
    clean.reserve(text.size());
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text[i];
        if (c.isHighSurrogate() && i + 1 < text.size() && text[i + 1].isLowSurrogate()) {
            clean.append(c);
            clean.append(text[++i]);
        } else if (c.isSurrogate() || c.unicode() >= 0xFFFE ||
                   (c.unicode() < 0x20 && c != QLatin1Char('\n') && c != QLatin1Char('\t'))) {
            clean.append(QChar::ReplacementCharacter);
        } else {
            clean.append(c);
        }
    }
    return clean;
}

QString xmlText(const QString &text) {
    return xmlCharacters(text).toHtmlEscaped();
}

} // namespace headlight::ui
