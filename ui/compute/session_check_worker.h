// Everything that is wrong with a session, as `headlight check` says it, found beside the window.
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

    /// Returns at once; a check that was under way is forgotten. The document is made on the
    /// worker: it may be large.
    void check(std::function<std::string()> document);
    /// What was asked for is not wanted any more.
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
