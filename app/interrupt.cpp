#include "app/interrupt.h"

#include "core/formats/files/atomic_file.h"

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

Interrupt::Interrupt(std::chrono::milliseconds patience, OnTermination atEnd) {
    const sigset_t blocked = interruptSignals();
    pthread_sigmask(SIG_BLOCK, &blocked, nullptr);
    m_thread = std::jthread([this, patience, atEnd](std::stop_token quit) {
        const sigset_t expected = interruptSignals();
        const int signal = sigwaitinfo(&expected, nullptr);
        if (quit.stop_requested())
            return;                                             // woken by the destructor
        if (signal != SIGINT && atEnd == OnTermination::Ends) { // SIGTERM ends the command
            core::AtomicFile::abandonAll();
            _exit(128 + signal);
        }
        m_signal = signal;
        m_source.request_stop();
        // The command checks the stop token between steps. If a step takes too long or the user
        // interrupts again, ends the program and removes partial files.
        constexpr std::chrono::milliseconds kTick(50);
        const timespec tick{0, std::chrono::nanoseconds(kTick).count()};
        for (auto waited = kTick; waited <= patience && !quit.stop_requested(); waited += kTick)
            if (sigtimedwait(&expected, nullptr, &tick) > 0)
                break;
        if (quit.stop_requested())
            return;
        core::AtomicFile::abandonAll();
        _exit(code());
    });
}

Interrupt::~Interrupt() {
    m_thread.request_stop();
    pthread_kill(m_thread.native_handle(), SIGINT);
}

} // namespace headlight::app
