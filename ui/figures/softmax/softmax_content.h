// What there is to show of softmax, in words and numbers, without a place: a row of logits, or many
// dot products that were drawn.
#pragma once

#include "core/analysis/softmax_row.h"
#include "core/analysis/softmax_spread.h"
#include "ui/figures/base/figure_options.h"

#include <QStringList>

#include <optional>
#include <utility>
#include <vector>

namespace headlight::ui {

/// What a view has had made elsewhere, or holds for as long as a drag lasts.
struct GivenSoftmax {
    /// Null: it is being drawn.
    std::optional<core::SoftmaxSpreadPointer> spread;
    std::optional<std::pair<double, double>> range; ///< of the logits' axis
    std::optional<std::size_t> chosen;              ///< among numbers of one's own
};

struct SoftmaxContent {
    struct Bar {
        std::size_t index = 0; ///< in the row
        QString name;
        float logit = 0;
        float probability = 0;
        bool isHidden = false;
        bool isSetByHand = false;
        bool operator==(const Bar &) const = default;
    };

    core::SoftmaxPart part = core::SoftmaxPart::Row;
    QString title, subtitle;
    QString nothing;   ///< why there is nothing to be seen; the rest is empty then
    QStringList facts; ///< a line each, beneath the subtitle
    QString note;      ///< beneath all of it

    bool isOwn = false;     ///< numbers of one's own
    bool canChange = false; ///< else a capture's
    std::vector<Bar> bars;  ///< in the row's order; of a long one those with most probability
    QString others;         ///< what the bars that are not shown have together; empty: none
    std::optional<std::size_t> chosen; ///< of `bars`
    double low = -1, high = 1;         ///< of the logits' axis
    core::Matrix jacobian;             ///< of the bars
    double norm = 0;                   ///< of the whole row's

    core::SoftmaxSpreadPointer spread; ///< null: it is being drawn
    QStringList rows;                  ///< of the table beside it: what is measured
    QStringList plain, scaled;         ///< without ÷√d_k and with it
};

/// A row has at most as many bars.
inline constexpr std::size_t kMostSoftmaxBars = core::kMostOwnLogits;

/// Draws what is not given, which takes up to a few seconds.
SoftmaxContent softmaxContentOf(const core::TracePointer &trace, const core::Selection &selection,
                                const core::SoftmaxLook &look, const GivenSoftmax &given = {},
                                const Compared &compared = {});

/// Why a side of a comparison cannot be shown; numbers of one's own and drawn ones have no sides.
/// The trace of such may be null.
WhyNot whyNotSoftmax(const core::TracePointer &trace, const core::Selection &selection,
                     const core::SoftmaxLook &look, const Compared &compared);

/// Why there is no row of the trace, in a sentence; empty: there is one.
QString whyNoSoftmaxRow(const core::Trace &trace, const core::Selection &selection);

/// What can stand beneath such a figure where its numbers are not the model's; empty: they are.
QString captionOf(const core::SoftmaxLook &look);

/// A size that has almost vanished keeps its digits.
QString normText(double norm);

/// "“river”: logit 0.4123, probability 23.41 %".
QString barWords(const SoftmaxContent::Bar &bar);

} // namespace headlight::ui
