// Titles as they are shown.
#pragma once

#include <QString>

#include <string>

namespace headlight::ui {

/// On one line, with whatever breaks and runs of spaces a file has in it.
inline QString oneLine(const std::string &title) {
    return QString::fromStdString(title).simplified();
}

} // namespace headlight::ui
