// Finds all problems of a session, as `headlight check` does, on a worker thread.
#pragma once

#include "core/formats/warning.h"
#include "core/result.h"

#include <QObject>
#include <QThreadPool>

#include <functional>
#include <stop_token>

namespace headlight::ui {

class SessionCheckWorker : public QObject {
    Q_OBJECT
  public:
    explicit SessionCheckWorker(QObject *parent = nullptr);
    ~SessionCheckWorker() override;

    /// Returns at once and replaces a running check. The worker calls `document`, because the text
    /// may be large.
    void check(std::function<std::string()> document);
    /// Cancels the running check.
    void cancel();
    bool isChecking() const { return m_isChecking; }

  signals:
    void checked(const headlight::core::Findings &findings);

  private:
    void take(quint64 number, const core::Findings &findings);

    std::stop_source m_stop;
    quint64 m_newest = 0;
    bool m_isChecking = false;
    QThreadPool m_pool; // one thread
};

} // namespace headlight::ui
