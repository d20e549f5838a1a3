// Content of the softmax figure, without layout: a row of logits, or the distribution of many
// random dot products.
#pragma once

#include "core/analysis/softmax_row.h"
#include "core/analysis/softmax_spread.h"
#include "ui/figures/base/figure_options.h"

#include <QStringList>

#include <optional>
#include <utility>
#include <vector>

namespace headlight::ui {

/// Input that a view has computed, or keeps during a drag.
struct GivenSoftmax {
    /// Null while the samples are being drawn.
    std::optional<core::SoftmaxSpreadPointer> spread;
    std::optional<std::pair<double, double>> range; ///< ends of the logit axis, fixed during a drag
    std::optional<std::size_t> chosen;              ///< selected custom logit
};

struct SoftmaxContent {
    struct Bar {
        std::size_t index = 0; ///< index in the row
        QString name;
        float logit = 0;
        float probability = 0;
        bool isHidden = false;
        bool isSetByHand = false;
        bool operator==(const Bar &) const = default;
    };

    core::SoftmaxPart part = core::SoftmaxPart::Row;
    QString title, subtitle;
    QString nothing;   ///< why there is nothing to show; if set, all other fields are empty
    QStringList facts; ///< one line each, below the subtitle
    QString note;      ///< at the bottom of the figure

    bool isOwn = false;                ///< true for custom logits
    bool canChange = false;            ///< false for a capture
    std::vector<Bar> bars;             ///< in row order; if many, only the most probable ones
    QString others;                    ///< total of the bars left out; empty if there are none
    std::optional<std::size_t> chosen; ///< index into `bars`
    double low = -1, high = 1;         ///< ends of the logit axis
    core::Matrix jacobian;             ///< Jacobian of the shown bars
    double norm = 0;                   ///< norm of the complete row's Jacobian

    core::SoftmaxSpreadPointer spread; ///< null while the samples are being drawn
    QStringList rows;                  ///< measured quantities in the table beside the plot
    QStringList plain, scaled;         ///< values without and with ÷√d_k
};

inline constexpr std::size_t kMaxSoftmaxBars = core::kMaxOwnLogits;

/// Returns the content. Draws samples that `given` lacks, which takes up to a few seconds.
SoftmaxContent softmaxContentOf(const core::TracePointer &trace, const core::Selection &selection,
                                const core::SoftmaxLook &look, const GivenSoftmax &given = {},
                                const Compared &compared = {});

/// Returns why a side of a comparison cannot be shown. Custom logits and random samples cannot be
/// compared. For these, `trace` may be null.
UnavailableReason softmaxComparisonUnavailableReason(const core::TracePointer &trace,
                                                     const core::Selection &selection,
                                                     const core::SoftmaxLook &look,
                                                     const Compared &compared);

/// Returns a sentence that states why the trace has no row. Empty if it has one.
QString softmaxRowUnavailableReason(const core::Trace &trace, const core::Selection &selection);

/// Returns a caption for a figure whose numbers are not the model's. Empty if they are.
QString captionOf(const core::SoftmaxLook &look);

/// Formats the norm. A very small norm keeps its significant digits.
QString normText(double norm);

/// Returns "“river”: logit 0.4123, probability 0.2341".
QString barText(const SoftmaxContent::Bar &bar);

} // namespace headlight::ui
