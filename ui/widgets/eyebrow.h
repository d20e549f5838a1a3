#pragma once

#include <QLabel>

namespace headlight::ui {

/// Creates the small grey heading of a group of controls. The theme styles it by its object name.
inline QLabel *eyebrow(const QString &text) {
    auto *label = new QLabel(text);
    label->setObjectName("eyebrow");
    return label;
}

} // namespace headlight::ui
