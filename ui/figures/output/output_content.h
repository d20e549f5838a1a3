// What the output layer says of one place of a text, in words and numbers: what the figure paints.
#pragma once

#include "core/analysis/output_row_id.h"
#include "ui/figures/base/figure_options.h"

#include <QStringList>

#include <optional>
#include <vector>

namespace headlight::ui {

/// One of two runs, and its numbers there; without them they are still being made.
struct OutputRun {
    core::TracePointer trace;
    core::OutputRowId place{};
    core::OutputRowPointer numbers{};
    QString name{}; ///< "A", "before “Head 3 off”"; of the present run none
};

/// What a view has had made elsewhere, so that nobody waits for it.
struct GivenOutput {
    core::OutputRowPointer now;
    std::optional<OutputRun> other; ///< what the present run is shown beside
};

struct OutputContent {
    /// What a row of the output layer is about.
    /// An answer stands in the place of its token, as that of a hidden one.
    enum class About { NextToken, HiddenToken, Answer, Class };

    struct Chip {
        QString text;
        bool isWritten = false; ///< by the model
        bool operator==(const Chip &) const = default;
    };
    struct Bar {
        core::Index word = 0; ///< its number in the vocabulary, or the class
        QString name;
        float probability = 0;
        float logit = 0;
        std::optional<float> before; ///< its probability in the other run
        core::Index rank = 0;        ///< from 1, of the run that is shown
        bool isInText = false;       ///< it is the token that stands there
        bool operator==(const Bar &) const = default;
    };

    QString nothing; ///< why there is nothing to be seen; the rest is empty then
    About about = About::NextToken;
    QString title, subtitle;
    QString name;              ///< of the run that is shown, where another one stands beside it
    QString otherName;         ///< of the run beside this one; empty: there is none
    bool showsChanges = false; ///< of each probability from the other run to this one
    std::vector<Chip> chips;
    core::Index asked = 0; ///< the chip that the row is about; as many as there are: the next one
    std::vector<Bar> bars; ///< the most probable first; of a difference those that changed most
    std::optional<Bar> stands; ///< the token that stands there, where it is none of `bars`
    core::Index words = 0;     ///< V
};

/// As many as a figure may show.
inline constexpr std::size_t kMostOutputBars = 60;

/// Of side A the text, the numbers and their order are the other run's, and the present one stands
/// beside it; of a difference what changed most comes first. What cannot be compared stands beside
/// nothing.
OutputContent outputContentOf(const OutputRun &now, const std::optional<OutputRun> &other,
                              const FigureOptions &options);

/// The same for a trace: what is not given is read, which may take as long as an output layer does.
OutputContent outputContentOf(const core::TracePointer &trace, const core::Selection &selection,
                              const FigureOptions &options,
                              const std::optional<GivenOutput> &given = std::nullopt);

/// Why the side of a comparison that is to be shown has no output, or no difference.
WhyNot whyNotOutput(const core::Trace &now, const core::Selection &selection,
                    const Compared &compared, ComparisonSide shown);

/// Why there is no output; empty: there is one.
QString whyNoOutput(const core::Trace &trace);

/// "23.4 %".
QString percentText(double share);
/// "+12.3", in points of percent.
QString pointsText(double change);

} // namespace headlight::ui
