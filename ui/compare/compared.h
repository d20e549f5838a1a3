// Comparison of two runs: the current one, and A, which was pinned or opened for comparison, or has
// another text.
#pragma once

#include "core/analysis/output_row_id.h"
#include "core/analysis/token_partners.h"
#include "core/selection/selection.h"
#include "core/training/run/training_run.h"
#include "core/transformer/trace/trace.h"

#include <QString>

#include <array>
#include <optional>

namespace headlight::ui {

/// The current run, side A, or the difference current − A.
enum class ComparisonSide { Now, A, Difference };

inline constexpr std::array kShown{ComparisonSide::Now, ComparisonSide::A,
                                   ComparisonSide::Difference};

/// Returns "now", "a" or "difference", as on the command line.
QString nameOf(ComparisonSide shown);
std::optional<ComparisonSide> findShown(const QString &name);

struct Compared {
    ComparisonSide shown = ComparisonSide::Now;
    core::TracePointer a;                ///< null if there is no A or it is still being computed
    std::optional<core::Index> sequence; ///< sequence of A; if unset, the selected one
    QString name;                        ///< A's name: "bank, step 5"
    core::TrainingRunPointer training{}; ///< run that trained A's parameters; null if untrained
    /// The partners of the tokens. If null, matrices of equal shape are compared cell by cell.
    core::TokenPartnersPointer partners{};
    bool operator==(const Compared &) const = default;
};

/// Returns the selection in A. With partners, the query and the key become their partners. Clears a
/// query or key that A does not have.
core::Selection inA(const Compared &compared, core::Selection selection);

/// Returns the selection in terms of the displayed side. If A is shown, the query and the key
/// become their partners. Views edit the result and pass it to onCurrentSide() before selecting it.
core::Selection onShownSide(const Compared &compared, core::Selection selection);
/// Converts a selection on the displayed side back to the current side.
core::Selection onCurrentSide(const Compared &compared, core::Selection selection);

/// Returns A's output row to compare with the selected row: that of the token's partner. If there
/// is no partner and the selected row is the default, such as the last one, returns A's default
/// row. Unset if A has no such row. `compared` must have an A, and both traces must have logits.
std::optional<core::OutputRowId>
outputPlaceInA(const core::Trace &now, const core::Selection &selection, const Compared &compared);

/// The trace whose values are shown, and the selection in it. Both belong to A if side A is
/// selected and available. A difference uses the current run.
struct ShownRun {
    core::TracePointer trace;
    core::Selection selection{};
};
ShownRun shownRun(const core::TracePointer &now, const core::Selection &selection,
                  const Compared &compared);

/// The kind of data that is compared.
enum class Sought {
    Matrix,    ///< the selected stage of the selected head
    EveryHead, ///< the selected stage of all heads
    Cosines,   ///< cosine similarities between vectors of the selected stage; widths may differ
    Output,    ///< output of the output layer for one row
    Head,      ///< the selected head; no difference
    Vectors,   ///< the vectors of the selected head in the plane; no difference
    Texts,     ///< texts; no difference
    Curves,    ///< training curves; no difference
};

/// The reason why a side cannot be shown, and what the user can do. Views, files and the command
/// line use the same text. Empty if the side can be shown.
struct UnavailableReason {
    QString why;  ///< for example "A has 2 tokens, but the current side has 8"
    QString todo; ///< for example "choose Current or A"

    bool isEmpty() const { return why.isEmpty(); }
    /// Returns the text that is shown instead of the figure.
    QString sentences() const;
};

/// Returns why `shown` is unavailable for the selected stage and attention module.
UnavailableReason unavailableReason(const core::Trace &now, const core::Selection &selection,
                                    const Compared &compared, ComparisonSide shown,
                                    Sought sought = Sought::Matrix);

/// Returns why gradients are unavailable: they exist for the current run only.
UnavailableReason gradientsUnavailableReason(ComparisonSide shown);

/// True if both models have the same vocabulary, so that token ids mean the same token in both.
bool haveSameWords(const core::Model &a, const core::Model &now);

/// The value of one cell of the selected stage on both sides.
struct ComparedCell {
    float now = 0;
    float a = 0;
    std::optional<float> change; ///< unset if hidden on one side
    bool hasPartner = true;      ///< false: A has no such row or column, so `a` is NaN

    /// Returns "current 0.4123, A 0.1, change +0.3123".
    QString words() const;
};
/// Returns nothing if the cell does not exist on both sides.
std::optional<ComparedCell> comparedCell(const core::Trace &now, const core::Selection &selection,
                                         const Compared &compared, core::Index row,
                                         core::Index column);

/// Formats a change: "+0.3127", "−0.0021". Very small and very large values are written in full.
QString changeText(float change);

/// Names the tokens of A without a partner, of the text that the rows belong to: "only in A:
/// river". Empty if there are none.
QString onlyInA(const Compared &compared, const core::StageTexts &texts);

/// Returns the caption's suffix after the stage: "current − A, A: bank, step 5". Empty for Now.
QString captionOf(const Compared &compared);

} // namespace headlight::ui
