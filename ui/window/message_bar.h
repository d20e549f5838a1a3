// The bar beneath the tool bar that says what went wrong, where, and what to do about it.
#pragma once

#include "core/formats/warning.h"
#include "core/result.h"

#include <QFrame>

#include <vector>

class QLabel;

namespace headlight::ui {

class MessageBar : public QFrame {
    Q_OBJECT
  public:
    explicit MessageBar(QWidget *parent = nullptr);

    void showProblem(const core::Error &error);
    /// What is odd about a session that was opened, or of a capture about its numbers: at least
    /// one.
    void showWarnings(const std::vector<core::Warning> &warnings, bool ofCapture = false);

  public slots:
    void dismiss() { hide(); }

  private:
    void say(const QString &what, const QStringList &more, const QString &description);

    QLabel *m_what;
    QLabel *m_more; // where, and what to do
};

} // namespace headlight::ui
