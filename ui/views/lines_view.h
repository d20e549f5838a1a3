// The "Lines" tab: attention as lines between tokens. Pointing at a token shows only its lines, a
// click pins it. The bar at the bottom chooses the heads and the threshold.
#pragma once

#include "ui/compute/latest_job.h"
#include "ui/figures/lines/lines_figure.h"
#include "ui/views/figure_view.h"

#include <map>

class QAction;

namespace headlight::ui {

class LinesBar;

class LinesView : public FigureView {
    Q_OBJECT
  public:
    explicit LinesView(Document &document, QWidget *parent = nullptr);

    /// Returns the current layout. Requires a figure.
    const LinesGeometry &geometry() const;
    const LinesFigure *lines() const { return static_cast<const LinesFigure *>(currentFigure()); }
    ShownHeatmap shownHeatmap() override;
    /// Actions for the window's menu: all heads, only the selected head, lower and higher
    /// threshold.
    QList<QAction *> actions() const;
    void setHeads(LineHeads heads);
    /// Shows the lines of the head, or hides them.
    void toggleHead(core::Index head);
    /// `threshold`: 0 … 1.
    void setThreshold(double threshold);
    bool isComplete() override;
    /// Returns the token under the mouse, whose lines are shown.
    std::optional<LineToken> hoveredToken() const { return m_hovered; }

  signals:
    /// An action of the menu was triggered while the view is not visible.
    void wanted();

  protected:
    std::unique_ptr<Figure> makeFigure(const FigureInput &input) const override;
    HitTestResult placeAt(QPointF point) const override;
    QString wordsAt(QPointF point) const override;
    QString termAt(QPointF point) const override;
    void paintFigure(QPainter &painter) override;
    bool wantsNeighbours() override { return isComplete(); }
    std::optional<HeatmapGeometry> largeGeometry() const override { return std::nullopt; }
    std::vector<QRectF> sought() const override;
    bool scrollAt(QPointF point, QPointF by) override;
    bool handleKey(QKeyEvent *event) override;
    QSizeF figureSize() const override;
    void resizeEvent(QResizeEvent *event) override;
    bool event(QEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;

  private:
    /// Identifies the pass, the layer and the options that the found weights are for.
    struct SearchKey {
        core::PlanPointer plan;
        core::AttentionId attention;
        core::Index sequence = 0;
        double threshold = 0;
        std::size_t heads = 0;
        bool operator==(const SearchKey &) const = default;
    };
    static SearchKey soughtOf(const LinesContent &content);
    void forget();
    void findMissing();
    void setHovered(std::optional<LineToken> token);
    bool hasLines() const { return lines() && lines()->content().nothing.isEmpty(); }
    core::Selection atToken(LineToken token) const;
    void moveToken(LineToken::Side side, core::Index by);
    void showBar();

    LinesBar *m_bar;
    mutable std::optional<LinesGeometry> m_places; // null: not laid out yet
    // sought() compares the selected tokens with those before, so that it finds the changed one.
    using Tokens = std::pair<std::optional<core::Index>, std::optional<core::Index>>;
    mutable Tokens m_tokens;         // query and key
    mutable bool m_keyIsNew = false; // true if the last change was one of the key alone
    std::optional<LineToken> m_hovered;
    SearchKey m_sought{};
    std::map<core::Index, std::shared_ptr<const core::StrongWeights>> m_found; // key: the head
    std::shared_ptr<const core::StrongWeightFinder> m_finder;
    std::optional<core::Index> m_finding; // head being searched; stays set if the search failed
    bool m_hasFailed = false;
    LatestJob m_job;
};

} // namespace headlight::ui
