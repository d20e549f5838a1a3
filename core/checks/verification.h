// Compares a trace, stage by stage, with the same computation in float64 (core/reference).
#pragma once

#include "core/transformer/run/progress.h"
#include "core/transformer/trace/trace.h"

#include <optional>
#include <stop_token>
#include <vector>

namespace headlight::core {

/// The largest difference, relative to a stage's size, that passes for rounding to 32 bits.
inline constexpr double kVerifiedWithin = 2e-5;

/// Traces whose HeadOutputs are larger are verified without them: their sum, Output, is compared.
inline constexpr Index kMaxHeadOutputBytes = Index(256) << 20;

/// How far a stage of a trace is from its reference.
struct StageVerification {
    StageId at;
    /// The largest difference of a number, divided by `size`. ∞ if only one of both has the stage,
    /// hides a cell, or has the stage's shape.
    double difference = 0;
    double size = 0; ///< the stage's largest absolute value that is finite, in the reference
    /// Index of that number in the stage's tensor: [b, h, i, j], [b, i, j] or [b, j]. Empty if all
    /// numbers are equal, or the shapes differ.
    std::vector<Index> cell{};
    double ours = 0;   ///< the number in the trace
    double theirs = 0; ///< the number in the reference
    /// The difference if the reference computes this stage from the trace's own numbers of the
    /// stages before. Set for all stages once any of them is not within kVerifiedWithin.
    std::optional<double> alone{};

    bool isWithin() const { return difference <= kVerifiedWithin; }
};

struct Verification {
    std::vector<StageVerification> stages; ///< in computation order

    /// Returns the stage with the largest difference. There must be a stage.
    const StageVerification &worst() const;
    /// Returns the first stage that is not within kVerifiedWithin; null if all are. Later stages
    /// may differ only because they read it.
    const StageVerification *firstBeyond() const;
    bool isWithin() const { return firstBeyond() == nullptr; }
    /// Returns the first stage whose `alone` is not within kVerifiedWithin; null if all are. Then a
    /// difference is rounding that later stages have amplified: large scores, or numbers that
    /// cancel. A fault, in contrast, shows in the stage where it is.
    const StageVerification *firstBeyondAlone() const;
};

/// Computes the trace's model and input again in float64 and compares all stages. Leaves the
/// trace's own details alone. Errors: those of reference::forward(), such as for a capture; of
/// forward(), for stages that a partial trace computes; "cancelled". Other threads may read
/// `progress`.
Result<Verification> verify(const Trace &trace, const std::stop_token &stop = {},
                            Progress *progress = nullptr);

/// As above, with a reference that has another model and input than the trace.
Result<Verification> verify(const Trace &trace, const Model &model, const Input &input,
                            const std::stop_token &stop = {}, Progress *progress = nullptr);

} // namespace headlight::core
