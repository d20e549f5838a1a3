#include "ui/document/state/change.h"

namespace headlight::ui {

QString EditWords::text() const {
    if (before.isEmpty() && after.isEmpty())
        return what;
    return QStringLiteral("%1: %2 → %3").arg(what, before, after);
}

} // namespace headlight::ui
