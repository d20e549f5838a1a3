// Suggested name for a file that is saved for the first time.
#pragma once

#include <QString>

namespace headlight::ui {

/// Derives a name from a title: "Who listens to whom?" becomes "who-listens-to-whom", a valid
/// lesson name in a course. Empty if the title has no letter or digit.
QString suggestedName(const QString &title);

} // namespace headlight::ui
