// What a file is called that is saved for the first time.
#pragma once

#include <QString>

namespace headlight::ui {

/// Of a title: "Who listens to whom?" becomes "who-listens-to-whom", which a course takes as the
/// name of a lesson. Empty where no letter and no digit is in it.
QString suggestedName(const QString &title);

} // namespace headlight::ui
