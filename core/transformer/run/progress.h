// How far a pass has come: written by the thread that computes, read by any other.
#pragma once

#include "core/transformer/plan/plan.h"

#include <atomic>
#include <cstdint>

namespace headlight::core {

class Progress {
  public:
    struct Layers {
        std::uint32_t computed = 0;
        std::uint32_t all = 0; ///< 0: it has not begun
        bool operator==(const Layers &) const = default;
    };

    /// One number, so that a reader never has a half of each; it says nothing of other memory.
    void set(Layers layers) noexcept {
        m_layers.store(std::uint64_t(layers.all) << 32U | layers.computed,
                       std::memory_order_relaxed);
    }
    Layers layers() const noexcept {
        const std::uint64_t both = m_layers.load(std::memory_order_relaxed);
        return {static_cast<std::uint32_t>(both), static_cast<std::uint32_t>(both >> 32U)};
    }

  private:
    std::atomic<std::uint64_t> m_layers = 0;
};

/// How many layers are computed, the encoder's and the others', before what stands there is.
Progress::Layers layersBefore(const Model &model, StageId at);

} // namespace headlight::core
