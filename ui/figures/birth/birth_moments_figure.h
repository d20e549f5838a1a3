// The picture of a head being born for a file: six snapshots side by side, and the loss below them.
#pragma once

#include "ui/figures/base/figure.h"
#include "ui/figures/base/figure_options.h"
#include "ui/figures/birth/birth_geometry.h"
#include "ui/figures/text/text.h"

namespace headlight::ui {

/// Layout of the six snapshots.
struct BirthMomentsGeometry {
    QRectF area, title, learned;
    std::vector<QRectF> headings;                       ///< two-line heading of each snapshot
    std::vector<QRectF> headTitles;                     ///< title of each head
    std::vector<std::vector<HeatmapGeometry>> pictures; ///< [head][snapshot]
    std::vector<QRectF> answers;                        ///< answers below each snapshot
    /// True if the pictures are labelled with the words of the example, false if the words do not
    /// fit and are numbered instead.
    bool hasWords = true;
    CurvePlotGeometry curve;
    std::vector<BirthMarkPlace> marks;
};

class BirthMomentsFigure : public Figure {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::BirthMomentsFigure)
  public:
    static constexpr std::size_t kMoments = 6;
    /// Without a run, or for side A of a comparison, the figure only states why it is empty.
    static BirthMomentsFigure of(const core::RecordedRunPointer &run, const FigureStyle &style,
                                 const FigureOptions &options = {}, std::size_t example = 0);

    QSizeF naturalSize() const override;
    QSizeF minimumSize() const override;
    double heightFor(double width) const override;
    void paint(QPainter &painter, const QRectF &area, Device device) const override;
    qint64 cellCount() const override;
    QString description() const override;

    /// Returns why there is nothing to show; empty if there is something.
    const QString &nothing() const { return m_moments.back().nothing; }
    /// Returns the content of each snapshot.
    const std::vector<BirthContent> &moments() const { return m_moments; }
    BirthMomentsGeometry geometry(const QRectF &area) const;

  private:
    BirthMomentsFigure(std::vector<BirthContent> moments, FigureStyle style)
        : m_moments(std::move(moments)), m_style(std::move(style)) {}
    double columnWidth(double width) const;
    /// Returns the height of all parts except the pictures.
    double textHeight(double width) const;
    HeatmapContent picture(std::size_t moment, std::size_t head, bool hasWords) const;
    Spans answerSpans(const BirthContent &content) const;

    std::vector<BirthContent> m_moments; ///< at least one
    FigureStyle m_style;
};

} // namespace headlight::ui
