#include "app/interrupt.h"

#include "core/formats/files/atomic_file.h"

#include <chrono>
#include <csignal>
#include <pthread.h>
#include <unistd.h>

namespace headlight::app {

namespace {

sigset_t interruptSignals() {
    sigset_t blocked;
    sigemptyset(&blocked);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
        sigaddset(&blocked, signal);
    return blocked;
}

} // namespace

void endOnInterrupt() {
    std::signal(SIGINT, [](int) { _exit(kInterrupted); });
}

Interrupt::Interrupt() {
    const sigset_t blocked = interruptSignals();
    pthread_sigmask(SIG_BLOCK, &blocked, nullptr);
    m_thread = std::jthread([this](std::stop_token quit) {
        const sigset_t waited = interruptSignals();
        const int signal = sigwaitinfo(&waited, nullptr);
        if (quit.stop_requested())
            return;             // woken by the destructor
        if (signal != SIGINT) { // whoever asks for the end does not wait for a figure
            core::AtomicFile::abandonAll();
            _exit(128 + signal);
        }
        m_source.request_stop();
        // The command sees the request between its steps. If one step takes too long, end it; a
        // file that is being written goes.
        for (int ticks = 0; ticks < 40 && !quit.stop_requested(); ++ticks)
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        if (quit.stop_requested())
            return;
        core::AtomicFile::abandonAll();
        _exit(kInterrupted);
    });
}

Interrupt::~Interrupt() {
    m_thread.request_stop();
    pthread_kill(m_thread.native_handle(), SIGINT);
}

} // namespace headlight::app
