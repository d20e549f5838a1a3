// Text as it stands in an XML file.
#pragma once

#include <QString>

namespace headlight::ui {

/// What XML 1.0 cannot hold becomes a replacement character.
QString xmlCharacters(const QString &text);

/// The same, escaped.
QString xmlText(const QString &text);

} // namespace headlight::ui
