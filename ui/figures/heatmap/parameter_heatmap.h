// A parameter matrix in the flow, such as W_Q between the embeddings and the queries. Large
// matrices are sampled at evenly spaced rows and columns.
#pragma once

#include "core/explain/parameter_matrix_view.h"
#include "core/transformer/model/parameter_sample.h"
#include "ui/figures/heatmap/heatmap_cache.h"
#include "ui/figures/heatmap/heatmap_figure.h"
#include "ui/figures/text/text.h"

#include <QCoreApplication>

namespace headlight::ui {

struct ParameterHeatmap {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::ParameterHeatmap)

  public:
    core::ParameterMatrixView matrix;
    core::ParameterSample sample;
    HeatmapContent content; ///< content of the sample
    Spans symbol;           ///< "W_Q" with a real subscript

    /// Returns the symbol, followed by `rest` in a muted colour.
    Spans title(const QString &rest, const FigureStyle &style) const;
    static QString name() { return tr("parameters"); }
    /// Describes a number by its position in the sample: "WQ, row 3, column 1: 0.4123".
    QString wordsOf(Cell sampled) const;
    /// Returns "WQ, a weight matrix of 16 × 8".
    QString words() const;
    /// Returns the selected head's rows in the sample. Unset if the rows are not split between
    /// heads.
    std::optional<core::Rows> headRows() const;
    /// Returns the first row in the sample of every head except the first.
    std::vector<core::Index> headStarts() const;
};

/// Returns the parameter matrix that produces the selected stage. It is the current one, A's, or
/// the difference, as set in the options. Unset if the stage has no such matrix, or if the matrices
/// of the compared models differ in size.
std::optional<ParameterHeatmap> learnedOf(const core::TracePointer &trace,
                                          const core::Selection &selection,
                                          const FigureStyle &style, const FigureOptions &options,
                                          HeatmapCache *kept = nullptr);

/// Paints thin lines between the heads' rows, and a bar beside the selected head's rows.
void paintHeadRows(QPainter &painter, const HeatmapGeometry &geometry,
                   const ParameterHeatmap &learned, const FigureStyle &style);

} // namespace headlight::ui
