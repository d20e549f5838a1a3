#include "ui/document/shell_word.h"

#include <QRegularExpression>

namespace headlight::ui {

QString shellWord(const QString &word) {
    static const QRegularExpression plain("^[A-Za-z0-9_./+,=:-]+$");
    if (plain.match(word).hasMatch())
        return word;
    QString escaped = word;
    return '\'' + escaped.replace('\'', "'\\''") + '\'';
}

} // namespace headlight::ui
