// Message bar below the tool bar: what failed, where, and how to fix it.
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
    /// Shows warnings about an opened session, or about the values of a capture. Requires at least
    /// one.
    void showWarnings(const std::vector<core::Warning> &warnings, bool ofCapture = false);

    /// Reports that another program changed an open file. `change` has the reason and the path.
    void showChangedFile(const core::Error &change);
    bool isOfChangedFile() const { return m_isOfChangedFile && !isHidden(); }

    /// Adds a button to the current message, which has at most two. A click on either dismisses the
    /// message.
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
    QLabel *m_more; // shows where it failed, and how to fix it
};

} // namespace headlight::ui
