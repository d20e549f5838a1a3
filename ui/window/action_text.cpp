#include "ui/window/action_text.h"

#include "ui/text/sentences.h"

#include <QAction>

namespace headlight::ui {

QString plainText(const QAction &action) {
    QString text = action.text();
    text.replace("&&", QStringLiteral("\uE000")); // escaped ampersand
    return text.remove('&').replace(QStringLiteral("\uE000"), "&");
}

QString keysText(const QAction &action) {
    QStringList keys;
    for (const QKeySequence &key : action.shortcuts())
        keys << key.toString(QKeySequence::NativeText);
    keys.removeDuplicates();
    return alternatives(keys);
}

QString toolTipOf(const QAction &action) {
    const QString keys = keysText(action);
    return keys.isEmpty() ? plainText(action) : QString("%1 (%2)").arg(plainText(action), keys);
}

} // namespace headlight::ui
