// Attention as lines between two columns of tokens: queries on the left, keys on the right. A
// line's thickness shows the weight, its colour the head. For text without spaces, the tokens are
// in two rows, with the queries above.
#pragma once

#include "ui/figures/base/figure.h"
#include "ui/figures/heatmap/heatmap_figure.h"
#include "ui/figures/lines/lines_geometry.h"

#include <QCoreApplication>

namespace headlight::ui {

class LinesFigure : public Figure {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::LinesFigure)

  public:
    /// Shows the attention weights of the selection's attention module. The selected query, or else
    /// the selected key, is pinned, so that only its lines are drawn.
    static LinesFigure fromTrace(const core::TracePointer &trace, const core::Selection &selection,
                                 const FigureStyle &style, const FigureOptions &options = {},
                                 HeatmapCache *kept = nullptr);

    QSizeF naturalSize() const override;
    QSizeF minimumSize() const override { return {m_style.scaled(280), m_style.scaled(200)}; }
    QSizeF readableSize(const QSizeF &sight) const override;
    QSizeF minSight() const override { return {240, 200}; }
    double heightFor(double width) const override;
    void paint(QPainter &painter, const QRectF &area, Device device) const override;
    qint64 cellCount() const override;
    QString description() const override;

    const LinesContent &content() const { return *m_content; }
    LinesGeometry geometry(const QRectF &area) const;
    /// Whether the picture names the key that shows all lines again.
    enum class Hint { None, Esc };
    /// Paints only the part in `sight`. With `hovered`, paints only the lines of this token.
    void paintIn(QPainter &painter, const QRectF &area, const QRectF &sight,
                 std::optional<LineToken> hovered, Hint hint) const;

    /// A line on screen, from a query to a key.
    struct Line {
        core::Index head = 0;
        core::StrongWeight weight;
        bool operator==(const Line &) const = default;
    };
    /// Returns the line at the point, the strongest if there are several. `hovered` is that of
    /// paintIn().
    std::optional<Line> lineAt(const LinesGeometry &places, QPointF point,
                               std::optional<LineToken> hovered) const;
    /// Returns the lines of a token, strongest first.
    std::vector<Line> linesOf(LineToken token) const;
    /// Returns the pinned token.
    std::optional<LineToken> pinned() const;
    /// Returns "bank (query 3) attends to money 0.56, …".
    QString words(LineToken token) const;
    /// Returns the width of a line in px.
    double lineWidth(double weight, const LinesGeometry &places) const;

    /// Sets the weights of a head that a worker has found.
    void setStrong(core::Index head, std::shared_ptr<const core::StrongWeights> weights);
    /// Finds the weights of all missing heads. This may take a long time, so use it only for files.
    core::Outcome findMissing(const std::stop_token &stop);

    /// Returns the weights of the selected head, for screen readers.
    const HeatmapContent &table() const { return m_table; }

  private:
    LinesFigure(std::shared_ptr<LinesContent> content, HeatmapContent table, FigureStyle style);
    void select(const core::Selection &selection);
    struct Painted {
        std::size_t lines = 0, leftOut = 0;
    };
    Painted paintLines(QPainter &painter, const LinesGeometry &places, const QRectF &sight,
                       std::optional<LineToken> focus) const;
    void paintTokens(QPainter &painter, const LinesGeometry &places, const QRectF &sight,
                     std::optional<LineToken> focus) const;
    void paintNumbers(QPainter &painter, const LinesGeometry &places, const QRectF &sight,
                      LineToken focus) const;
    void paintLegend(QPainter &painter, const LinesGeometry &places) const;
    QString subtitle(const Painted &painted, std::optional<LineToken> focus, Hint hint) const;

    std::shared_ptr<LinesContent> m_content;
    LinesMeasures m_measures;
    HeatmapContent m_table;
    std::optional<core::Index> m_query, m_key; // selected
    FigureStyle m_style;
};

} // namespace headlight::ui
