// SIGTERM, SIGHUP and SIGINT while the window is open: told in the event loop, where what is
// unsaved can be kept before the program ends.
#pragma once

#include <QObject>

class QSocketNotifier;

namespace headlight::app {

class EndSignals : public QObject {
    Q_OBJECT
  public:
    /// At most one at a time. A signal that was ignored when the program began (nohup) stays so.
    EndSignals();
    ~EndSignals() override;

    /// Ends the program as the signal does by itself, so that whoever sent it sees what it was.
    [[noreturn]] static void endBy(int signal);

  signals:
    void asked(int signal);

  private:
    void readSignal();

    QSocketNotifier *m_notifier = nullptr;
};

} // namespace headlight::app
