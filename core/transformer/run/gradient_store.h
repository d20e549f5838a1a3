// The gradients of the stages, as they arrive one after the other from the last to the first: seeds
// are added, numbers checked, and what is wanted is kept.
#pragma once

#include "core/transformer/run/adjoint.h"
#include "core/transformer/run/backward.h"

#include <atomic>
#include <map>
#include <mutex>

namespace headlight::core {

/// All the names of one tensor: where nothing is done between two stages they are the same numbers.
using StageNames = std::vector<StageId>;

class GradientStore {
  public:
    /// All must live as long as this. The seeds fit the trace.
    GradientStore(const Trace &trace, const std::vector<Seed> &seeds, bool keepStages,
                  std::stop_token stop)
        : m_trace(trace), m_seeds(seeds), m_keeps(keepStages), m_stop(std::move(stop)) {}

    /// All that flows back to this tensor is in `adjoint`, but for the seeds of its names, which
    /// are added.
    void arrive(const StageNames &names, Adjoint &adjoint);
    const std::stop_token &stop() const { return m_stop; }
    /// Nothing more need be done: cancelled, or the numbers grew too large.
    bool stopped() const { return m_stop.stop_requested() || m_failed; }
    /// The first thing that went wrong; later ones follow from it.
    const std::optional<Error> &error() const { return m_error; }
    void fail(const Error &error);
    /// Adds the seeds of this tensor's names to some rows of one matrix of it.
    void addSeeds(const StageNames &names, Index sequence, Index head, Rows rows,
                  MutableMatrixView gradient) const;
    bool hasSeeds(const StageNames &names) const;
    /// Fails where there are numbers that are none; looks through a long list piece by piece. From
    /// any thread, as fail() and stopped().
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
    std::optional<Error> m_error; // guarded by m_failing until all threads are done
    std::map<std::string, Tensor, std::less<>> m_stages;
};

} // namespace headlight::core
