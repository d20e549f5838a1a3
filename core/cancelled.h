// The error that stopped operations return.
#pragma once

#include "core/result.h"

#include <stop_token>

namespace headlight::core {

/// The result of an operation that was stopped through its stop token. Not a failure.
inline Error cancelled() {
    return {"cancelled", "", ""};
}

/// True if the operation was stopped. `error.where` may still be set, for example to the file that
/// was being read.
inline bool isCancelled(const Error &error) {
    return error.what == cancelled().what;
}

/// Thrown inside a stopped operation. Public functions catch it.
struct Cancelled {};

inline void throwIfCancelled(const std::stop_token &stop) {
    if (stop.stop_requested())
        throw Cancelled{};
}

/// Checks a stop token only every kEvery calls, for use in tight loops.
class StopCheck {
  public:
    explicit StopCheck(std::stop_token stop) : m_stop(std::move(stop)) {}

    bool requested() { return ++m_times % kEvery == 0 && m_stop.stop_requested(); }
    void throwIfRequested() {
        if (requested())
            throw Cancelled{};
    }
    const std::stop_token &token() const { return m_stop; }

  private:
    static constexpr unsigned kEvery = 2048;

    std::stop_token m_stop;
    unsigned m_times = 0;
};

} // namespace headlight::core
