// Two runs side by side: the present one, and A, which was pinned or opened beside it.
#pragma once

#include "core/selection/selection.h"
#include "core/transformer/trace/trace.h"

#include <QString>

#include <array>
#include <optional>

namespace headlight::ui {

/// The present run, side A, or what changed: now − A.
enum class Shown { Now, A, Difference };

inline constexpr std::array kShown{Shown::Now, Shown::A, Shown::Difference};

/// "now", "a", "difference", as the command line writes it.
QString nameOf(Shown shown);
std::optional<Shown> findShown(const QString &name);

struct Compared {
    Shown shown = Shown::Now;
    core::TracePointer a;                ///< null: there is none, or it is still being computed
    std::optional<core::Index> sequence; ///< of A; none: the one that is selected now
    QString name;                        ///< of A: "bank, step 5"
    bool operator==(const Compared &) const = default;
};

/// The same place in A.
core::Selection inA(const Compared &compared, core::Selection selection);

/// Why the selected stage cannot be shown as `shown` says, such as "A has 2 tokens, now there are
/// 8"; empty: it can. `everyHead`: the selected head does not count.
QString whyNot(const core::Trace &now, const core::Selection &selection, const Compared &compared,
               Shown shown, bool everyHead = false);

/// "A has 2 tokens, now there are 8".
QString otherLength(core::Index a, core::Index now);

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
