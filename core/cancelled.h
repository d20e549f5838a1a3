// What everything that can be stopped returns once it was.
#pragma once

#include "core/result.h"

#include <stop_token>

namespace headlight::core {

/// Nothing is wrong: somebody asked for the end, through a stop token.
inline Error cancelled() {
    return {"cancelled", "", ""};
}

/// Whether an error is that one. It may say where, such as the file that was being read.
inline bool isCancelled(const Error &error) {
    return error.what == cancelled().what;
}

/// Thrown from deep inside what is stopped. It never leaves a public function.
struct Cancelled {};

inline void throwIfCancelled(const std::stop_token &stop) {
    if (stop.stop_requested())
        throw Cancelled{};
}

/// Looks at a stop token once in a few thousand times.
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
