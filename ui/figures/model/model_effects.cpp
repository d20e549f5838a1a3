// ModelFigure: the effects of silencing each head, as cells in the places of the thumbnails.
#include "ui/figures/heatmap/heatmap_painting.h"
#include "ui/figures/model/model_figure.h"
#include "ui/text/number_text.h"
#include "ui/text/sentences.h"

#include <cmath>

namespace headlight::ui {

/// Creates a matrix for each group. A cell without an effect is hidden: the head was off, or its
/// layer has fewer heads.
void ModelFigure::addEffects(const FigureOptions &options) {
    const ColourScale scale = scaleOf(*m_effects, m_style.signedMap);
    for (std::size_t group = 0; group < m_groups.size(); ++group) {
        const core::Index layers = m_groups[group].layers, heads = m_groups[group].heads;
        std::vector<float> numbers(static_cast<std::size_t>(layers * heads), 0);
        std::vector<bool> isKnown(numbers.size(), false);
        for (const Tile &tile : m_tiles) {
            const std::optional<double> value = m_effects->valueOf(tile.place);
            if (tile.group != group || !value)
                continue;
            const auto at = static_cast<std::size_t>(tile.layer * heads + tile.place.head);
            numbers[at] = static_cast<float>(*value);
            isKnown[at] = true;
        }
        core::CellMask without;
        for (core::Index layer = 0; layer < layers; ++layer)
            for (core::Index head = 0; head < heads; ++head)
                if (!isKnown[static_cast<std::size_t>(layer * heads + head)])
                    without.cells.push_back({{}, layer, head, false});
        HeatmapContent content;
        content.tensor = core::Tensor({1, layers, heads}, std::move(numbers));
        content.setScale(scale, m_style, options);
        content.hidesWholly = false; // a layer without effects must not look like a row of zeros
        if (!without.cells.empty())
            content.mask = std::make_shared<const core::Mask>(core::MaskLayers{without}, 0, layers,
                                                              heads, heads);
        m_effectCells.push_back(std::move(content));
    }
}

/// Names the head with the largest effect.
QString ModelFigure::strongestWords() const {
    if (m_effectCells.empty())
        return {};
    const Tile *strongest = nullptr;
    double most = -1;
    for (const Tile &tile : m_tiles)
        if (const auto value = m_effects->valueOf(tile.place); value && std::abs(*value) > most) {
            most = std::abs(*value);
            strongest = &tile;
        }
    if (!strongest)
        return {};
    return tr("Largest change: %1, %2.")
        .arg(strongest->words, fullText(static_cast<float>(*m_effects->valueOf(strongest->place))));
}

void ModelFigure::paintEffects(QPainter &painter, const ModelGeometry &places,
                               Device device) const {
    for (std::size_t group = 0; group < m_effectCells.size(); ++group) {
        const HeatmapContent &content = m_effectCells[group];
        HeatmapGeometry cells;
        cells.area = cells.used = cells.cells = places.groups[group].tiles;
        cells.rows = m_groups[group].layers;
        cells.columns = m_groups[group].heads;
        cells.cell = {places.groups[group].side, places.groups[group].side};
        paintCells(painter, cells, content, m_style, m_style.background, device);
        paintNumbers(painter, cells, content, m_style, m_style.background);
        paintFrame(painter, cells, m_style);
    }
    paintColourBar(painter, places.colourBar, m_effectCells.front().scale, m_style);
}

} // namespace headlight::ui
