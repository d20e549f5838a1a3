// Handles signals while a command runs. Ctrl-C stops the computation, leaves no partial file, and
// exits with 130. SIGTERM (143) and a closed terminal (129) end the command immediately, unless it
// saves its work first.
#pragma once

#include <atomic>
#include <chrono>
#include <csignal>
#include <stop_token>
#include <thread>

namespace headlight::app {

inline constexpr int kInterrupted = 130;

/// Time that a command may take to stop before it is terminated.
inline constexpr std::chrono::milliseconds kUsualPatience{2000};
/// Like kUsualPatience, for a command that saves its work.
inline constexpr std::chrono::milliseconds kTimeToSave{60000};

/// How a command reacts to SIGTERM or a closed terminal.
enum class OnTermination { Ends, Saves };

/// Lets Ctrl-C end the program immediately. For commands that write no file.
void endOnInterrupt();

/// Handles the signals on a separate thread. Create it before any other thread, because the
/// constructor blocks the signals in the current thread and in all later ones.
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
