#include "core/checks/verification.h"

#include "core/reference/reference.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <map>

namespace headlight::core {

namespace {

constexpr double kInfinitelyFar = std::numeric_limits<double>::infinity();

/// The values from which the reference computes a stage.
enum class Reads {
    ItsOwn,  ///< the reference's earlier stages, so differences accumulate from stage to stage
    OurTrace ///< the trace's earlier stages, so only this stage's computation can differ
};

/// Compares each matrix that the reference computes with the trace's matrix, as soon as the
/// reference has computed it.
class Comparer {
  public:
    Comparer(const Trace &trace, Reads reads, std::stop_token stop, Progress *progress)
        : m_trace(trace.withoutDetails()),
          m_reads(reads),
          m_stop(std::move(stop)),
          m_progress(progress) {}

    Outcome compare(const reference::StageMatrix &theirs) {
        if (m_progress)
            m_progress->set(layersBefore(m_trace->model(), theirs.at));
        const auto step = m_trace->plan().find(theirs.at);
        StageVerification &stage = m_stages.try_emplace(theirs.at, begun(theirs.at)).first->second;
        if (!step) {
            stage.difference = kInfinitelyFar;
            return Done{};
        }
        ++m_matrices[theirs.at];
        const Shape &shape = m_trace->plan()[*step].shape;
        if (theirs.rows != shape.last(1) || theirs.columns != shape.last(0) ||
            theirs.sequence >= m_trace->plan()[*step].sequences() ||
            theirs.head >= m_trace->plan()[*step].heads()) {
            stage.difference = kInfinitelyFar;
            return Done{};
        }
        if (isLeftOut(*step))
            return Done{};
        return m_trace->inBlocks(
            *step, theirs.sequence, theirs.head,
            [&](Index first, MatrixView ours) -> Outcome {
                compareRows(ours, theirs, first, shape, stage);
                return Done{};
            },
            m_stop);
    }

    /// Returns the results of all stages of the trace and of the reference.
    Verification finished() {
        if (m_progress) {
            const std::uint32_t layers = m_progress->layers().all;
            m_progress->set({layers, layers});
        }
        Verification all;
        for (StepId id = 0; id < m_trace->plan().size(); ++id) {
            const Step &step = m_trace->plan()[id];
            if (!step.isNamed() || isLeftOut(id))
                continue;
            const auto found = m_stages.find(step.at);
            all.stages.push_back(found == m_stages.end() ? begun(step.at) : found->second);
            StageVerification &stage = all.stages.back();
            const bool hasAll =
                found != m_stages.end() && m_matrices[step.at] == step.sequences() * step.heads();
            stage.difference = hasAll ? relative(stage) : kInfinitelyFar;
            if (found != m_stages.end())
                m_stages.erase(found);
        }
        for (const auto &[at, stage] : m_stages) // stages that the trace does not have
            if (!m_trace->plan().find(at))
                all.stages.push_back(stage);
        return all;
    }

  private:
    /// Compares a block of rows with the rows of the reference starting at `first`.
    void compareRows(MatrixView ours, const reference::StageMatrix &theirs, Index first,
                     const Shape &shape, StageVerification &stage) const {
        // One of the matrices is stored by rows, the other by columns, so bands of rows use the
        // cache well.
        constexpr Index kBand = 32;
        for (Index top = 0; top < ours.rows; top += kBand)
            for (Index j = 0; j < ours.columns; ++j)
                for (Index i = top; i < std::min(top + kBand, ours.rows); ++i) {
                    const auto number = static_cast<double>(ours(i, j));
                    compareNumbers(number, theirs, first + i, j, shape, stage);
                    if (m_reads == Reads::OurTrace)
                        theirs(first + i, j) = number;
                }
    }

    static StageVerification begun(StageId at) {
        StageVerification stage;
        stage.at = at;
        return stage;
    }

    bool isLeftOut(StepId id) const {
        const Step &step = m_trace->plan()[id];
        return step.isAside &&
               step.shape.count() * static_cast<Index>(sizeof(float)) > kMaxHeadOutputBytes;
    }

    static void compareNumbers(double ours, const reference::StageMatrix &matrix, Index i, Index j,
                               const Shape &shape, StageVerification &stage) {
        const double theirs = matrix(i, j);
        if (std::isfinite(theirs))
            stage.size = std::max(stage.size, std::abs(theirs));
        if (ours == theirs) // includes cells that are hidden in both
            return;
        double difference = std::abs(ours - theirs);
        if (std::isnan(difference))
            difference = kInfinitelyFar;
        if (difference <= stage.difference)
            return;
        stage.difference = difference;
        stage.ours = ours;
        stage.theirs = theirs;
        stage.cell = shape.rank() == 4   ? std::vector{matrix.sequence, matrix.head, i, j}
                     : shape.rank() == 3 ? std::vector{matrix.sequence, i, j}
                                         : std::vector{i, j};
    }

    /// Returns the difference divided by the stage's size, or by the trace's value if the
    /// reference's stage is all zeros.
    static double relative(const StageVerification &stage) {
        if (stage.difference == 0)
            return 0;
        return stage.difference / (stage.size > 0 ? stage.size : std::abs(stage.ours));
    }

    TracePointer m_trace;
    Reads m_reads;
    std::stop_token m_stop;
    Progress *m_progress;
    std::map<StageId, StageVerification> m_stages; ///< differences are absolute until finished()
    std::map<StageId, Index> m_matrices;           ///< number of matrices compared
};

Result<Verification> compared(const Trace &trace, const Model &model, const Input &input,
                              Reads reads, const std::stop_token &stop, Progress *progress) {
    Comparer comparer(trace, reads, stop, progress);
    const Outcome computed = reference::forward(
        model, input,
        [&](const reference::StageMatrix &theirs) { return comparer.compare(theirs); }, stop);
    if (!computed)
        return computed.error();
    return comparer.finished();
}

} // namespace

const StageVerification &Verification::worst() const {
    return *std::ranges::max_element(stages, {}, &StageVerification::difference);
}

const StageVerification *Verification::firstBeyond() const {
    const auto found = std::ranges::find_if_not(stages, &StageVerification::isWithin);
    return found == stages.end() ? nullptr : &*found;
}

const StageVerification *Verification::firstBeyondAlone() const {
    const auto found = std::ranges::find_if_not(stages, [](const StageVerification &stage) {
        return stage.alone.value_or(stage.difference) <= kVerifiedWithin;
    });
    return found == stages.end() ? nullptr : &*found;
}

Result<Verification> verify(const Trace &trace, const Model &model, const Input &input,
                            const std::stop_token &stop, Progress *progress) {
    Result<Verification> made = compared(trace, model, input, Reads::ItsOwn, stop, progress);
    if (!made || made->isWithin())
        return made;
    const Result<Verification> alone =
        compared(trace, model, input, Reads::OurTrace, stop, progress);
    if (!alone)
        return alone;
    assert(alone->stages.size() == made->stages.size());
    for (std::size_t i = 0; i < made->stages.size(); ++i)
        made->stages[i].alone = alone->stages[i].difference;
    return made;
}

Result<Verification> verify(const Trace &trace, const std::stop_token &stop, Progress *progress) {
    return verify(trace, trace.model(), trace.input(), stop, progress);
}

} // namespace headlight::core
