#pragma once

#include <QLabel>

namespace headlight::ui {

/// The small grey heading of a group of controls, as the theme paints it.
inline QLabel *eyebrow(const QString &text) {
    auto *label = new QLabel(text);
    label->setObjectName("eyebrow");
    return label;
}

} // namespace headlight::ui
