// Text as it stands in an XML file.
#pragma once

#include <QString>

namespace headlight::ui {

/// Escaped; what XML 1.0 cannot hold becomes a replacement character.
QString xmlText(const QString &text);

} // namespace headlight::ui
