// Compares a trace, stage by stage, with the same computation in float64 (core/reference).
#pragma once

#include "core/transformer/run/progress.h"
#include "core/transformer/trace/trace.h"

#include <optional>
#include <stop_token>
#include <vector>

namespace headlight::core {

/// The largest difference, relative to a stage's size, that counts as rounding to 32 bits.
inline constexpr double kVerifiedWithin = 2e-5;

/// HeadOutputs larger than this are not verified. Their sum, Output, is compared anyway.
inline constexpr Index kMaxHeadOutputBytes = Index(256) << 20;

/// The difference between a stage of a trace and its reference.
struct StageVerification {
    StageId at;
    /// The largest difference of a value, divided by `size`. ∞ if only one side has the stage or
    /// hides a cell, or if the shapes differ.
    double difference = 0;
    double size = 0; ///< largest finite absolute value of the stage, in the reference
    /// Index of the value with the largest difference in the stage's tensor: [b, h, i, j], [b, i,
    /// j] or [b, j]. Empty if all values are equal, or the shapes differ.
    std::vector<Index> cell{};
    double ours = 0;   ///< the value in the trace
    double theirs = 0; ///< the value in the reference
    /// The difference if the reference computes this stage from the trace's values of earlier
    /// stages. Set for all stages if any stage is not within kVerifiedWithin.
    std::optional<double> alone{};

    bool isWithin() const { return difference <= kVerifiedWithin; }
};

struct Verification {
    std::vector<StageVerification> stages; ///< in computation order; reference-only stages last

    /// Returns the stage with the largest difference. There must be a stage.
    const StageVerification &worst() const;
    /// Returns the first stage that is not within kVerifiedWithin; null if all are. Later stages
    /// may differ only because they read this one.
    const StageVerification *firstBeyond() const;
    bool isWithin() const { return firstBeyond() == nullptr; }
    /// Returns the first stage whose `alone` is not within kVerifiedWithin; null if all are. If it
    /// is null, any difference is rounding that later stages have amplified, by large scores or by
    /// cancellation. A fault, in contrast, shows in its own stage.
    const StageVerification *firstBeyondAlone() const;
};

/// Computes the trace's model and input again in float64 and compares all stages. Does not change
/// the details that the trace holds. Errors: those of reference::forward(), such as for a capture;
/// of forward(), for stages that a partial trace computes; "cancelled". Other threads may read
/// `progress`.
Result<Verification> verify(const Trace &trace, const std::stop_token &stop = {},
                            Progress *progress = nullptr);

/// As above, but the reference computes a different model and input from the trace's.
Result<Verification> verify(const Trace &trace, const Model &model, const Input &input,
                            const std::stop_token &stop = {}, Progress *progress = nullptr);

} // namespace headlight::core
