// Forwards SIGTERM, SIGHUP and SIGINT to the event loop, so that unsaved work is saved before exit.
#pragma once

#include <QObject>

class QSocketNotifier;

namespace headlight::app {

class EndSignals : public QObject {
    Q_OBJECT
  public:
    /// Only one instance may exist. Signals ignored at program start (nohup) stay ignored.
    EndSignals();
    ~EndSignals() override;

    /// Ends the program with the signal's default action, so that the sender sees the cause.
    [[noreturn]] static void endBy(int signal);

  signals:
    void asked(int signal);

  private:
    void readSignal();

    QSocketNotifier *m_notifier = nullptr;
};

} // namespace headlight::app
