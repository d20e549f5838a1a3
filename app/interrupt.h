// Ctrl-C while a command runs: the computation is stopped, nothing half-written stays, and the exit
// code is 130. Likewise, at once, for a request to end (143) and a terminal that goes away (129):
// but a command that saves what it has is given the time for that.
#pragma once

#include <atomic>
#include <chrono>
#include <csignal>
#include <stop_token>
#include <thread>

namespace headlight::app {

inline constexpr int kInterrupted = 130;

/// How long a command that was asked to stop may take, before it is ended.
inline constexpr std::chrono::milliseconds kUsualPatience{2000};
/// The same for one that writes what it has.
inline constexpr std::chrono::milliseconds kTimeToSave{60000};

/// What a request to end, or a terminal that goes away, does to the command.
enum class OnTermination { Ends, Saves };

/// For a command that writes no file: Ctrl-C ends it at once.
void endOnInterrupt();

/// Make one before any other thread: SIGINT then goes to its own thread, in this one and all that
/// follow.
class Interrupt {
  public:
    explicit Interrupt(std::chrono::milliseconds patience = kUsualPatience,
                       OnTermination atEnd = OnTermination::Ends);
    ~Interrupt();

    std::stop_token token() const { return m_source.get_token(); }
    bool requested() const { return m_source.stop_requested(); }
    /// The exit code of who stopped because of it: 128 and the signal's number.
    int code() const { return 128 + m_signal; }

  private:
    std::stop_source m_source;
    std::atomic<int> m_signal{SIGINT};
    std::jthread m_thread;
};

} // namespace headlight::app
