// Two sentences as numbers, side by side: one-hot, bag of words, TF-IDF, embeddings, and context
// vectors. The similarities of the words and of the sentences are below each.
#pragma once

#include "ui/figures/base/figure.h"
#include "ui/figures/words/words_content.h"

namespace headlight::ui {

class HeatmapCache;

struct WordsGeometry {
    struct Card {
        QRectF rect, title, explanation;
        HeatmapGeometry numbers;
        HeatmapGeometry cosines;    ///< `cells` is empty if there are no cosines
        QRectF textsCaption, texts; ///< null if the sentences are not compared
    };
    QRectF area, title;
    std::vector<QRectF> sentences;
    QRectF notice; ///< null if there is none
    std::vector<Card> cards;
    double bottom = 0; ///< bottom of the last card
};

class WordsFigure : public Figure {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::WordsFigure)

  public:
    static WordsFigure fromTrace(const core::TracePointer &trace, const core::Selection &selection,
                                 const FigureStyle &style, const FigureOptions &options = {},
                                 HeatmapCache *kept = nullptr);

    QSizeF naturalSize() const override;
    QSizeF minimumSize() const override;
    QSizeF readableSize(const QSizeF &sight) const override;
    QSizeF minSight() const override { return {200, 160}; }
    double heightFor(double width) const override;
    void paint(QPainter &painter, const QRectF &area, Device device) const override;
    qint64 cellCount() const override;
    QString description() const override;

    WordsGeometry geometry(const QRectF &area) const;
    const WordsContent &content() const { return m_content; }

    /// A cell of a card's numbers or cosines.
    struct Place {
        std::size_t card = 0;
        bool isCosine = false;
        Cell cell;
    };
    static std::optional<Place> placeAt(const WordsGeometry &places, QPointF point);
    QString words(const Place &place) const;

  private:
    WordsFigure(WordsContent content, FigureStyle style)
        : m_content(std::move(content)), m_style(std::move(style)) {}
    std::size_t columnsIn(double width) const;
    double headHeight(double width) const;
    /// Space needed by a matrix: height in px of everything except the cells, and the number of
    /// rows.
    struct Need {
        double beside = 0;
        core::Index rows = 0;
    };
    Need needOf(const HeatmapFigure &heatmap, double width) const;
    struct RowNeed {
        double words = 0; ///< titles, explanations and `texts`
        double texts = 0; ///< the comparison of the sentences
        Need numbers, cosines;
    };
    RowNeed needOf(std::size_t first, std::size_t end, double width) const;
    double cardWidth(double inner, std::size_t columns) const;
    /// True if the cosines are beside the numbers in a card of this inner width. Only a card that
    /// is alone can be that wide.
    bool isBeside(double inside) const;
    /// Returns the height in px of the matrices in a row of cards, for a given cell height.
    double matricesHeight(const RowNeed &need, double cell, bool beside) const;
    double widthOf(std::size_t cards, double each) const;
    QSizeF tightSize() const;
    /// Returns the factor that scales everything down if the area is too small.
    double shrinkIn(const QSizeF &size) const;
    void paintAll(QPainter &painter, const QRectF &area, Device device) const;
    double neededHeight(double width, double cell) const;
    HeatmapGeometry placed(const HeatmapFigure &heatmap, const QRectF &available,
                           bool hasBar) const;
    bool hasBar(const WordsCard &card) const { return !core::isOverWords(card.way); }
    void paintCardOf(QPainter &painter, const WordsGeometry::Card &places, const WordsCard &card,
                     Device device) const;

    WordsContent m_content;
    FigureStyle m_style;
};

} // namespace headlight::ui
