// ModelFigure: numbers of the heads as cells instead of thumbnails. The numbers are the effects of
// silencing each head, a measure, or the change of a measure.
#include "ui/figures/heatmap/heatmap_painting.h"
#include "ui/figures/model/model_figure.h"
#include "ui/text/number_text.h"
#include "ui/text/sentences.h"

#include <cmath>

namespace headlight::ui {

std::optional<double> ModelFigure::cellOf(const core::HeadId &head) const {
    if (m_effects)
        return m_effects->valueOf(head);
    if (!m_numbers)
        return std::nullopt;
    const auto found = m_numbers->values.find(head);
    return found == m_numbers->values.end() ? std::nullopt : std::optional(found->second);
}

/// Creates a matrix for each group. Cells without a number are hidden: the head was off, lacks the
/// measure, or does not exist in this layer.
void ModelFigure::addCells(const ColourScale &scale, const FigureOptions &options) {
    for (std::size_t group = 0; group < m_groups.size(); ++group) {
        const core::Index layers = m_groups[group].layers, heads = m_groups[group].heads;
        std::vector<float> numbers(static_cast<std::size_t>(layers * heads), 0);
        std::vector<bool> isKnown(numbers.size(), false);
        for (const Tile &tile : m_tiles) {
            const std::optional<double> value = cellOf(tile.place);
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

/// Returns a text that names the head with the largest value.
QString ModelFigure::strongestWords() const {
    if (m_effectCells.empty())
        return {};
    const Tile *strongest = nullptr;
    double most = -1;
    for (const Tile &tile : m_tiles)
        if (const auto value = cellOf(tile.place); value && std::abs(*value) > most) {
            most = std::abs(*value);
            strongest = &tile;
        }
    if (!strongest)
        return {};
    const QString number = fullText(static_cast<float>(*cellOf(strongest->place)));
    return m_numbers && !m_numbers->isChange
               ? tr("Largest: %1, %2.").arg(strongest->words, number)
               : tr("Largest change: %1, %2.").arg(strongest->words, number);
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
