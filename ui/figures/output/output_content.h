// What the output layer says of one place of a text, in words and numbers: what the figure paints.
#pragma once

#include "core/analysis/output_place.h"
#include "ui/figures/figure_options.h"

#include <QStringList>

#include <optional>
#include <vector>

namespace headlight::ui {

/// One of two runs, and its numbers there; without them they are still being made.
struct OutputRun {
    core::TracePointer trace;
    core::OutputPlace place{};
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
        core::Index rank = 0;        ///< from 1, of the present run
        bool isInText = false;       ///< it is the token that stands there
        bool operator==(const Bar &) const = default;
    };

    QString nothing; ///< why there is nothing to be seen; the rest is empty then
    About about = About::NextToken;
    QString title, subtitle;
    QString otherName; ///< of the run beside this one; empty: there is none
    std::vector<Chip> chips;
    core::Index asked = 0; ///< the chip that the row is about; as many as there are: the next one
    std::vector<Bar> bars; ///< the most probable first; of a difference those that changed most
    std::optional<Bar> stands; ///< the token that stands there, where it is none of `bars`
    core::Index words = 0;     ///< V
};

/// As many as a figure may show.
inline constexpr std::size_t kMostOutputBars = 60;

/// `compared.shown` says by which run the bars are ordered. `other`: none, or a run of a model that
/// has other words, which is left out.
OutputContent outputContentOf(const OutputRun &now, const std::optional<OutputRun> &other,
                              const FigureOptions &options);

/// The same for a trace: what is not given is read, which may take as long as an output layer does.
OutputContent outputContentOf(const core::TracePointer &trace, const core::Selection &selection,
                              const FigureOptions &options,
                              const std::optional<GivenOutput> &given = std::nullopt);

/// Why there is no output; empty: there is one.
QString whyNoOutput(const core::Trace &trace);

/// "23.4 %".
QString percentText(double share);
/// "+12.3", in points of percent.
QString pointsText(double change);

} // namespace headlight::ui
