// SourceBar: the switches for mask layers, scaling of the scores, and positions.
#include "ui/document/edits/mask_edits.h"
#include "ui/document/edits/mechanism_edits.h"
#include "ui/text/mask_text.h"
#include "ui/text/sentences.h"
#include "ui/widgets/plain_text.h"
#include "ui/window/source_bar.h"

#include <QAction>

#include <algorithm>

namespace headlight::ui {

/// Shows mask layers of a session that have no switch.
void SourceBar::showOtherMasks(const core::MaskLayers &layers) {
    QStringList names;
    for (const core::MaskLayer &layer : layers)
        if (!std::holds_alternative<core::CausalMask>(layer) &&
            !std::holds_alternative<core::PaddingMask>(layer))
            names << maskName(layer);
    m_otherMasks->setVisible(!names.isEmpty());
    m_otherMasks->setChecked(true);
    m_otherMasks->setIconText(QStringLiteral("+%1").arg(names.size()));
    m_otherMasks->setText(withAmpersands(maskSentence(names)));
    m_otherMasks->setToolTip(
        tr("Also: %1. Click to remove this; M shows the mask editor.").arg(listed(names)));
    if (QWidget *button = widgetForAction(m_otherMasks))
        button->setAccessibleName(maskSentence(names));
}

const core::MaskLayers &SourceBar::shownMasks() const {
    return m_document.state().input.masksOf(m_document.selection().attention());
}

void SourceBar::toggleMaskLayer(const core::MaskLayer &layer, bool on) {
    core::MaskLayers layers = shownMasks();
    std::erase_if(layers,
                  [&](const core::MaskLayer &each) { return each.index() == layer.index(); });
    if (on) // before the edited cells, which take precedence
        layers.insert(std::find_if(layers.begin(), layers.end(),
                                   [](const core::MaskLayer &each) {
                                       return std::holds_alternative<core::CellMask>(each);
                                   }),
                      layer);
    setMasks(std::move(layers));
}

void SourceBar::setMasks(core::MaskLayers masks) {
    apply(
        edits::setLayers(m_document.state(), std::move(masks), m_document.selection().attention()));
    showState();
}

/// Turns scaling on with the session's own divisor if it has one, or off.
void SourceBar::switchScaling(bool on) {
    core::Scale scale = m_document.session().model.config.scale;
    if (!on)
        scale.kind = core::Scale::Kind::Off;
    else if (scale.kind == core::Scale::Kind::Off)
        scale.kind = core::Scale::Kind::SquareRoot;
    const core::Result<Change> change = edits::setScale(m_document.state(), scale);
    // A switch needs no "before → after" in its text.
    const QString words = scale.kind == core::Scale::Kind::Off ? tr("Scores not scaled")
                          : scale.kind == core::Scale::Kind::Number
                              ? tr("Scores divided by %1").arg(static_cast<double>(scale.number))
                              : tr("Scores divided by the square root of d");
    apply(change ? change->named({words, {}, {}}) : change);
    showState();
}

/// Turns positions on, with the session's own kind if it has one, or off.
void SourceBar::switchPositions(bool on) {
    const core::Model &own = m_document.session().model;
    const core::Positions usual = own.config.positions == core::Positions::None
                                      ? core::Positions::Sinusoidal
                                      : own.config.positions;
    apply(edits::setPositions(m_document.state(), on ? usual : core::Positions::None,
                              own.parameters));
    showState();
}

} // namespace headlight::ui
