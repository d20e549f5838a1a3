// Receives the gradients of the stages, from last to first. Adds seeds, checks for NaN and
// infinity, and keeps the requested gradients.
#pragma once

#include "core/transformer/run/adjoint.h"
#include "core/transformer/run/backward.h"

#include <atomic>
#include <map>
#include <mutex>

namespace headlight::core {

/// All stages that share a tensor because there is no operation between them.
using StageNames = std::vector<StageId>;

class GradientStore {
  public:
    /// All arguments must outlive this object. The seeds must fit the trace.
    GradientStore(const Trace &trace, const std::vector<Seed> &seeds, bool keepStages,
                  std::stop_token stop)
        : m_trace(trace), m_seeds(seeds), m_keeps(keepStages), m_stop(std::move(stop)) {}

    /// Receives the complete gradient of a tensor, except the seeds of its stages. Adds these seeds
    /// to `adjoint`.
    void arrive(const StageNames &names, Adjoint &adjoint);
    const std::stop_token &stop() const { return m_stop; }
    /// True if the pass was cancelled or has failed.
    bool stopped() const { return m_stop.stop_requested() || m_failed; }
    /// Returns the first error; later errors are only consequences of it.
    const std::optional<Error> &error() const { return m_error; }
    void fail(const Error &error);
    /// Adds the seeds of a tensor to some rows of one of its matrices.
    void addSeeds(const StageNames &names, Index sequence, Index head, Rows rows,
                  MutableMatrixView gradient) const;
    bool hasSeeds(const StageNames &names) const;
    /// Calls fail() if the gradient contains NaN or infinity. Checks long lists in pieces.
    /// Thread-safe, like fail() and stopped().
    void check(const std::string &name, std::span<const float> gradient);

    std::map<std::string, Tensor, std::less<>> takeStages() { return std::move(m_stages); }

  private:
    void addSeeds(const std::string &name, Adjoint &adjoint) const;

    const Trace &m_trace;
    const std::vector<Seed> &m_seeds;
    bool m_keeps;
    std::stop_token m_stop;
    std::mutex m_failing;
    std::atomic<bool> m_failed = false;
    std::optional<Error> m_error; // guarded by m_failing while threads are running
    std::map<std::string, Tensor, std::less<>> m_stages;
};

} // namespace headlight::core
