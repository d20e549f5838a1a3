// Text for XML files.
#pragma once

#include <QString>

namespace headlight::ui {

/// Replaces characters that XML 1.0 does not allow with the replacement character.
QString xmlCharacters(const QString &text);

/// Like xmlCharacters(), but also escaped.
QString xmlText(const QString &text);

} // namespace headlight::ui
