#include "app/end_signals.h"

#include <QSocketNotifier>

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace headlight::app {

namespace {

constexpr std::array kSignals{SIGTERM, SIGHUP, SIGINT};

int pipeEnds[2] = {-1, -1}; // read end, write end

/// Signal handler. Only writes to the pipe, which is async-signal-safe. Drops the signal if the
/// pipe is full.
void writeSignal(int signal) {
    const int error = errno;
    const auto byte = static_cast<unsigned char>(signal);
    (void)!::write(pipeEnds[1], &byte, 1);
    errno = error;
}

} // namespace

EndSignals::EndSignals() {
    if (::pipe2(pipeEnds, O_CLOEXEC | O_NONBLOCK) != 0)
        return; // the signals keep their default action
    m_notifier = new QSocketNotifier(pipeEnds[0], QSocketNotifier::Read, this);
    connect(m_notifier, &QSocketNotifier::activated, this, &EndSignals::readSignal);
    for (const int signal : kSignals) {
        struct sigaction before = {};
        if (::sigaction(signal, nullptr, &before) != 0 || before.sa_handler == SIG_IGN)
            continue;
        struct sigaction action = {};
        action.sa_handler = writeSignal;
        action.sa_flags = SA_RESTART;
        sigemptyset(&action.sa_mask);
        ::sigaction(signal, &action, nullptr);
    }
}

EndSignals::~EndSignals() {
    if (!m_notifier)
        return;
    for (const int signal : kSignals) {
        struct sigaction now = {};
        if (::sigaction(signal, nullptr, &now) == 0 && now.sa_handler == writeSignal)
            std::signal(signal, SIG_DFL);
    }
    delete m_notifier;
    ::close(pipeEnds[0]);
    ::close(pipeEnds[1]);
}

void EndSignals::readSignal() {
    unsigned char byte = 0;
    if (::read(pipeEnds[0], &byte, 1) == 1)
        emit asked(byte);
}

void EndSignals::endBy(int signal) {
    std::signal(signal, SIG_DFL);
    sigset_t blocked;
    sigemptyset(&blocked);
    sigaddset(&blocked, signal);
    pthread_sigmask(SIG_UNBLOCK, &blocked, nullptr);
    ::raise(signal);
    ::_exit(128 + signal); // not reached: the signal ends the process
}

} // namespace headlight::app
