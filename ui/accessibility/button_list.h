// A row of buttons that screen readers see as a list. One button is checked.
#pragma once

#include <QWidget>

namespace headlight::ui {

class ButtonList : public QWidget {
    Q_OBJECT
  public:
    /// Creates an empty list. Its child buttons are the items, and the checked one is selected.
    explicit ButtonList(const QString &name, QWidget *parent = nullptr);
};

} // namespace headlight::ui
