// Content of the Lines view: the tokens of both sides, and the weights that have a line.
#pragma once

#include "core/analysis/strong_weights.h"
#include "core/selection/selection.h"
#include "ui/figures/base/figure_options.h"

#include <QStringList>

#include <memory>

namespace headlight::ui {

/// A token on one side of the lines.
struct LineToken {
    enum class Side { Query, Key };
    Side side = Side::Query;
    core::Index index = 0;
    bool operator==(const LineToken &) const = default;
};

struct LinesContent {
    QString title;
    QString nothing;           ///< why there are no lines; shown in place of the picture
    QStringList queries, keys; ///< tokens without padding
    QString queryTitle, keyTitle;
    /// True if the tokens are in two rows instead of two columns, because the text's script has no
    /// spaces. Such tokens are about as wide as they are tall.
    bool isAcross = false;
    core::TracePointer trace; ///< the shown run
    core::Selection place{};  ///< the attention weights, without a query or key
    core::Index headCount = 0;
    std::vector<core::Index> heads; ///< heads that have lines, in ascending order
    /// The weights with a line, one list per element of `heads`. Null until a worker has found
    /// them. For small matrices that the trace already has, they are found immediately.
    std::vector<std::shared_ptr<const core::StrongWeights>> strong;
    double threshold = 0;

    /// Returns the weight with the thickest line: 1, or more if weights without a softmax are
    /// larger.
    double largest() const;
    /// Returns the number of weights of at least the threshold, in all heads found so far.
    core::Index found() const;
    /// Returns the heads whose weights are not found yet.
    std::vector<core::Index> missing() const;
    void set(core::Index head, std::shared_ptr<const core::StrongWeights> weights);
    const QStringList &tokens(LineToken::Side side) const {
        return side == LineToken::Side::Query ? queries : keys;
    }
};

/// Returns the maximum number of weights that are listed per head if `heads` heads have lines.
std::size_t maxLinesOfHead(std::size_t heads);

LinesContent linesContentOf(const core::TracePointer &trace, const core::Selection &selection,
                            const FigureOptions &options);

} // namespace headlight::ui
