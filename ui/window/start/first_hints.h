// Three things to try, for somebody who is here for the first time. Closed for good by one click.
#pragma once

#include <QFrame>

namespace headlight::ui {

class FirstHints : public QFrame {
    Q_OBJECT
  public:
    explicit FirstHints(QWidget *parent = nullptr);

    /// Shows it, unless it was closed once.
    void offer();
};

} // namespace headlight::ui
