// Filmstrip: the names of its layers and stages.
#include "ui/figures/parts/part_titles.h"
#include "ui/panels/filmstrip.h"
#include "ui/text/chip_text.h"
#include "ui/text/stage_titles.h"

namespace headlight::ui {

QString Filmstrip::titleOf(const Layer &layer) const {
    const ModelPart &part = layer.parts.front();
    return part.kind == ModelPart::Kind::Embedding || part.kind == ModelPart::Kind::Head
               ? ui::titleOf(model(), part)
               : tr("layer %1").arg(part.attention.layer);
}

std::vector<Filmstrip::StageName> Filmstrip::stageNames() const {
    std::vector<StageName> names;
    if (!hasStages())
        return names;
    for (const core::StageId &at : m_stages) {
        const QString title = ui::titleOf(model(), at.stage);
        // A capture does not contain the operations.
        names.push_back(
            {at, model().isCaptured() ? title : chipText(at.stage, model().config), title});
    }
    return names;
}

QString Filmstrip::layerName() const {
    return m_layers.size() > 1 && hasStages() ? titleOf(m_layers[m_layer]) : QString();
}

} // namespace headlight::ui
