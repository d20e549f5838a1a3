// A learned matrix as the flow shows it: W_Q between the embeddings and the queries. Of a large one
// evenly spaced rows and columns.
#pragma once

#include "core/explain/parameter_matrix_view.h"
#include "core/transformer/model/parameter_sample.h"
#include "ui/figures/heatmap/heatmap_cache.h"
#include "ui/figures/heatmap/heatmap_figure.h"
#include "ui/figures/text/text.h"

#include <QCoreApplication>

namespace headlight::ui {

struct FlowParameters {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::FlowParameters)

  public:
    core::ParameterMatrixView matrix;
    core::ParameterSample sample;
    HeatmapContent content; ///< of the sample
    Spans symbol;           ///< "W" with its letter beneath the line

    /// The symbol and, muted, `rest`.
    Spans title(const QString &rest, const FigureStyle &style) const;
    static QString name() { return tr("learned"); }
    /// A number of it in words, by its place in the sample: "WQ, row 3, column 1: 0.4123".
    QString wordsOf(Cell sampled) const;
    /// "WQ, a learned matrix of 16 × 8".
    QString words() const;
    /// The row of the sample where the selected head's rows begin, and the one after them; none
    /// where they are not divided among heads.
    std::optional<core::Rows> headRows() const;
    /// The rows of the sample where another head's begin.
    std::vector<core::Index> headStarts() const;
};

/// None where no parameter of the model makes the selected stage, and of a comparison with a model
/// that has another. With the learned matrix of A, or what changed of it, as the options say.
std::optional<FlowParameters> learnedOf(const core::TracePointer &trace,
                                        const core::Selection &selection, const FigureStyle &style,
                                        const FigureOptions &options, HeatmapCache *kept = nullptr);

/// Between the heads' rows thin lines, and beside those of the selected head a bar.
void paintHeadRows(QPainter &painter, const HeatmapGeometry &geometry,
                   const FlowParameters &learned, const FigureStyle &style);

} // namespace headlight::ui
