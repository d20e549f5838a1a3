// The Text view: the text, wrapped as on a page. Each token is tinted by the weight that the
// selected token gives to it. With cross-attention, the text attended to comes first. If the tokens
// are patches of a picture, the picture is shown.
#pragma once

#include "ui/figures/base/figure.h"
#include "ui/figures/heatmap/heatmap_figure.h"
#include "ui/figures/sentence/strip_layout.h"

#include <QCoreApplication>
#include <QImage>

#include <map>
#include <memory>

namespace headlight::ui {

struct TintedTextContent {
    struct Text {
        QString title; ///< "source" or "target"; empty if there is only one text
        StripWords words;
        bool isAsking = false; ///< the words are the queries
        bool isRead = false;   ///< the words are the keys, which are tinted
        QImage picture{};      ///< the picture whose patches are the tokens, or null
    };
    QString title, where; ///< `where` is, for example, "layer 0, head 1"
    QString nothing;      ///< why there is no text; shown instead of the text
    std::vector<Text> texts;
    core::TracePointer trace; ///< the shown run
    core::Selection place{};  ///< the attention weights, without a query or key

    bool hasPicture() const { return !texts.empty() && !texts.front().picture.isNull(); }
};

struct TintedTextGeometry {
    struct Text {
        QRectF title;
        QPointF origin; ///< top left corner of `layout` in the figure
        std::shared_ptr<const StripLayout> layout;
    };
    QRectF area, title, subtitle;
    QRectF colourBar;      ///< empty if there are no weights
    double wordPixels = 0; ///< size of a word at the usual text size
    std::vector<Text> texts;
    double bottom = 0;

    QRectF word(std::size_t text, core::Index word) const {
        const Text &of = texts[text];
        return of.layout->chips[static_cast<std::size_t>(word)].rect.translated(of.origin);
    }
};

class TintedTextFigure : public Figure {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::TintedTextFigure)

  public:
    static TintedTextFigure fromTrace(const core::TracePointer &trace,
                                      const core::Selection &selection, const FigureStyle &style,
                                      const FigureOptions &options = {},
                                      HeatmapCache *kept = nullptr);

    QSizeF naturalSize() const override;
    QSizeF minimumSize() const override { return {m_style.scaled(240), m_style.scaled(140)}; }
    QSizeF readableSize(const QSizeF &sight) const override;
    QSizeF minSight() const override { return {200, 140}; }
    double heightFor(double width) const override;
    void paint(QPainter &painter, const QRectF &area, Device device) const override;
    qint64 cellCount() const override { return 0; }
    QString description() const override;

    const TintedTextContent &content() const { return *m_content; }
    TintedTextGeometry geometry(const QRectF &area) const;
    /// A word of one of the texts.
    struct Word {
        std::size_t text = 0;
        core::Index index = 0;
        bool operator==(const Word &) const = default;
    };
    std::optional<Word> wordAt(const TintedTextGeometry &places, QPointF point) const;
    /// Returns the nearest word of the line at the point. Unset if there are no words.
    std::optional<Word> nearestWord(const TintedTextGeometry &places, QPointF point) const;
    /// Paints only the part in `sight`.
    void paintIn(QPainter &painter, const QRectF &area, const QRectF &sight,
                 std::optional<Word> hovered) const;
    /// Returns the weight of a word of the text attended to, if a row is selected.
    std::optional<float> weightOf(Word word) const;
    std::optional<core::Index> query() const { return m_query; }
    std::optional<core::Index> key() const { return m_key; }
    /// Returns the index of the text whose words are the queries.
    std::size_t askingText() const;
    /// Returns the weights of the selected head, for screen readers and the range of the colours.
    const HeatmapContent &table() const { return m_table; }

  private:
    using TextWidths = std::vector<std::vector<double>>; // one list per text
    struct Layouts {
        QSizeF size{-1, -1}; ///< size available for the texts
        double word = 0;     ///< px, size of a word
        std::vector<std::shared_ptr<const StripLayout>> texts;
        std::map<double, TextWidths> widths; ///< measured widths by size of a word
    };
    TintedTextFigure(std::shared_ptr<const TintedTextContent> content, HeatmapContent table,
                     FigureStyle style);
    void select(const core::Selection &selection);
    QString subtitle() const;
    /// Returns the widths of the words' texts if words have this size.
    const TextWidths &widthsOf(double word) const;
    /// True if the texts with words of this size are at most `height` high. Does not include the
    /// colour bar.
    bool fits(double width, double word, double height) const;
    /// Lays out the texts with words of this size.
    void layOut(double width, double word) const;
    /// Tints a patch of the picture.
    void paintPatch(QPainter &painter, const QRectF &rect, std::optional<float> weight) const;
    void paintWord(QPainter &painter, const TintedTextGeometry &places, Word word) const;

    std::shared_ptr<const TintedTextContent> m_content;
    HeatmapContent m_table;
    std::optional<core::Index> m_query, m_key; // selected
    std::vector<float> m_weights;              // weights of the selected row, if any
    std::vector<bool> m_hidden;                // keys that a mask hides from the selected row
    FigureStyle m_style;
    std::shared_ptr<Layouts> m_layouts; // layouts for the last size, shared by copies
};

} // namespace headlight::ui
