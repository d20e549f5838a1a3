// The bar beneath the tool bar that says what went wrong, where, and what to do about it.
#pragma once

#include "core/formats/warning.h"
#include "core/result.h"

#include <QFrame>

#include <array>
#include <functional>
#include <vector>

class QLabel;
class QPushButton;

namespace headlight::ui {

class MessageBar : public QFrame {
    Q_OBJECT
  public:
    explicit MessageBar(QWidget *parent = nullptr);

    void showProblem(const core::Error &error);
    /// What is odd about a session that was opened, or of a capture about its numbers: at least
    /// one.
    void showWarnings(const std::vector<core::Warning> &warnings, bool ofCapture = false);

    /// That somebody else changed a file which is open: what happened to it, and where it is.
    void showChangedFile(const core::Error &change);
    bool isOfChangedFile() const { return m_isOfChangedFile && !isHidden(); }

    /// Beside what was said last, a button that does something about it; two at most. Either takes
    /// the message away.
    void offer(const QString &words, const std::function<void()> &act);

  public slots:
    void dismiss() { hide(); }

  private:
    void say(const QString &what, const QStringList &more, const QString &description);

    struct Offer {
        QPushButton *button = nullptr;
        std::function<void()> act{};
    };
    std::array<Offer, 2> m_offers;
    bool m_isOfChangedFile = false;
    QLabel *m_what;
    QLabel *m_more; // where, and what to do
};

} // namespace headlight::ui
