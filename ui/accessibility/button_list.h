// A row of buttons that screen readers see as a list. One button is checked.
#pragma once

#include <QWidget>

namespace headlight::ui {

class ButtonList : public QWidget {
    Q_OBJECT
  public:
    /// The buttons created as its children are the items; the checked one is selected.
    explicit ButtonList(const QString &name, QWidget *parent = nullptr);
};

} // namespace headlight::ui
