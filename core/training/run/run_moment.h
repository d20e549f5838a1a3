// The model of a recorded run at a snapshot, applied to an example: the trace and the answers.
#pragma once

#include "core/training/run/recorded_run.h"
#include "core/transformer/trace/trace.h"

namespace headlight::core {

/// The most likely answer of the model at one token.
struct GivenAnswer {
    Index token = 0;        ///< position; the last one for classes
    Index given = 0;        ///< id of the word or class with the highest probability
    Index right = kLeftOut; ///< id of the target; kLeftOut if the token has none
    double probability = 0; ///< probability of `given`
    bool isAsked() const { return right != kLeftOut; }
    bool isRight() const { return given == right; }
};

struct RunMoment {
    TracePointer trace;
    /// One answer per token, or one for the whole text if the task predicts classes.
    std::vector<GivenAnswer> answers{};
};

/// Runs a forward pass on the example at a snapshot, with the given heads silenced. Errors: as
/// forward().
Result<RunMoment> momentOf(const RecordedRun &run, std::size_t snapshot, const Example &example,
                           const std::vector<HeadIntervention> &silenced = {});

/// Returns the share of correct answers in the first held-out examples. Errors: as forward().
Result<double> rightShareOf(const RecordedRun &run, std::size_t snapshot,
                            const std::vector<HeadIntervention> &silenced, Index examples = 64);

/// The attention pattern of one head of a recorded run: one possible answer to "Which pattern will
/// the formed head have?"
struct PatternChoice {
    AttentionId attention{};
    Index head = 0;
    std::size_t snapshot = 0; ///< the last one for the right answer; any for a wrong one
    bool isRight = false;
};

/// Returns the pattern of the formed head and the two wrong ones that differ most from it and from
/// each other. The wrong patterns are real, too. They are those of other heads at the end of the
/// run. If these look alike, heads at the start are added, and then heads at steps in between. The
/// order depends only on the seed. Returns fewer than three if too few patterns look different.
/// Errors: as forward().
Result<std::vector<PatternChoice>> patternChoices(const RecordedRun &run, std::size_t formedHead,
                                                  const Example &example);

} // namespace headlight::core
