// All layers × heads of a model as thumbnails of their attention weights. Some heads are large.
#pragma once

#include "core/analysis/head_glances.h"
#include "ui/figures/heatmap/heatmap_figure.h"
#include "ui/figures/heatmap/painting_cache.h"
#include "ui/figures/model/head_effects.h"
#include "ui/figures/model/head_numbers.h"
#include "ui/figures/model/model_geometry.h"

#include <map>

namespace headlight::ui {

/// The settings of the model view, except for the selection.
struct ModelLook {
    std::shared_ptr<const core::TraceGlances> glances{}; ///< from the shown run; null until ready
    std::vector<core::HeadId> pinned{};                  ///< heads that stay large
    std::optional<HeadEffects> effects{}; ///< if set, shown instead of the thumbnails
    std::optional<HeadNumbers> numbers{}; ///< shown if there are no effects
    double room = 0;                      ///< px reserved on the left for the view's list
    bool hasControls = false;             ///< large heads have a button that pins or unpins them
    bool isUnfinished = false;            ///< the pass is running, so only `glances` has numbers
    /// Caches of the tiles' images, shared with earlier figures. If null, images are not cached.
    std::shared_ptr<std::map<core::HeadId, std::shared_ptr<PaintingCache>>> kept{};
};

/// Returns "head 4.11", with the kind of attention if the model has several.
QString headNameOf(const core::Model &model, const core::HeadId &place);
/// Returns the selection at the attention weights of this head. Keeps the row if the tokens are the
/// same.
core::Selection atHead(core::Selection selection, const core::HeadId &place);

/// Returns one colour scale for the samples of a layer in this range. Unset if each sample has a
/// separate scale.
std::optional<ColourScale> commonScaleOf(const core::HeadGlances &layer, const core::Trace &trace,
                                         const FigureStyle &style, Range range);
/// Returns the content of a head's thumbnail. `common` is the layer's scale from commonScaleOf().
HeatmapContent sampledContent(const core::HeadGlances &layer, const core::HeadGlance &glance,
                              const core::Trace &trace, const FigureStyle &style, Range range,
                              const std::optional<ColourScale> &common = {});

class ModelFigure : public Figure {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::ModelFigure)

  public:
    static ModelFigure of(const core::TracePointer &trace, const core::Selection &selection,
                          const FigureStyle &style, const FigureOptions &options,
                          const ModelLook &look, HeatmapCache *kept = nullptr);

    struct Tile {
        core::HeadId place;
        std::size_t group = 0;
        int layer = 0;            ///< row in the group
        HeatmapContent content{}; ///< without a matrix until it is ready
        bool isOff = false;       ///< silenced or replaced
        QString words{};          ///< tooltip: the head's name and its intervention
    };
    struct Card {
        core::HeadId place;
        HeatmapFigure figure;
        bool isPinned = false;
        bool isSample = false; ///< shows a sample, because the matrix itself is not computed
    };

    QSizeF naturalSize() const override;
    QSizeF minimumSize() const override;
    QSizeF minSight() const override { return {240, 180}; }
    void paint(QPainter &painter, const QRectF &area, Device device) const override;
    void paintIn(QPainter &painter, const QRectF &area, Device device, CellDetail detail) const;
    qint64 cellCount() const override;
    QString description() const override;

    /// Returns why there is no picture. Empty if there is one.
    const QString &nothing() const { return m_nothing; }
    ModelGeometry geometry(const QRectF &area) const;
    HeatmapGeometry cardGeometry(const ModelGeometry &places, std::size_t card) const;
    /// Returns the rectangle of the button that pins or unpins a large head. Empty if there is no
    /// button.
    QRectF pinButton(const ModelGeometry &places, std::size_t card) const;
    /// Returns the rectangle of a thumbnail, or of the head's cell if there are cells.
    QRectF picture(const ModelGeometry &places, const Tile &tile) const;
    const std::vector<Tile> &tiles() const { return m_tiles; }
    const std::vector<Card> &cards() const { return m_cards; }
    const core::HeadId &selected() const { return m_selected; }
    /// Returns the effects shown instead of the thumbnails, or null if there are none.
    const HeadEffects *effects() const { return m_effects ? &*m_effects : nullptr; }
    /// Returns the measures or changes shown instead of the thumbnails, or null if there are none.
    const HeadNumbers *numbers() const { return m_numbers ? &*m_numbers : nullptr; }
    /// Returns the cells of a group, with a row per layer and a column per head. Hidden cells have
    /// no number.
    const HeatmapContent &effectsOfGroup(std::size_t group) const { return m_effectCells[group]; }
    /// Returns the card of the selected head.
    std::size_t selectedCard() const;
    /// Returns the head that is `layers` below and `heads` to the right of another one, or the last
    /// one in that direction.
    core::HeadId neighbour(const core::HeadId &of, int layers, int heads) const;

  private:
    explicit ModelFigure(FigureStyle style) : m_style(std::move(style)) {}
    void addTiles(const core::Trace &trace, const FigureOptions &options, const ModelLook &look);
    /// Returns the number in the cell of a head. Unset if there are no cells.
    std::optional<double> cellOf(const core::HeadId &head) const;
    void addCells(const ColourScale &scale, const FigureOptions &options);
    QString strongestWords() const;
    void paintGroups(QPainter &painter, const ModelGeometry &places, Device device,
                     CellDetail detail) const;
    void paintTile(QPainter &painter, const ModelGeometry &places, const Tile &tile, Device device,
                   CellDetail detail) const;
    void paintEffects(QPainter &painter, const ModelGeometry &places, Device device) const;
    void paintCards(QPainter &painter, const ModelGeometry &places, Device device,
                    CellDetail detail) const;
    double labelWidth() const;

    QString m_title, m_nothing;
    std::vector<ModelGroupSize> m_groups;
    QStringList m_groupNames; ///< one per group
    std::vector<Tile> m_tiles;
    std::vector<Card> m_cards;
    std::optional<HeadEffects> m_effects;
    std::optional<HeadNumbers> m_numbers;
    bool m_hasCells = false; ///< cells instead of thumbnails, even if no number is known
    std::vector<HeatmapContent> m_effectCells; ///< one per group; empty if there are no numbers
    core::HeadId m_selected;
    double m_room = 0;
    bool m_hasControls = false;
    FigureStyle m_style;
};

} // namespace headlight::ui
