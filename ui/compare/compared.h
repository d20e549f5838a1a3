// Two runs side by side: the present one, and A, which was pinned or opened beside it.
#pragma once

#include "core/selection/selection.h"
#include "core/training/run/training_run.h"
#include "core/transformer/trace/trace.h"

#include <QString>

#include <array>
#include <optional>

namespace headlight::ui {

/// The present run, side A, or what changed: now − A.
enum class ComparisonSide { Now, A, Difference };

inline constexpr std::array kShown{ComparisonSide::Now, ComparisonSide::A,
                                   ComparisonSide::Difference};

/// "now", "a", "difference", as the command line writes it.
QString nameOf(ComparisonSide shown);
std::optional<ComparisonSide> findShown(const QString &name);

struct Compared {
    ComparisonSide shown = ComparisonSide::Now;
    core::TracePointer a;                ///< null: there is none, or it is still being computed
    std::optional<core::Index> sequence; ///< of A; none: the one that is selected now
    QString name;                        ///< of A: "bank, step 5"
    core::TrainingRunPointer training{}; ///< that A's weights are of; null: there is none
    bool operator==(const Compared &) const = default;
};

/// The same place in A, without a query or a key that A does not have.
core::Selection inA(const Compared &compared, core::Selection selection);

/// The run whose numbers are A's or the present ones, and where in it one looks: A where A is to be
/// shown and is there, else, as of a difference, the present one.
struct ShownRun {
    core::TracePointer trace;
    core::Selection selection{};
};
ShownRun shownRun(const core::TracePointer &now, const core::Selection &selection,
                  const Compared &compared);

/// What of two runs is to be shown.
enum class Sought {
    Matrix,    ///< of the selected stage, of its head
    EveryHead, ///< the same, whichever head is selected
    Cosines,   ///< of the vectors of the selected stage: how wide they are does not count
    Output,    ///< what the output layer says at one place
    Head,      ///< of one run at a time, the selected head
    Texts,     ///< of one run at a time
    Curves,    ///< of one run at a time, how it was trained
};

/// Why a side cannot be shown, and what to do about it. Views, files and the command line say it
/// alike; empty: the side can be shown.
struct WhyNot {
    QString why;  ///< "A has 2 tokens, now there are 8"
    QString todo; ///< "choose Now or A"

    bool isEmpty() const { return why.isEmpty(); }
    /// What stands in the picture's place.
    QString sentences() const;
};

/// Why it cannot be shown as `shown` says, at the selected stage and place.
WhyNot whyNot(const core::Trace &now, const core::Selection &selection, const Compared &compared,
              ComparisonSide shown, Sought sought = Sought::Matrix);

/// The same of gradients, which are of the present run.
WhyNot whyNoGradients(ComparisonSide shown);

/// What a word is called by its number in one it is called in the other.
bool haveSameWords(const core::Model &a, const core::Model &now);

/// A cell of the selected stage on both sides.
struct ComparedCell {
    float now = 0;
    float a = 0;
    std::optional<float> change; ///< none: hidden on one side

    /// "now 0.4123, A 0.1, change +0.3123".
    QString words() const;
};
/// None where it is not in both.
std::optional<ComparedCell> comparedCell(const core::Trace &now, const core::Selection &selection,
                                         const Compared &compared, core::Index row,
                                         core::Index column);

/// "+0.3127", "−0.0021"; what would round to zero in all its digits.
QString changeText(float change);

/// What stands in a caption beside the stage: "now − A, A: bank, step 5"; empty for Now.
QString captionOf(const Compared &compared);

} // namespace headlight::ui
