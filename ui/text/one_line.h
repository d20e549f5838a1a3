// Formatting of titles.
#pragma once

#include <QString>

#include <string>

namespace headlight::ui {

/// Collapses line breaks and runs of spaces, so that the title fits on one line.
inline QString oneLine(const std::string &title) {
    return QString::fromStdString(title).simplified();
}

} // namespace headlight::ui
