// Words and sentences put together, in one place: in another language they are joined in another
// way. Nobody else glues translated words; a test in tests/rules keeps it so.
#pragma once

#include <QStringList>

namespace headlight::ui {

/// "a", "a and b", "a, b and c"; empty where there is nothing.
QString listed(const QStringList &words);

/// "a or b".
QString alternatives(const QStringList &words);

/// "a, b, c": things beside each other, of which no sentence is made.
QString enumerated(const QStringList &words);

/// "name: what it is".
QString labelled(const QString &name, const QString &what);

/// One sentence after the other; what is empty is left out.
QString sentences(const QStringList &all);

/// With a full stop, unless it ends with a sign of its own.
QString ended(const QString &sentence);

} // namespace headlight::ui
