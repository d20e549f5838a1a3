// The progress of a forward pass. The computing thread writes it, and any thread can read it.
#pragma once

#include "core/transformer/plan/plan.h"

#include <atomic>
#include <cstdint>

namespace headlight::core {

class Progress {
  public:
    struct Layers {
        std::uint32_t computed = 0;
        std::uint32_t all = 0; ///< 0: not started yet
        bool operator==(const Layers &) const = default;
    };

    /// Stores both values in one atomic, so that readers never see one updated without the other.
    /// Does not synchronise other memory.
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

/// Returns the number of layers before a stage, including layers of the encoder.
Progress::Layers layersBefore(const Model &model, StageId at);

} // namespace headlight::core
