// The bar beneath the tool bar that says what went wrong, where, and what to do about it.
#pragma once

#include "core/result.h"

#include <QFrame>

class QLabel;

namespace headlight::ui {

class MessageBar : public QFrame {
    Q_OBJECT
  public:
    explicit MessageBar(QWidget *parent = nullptr);

    void showProblem(const core::Error &error);

  public slots:
    void dismiss() { hide(); }

  private:
    QLabel *m_what;
    QLabel *m_more; // where, and what to do
};

} // namespace headlight::ui
