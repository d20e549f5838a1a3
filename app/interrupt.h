// Handles signals while a command runs. Ctrl-C stops the computation, leaves no partial file, and
// exits with 130. SIGTERM (143) and a closed terminal (129) end the command at once, unless it
// saves its work first.
#pragma once

#include <atomic>
#include <chrono>
#include <csignal>
#include <stop_token>
#include <thread>

namespace headlight::app {

inline constexpr int kInterrupted = 130;

/// Time that a command has to stop before it is terminated.
inline constexpr std::chrono::milliseconds kUsualPatience{2000};
/// Time for a command that saves its work.
inline constexpr std::chrono::milliseconds kTimeToSave{60000};

/// How a command reacts to SIGTERM or a closed terminal.
enum class OnTermination { Ends, Saves };

/// For commands that write no file: Ctrl-C ends the program at once.
void endOnInterrupt();

/// Create before any other thread. Blocks the signals in this thread and in all later ones, so that
/// only its own thread receives them.
class Interrupt {
  public:
    explicit Interrupt(std::chrono::milliseconds patience = kUsualPatience,
                       OnTermination atEnd = OnTermination::Ends);
    ~Interrupt();

    std::stop_token token() const { return m_source.get_token(); }
    bool requested() const { return m_source.stop_requested(); }
    /// Returns the exit code of a command that stopped: 128 plus the signal's number.
    int code() const { return 128 + m_signal; }

  private:
    std::stop_source m_source;
    std::atomic<int> m_signal{SIGINT};
    std::jthread m_thread;
};

} // namespace headlight::app
