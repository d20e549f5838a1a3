// Filmstrip: its frames, their names, their pictures and their marks.
#include "ui/accessibility/button_list.h"
#include "ui/figures/heatmap/thumbnail.h"
#include "ui/figures/heatmap/trace_heatmap.h"
#include "ui/figures/parts/model_parts.h"
#include "ui/figures/parts/part_titles.h"
#include "ui/panels/chip_strip.h"
#include "ui/panels/film_frame.h"
#include "ui/panels/filmstrip.h"
#include "ui/panels/layer_chip.h"
#include "ui/panels/mechanism_actions.h"
#include "ui/text/chip_text.h"
#include "ui/text/glossary/term_html.h"
#include "ui/text/stage_titles.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace headlight::ui {

namespace {

constexpr double kLowWindow = 560;                // px, times the text scale
constexpr int kLayersShare = 1, kFramesShare = 2; // widths, if they are side by side

} // namespace

void Filmstrip::rebuildFrames() {
    emit termHovered({});
    // deleteLater(), because one of the frames may be handling a click
    while (QLayoutItem *item = m_frameLayout->takeAt(0)) {
        if (QWidget *widget = item->widget()) {
            if (auto *button = qobject_cast<QAbstractButton *>(widget))
                m_group->removeButton(button);
            widget->hide();
            widget->setObjectName({});
            widget->setParent(nullptr);
            widget->deleteLater();
        }
        delete item;
    }
    const std::vector<StageName> names = stageNames();
    for (std::size_t index = 0; index < m_stages.size(); ++index) {
        const core::Stage stage = m_stages[index].stage;
        const core::Role role = core::infoOf(stage).role;
        const bool hasColour = role == core::Role::Query || role == core::Role::Key ||
                               role == core::Role::Value || role == core::Role::Context;
        auto *frame =
            new FilmFrame(names[index].symbol, hasColour ? m_style.colourOf(role) : m_style.text,
                          m_style, m_frames);
        const GlossaryEntry entry = entryOf(stage);
        frame->setTerm(entry.id);
        connect(frame, &FilmFrame::termHovered, this, &Filmstrip::termHovered);
        const QString &title = names[index].title;
        frame->setToolTip(tipOf(entry, title == entry.term ? QString() : title));
        frame->setAccessibleName(title);
        frame->setDescription(plainTipOf(entry));
        if (const auto setting =
                m_mechanism ? m_mechanism->settingOfFrame(m_stages[index]) : std::nullopt)
            frame->setMenuFiller(
                [this, setting](QMenu &menu) { m_mechanism->fill(menu, *setting); },
                MechanismActions::toolTipOf(*setting));
        m_group->addButton(frame, static_cast<int>(index));
        if (index > 0 &&
            !(m_stages[index].attention == m_stages[index - 1].attention &&
              core::infoOf(stage).part == core::infoOf(m_stages[index - 1].stage).part))
            m_frameLayout->addSpacing(10); // a gap before another part of the layer
        m_frameLayout->addWidget(frame);
    }
    m_frameLayout->addStretch();
    showMarks();
    paintFrames();
}

void Filmstrip::paintFrames() {
    m_painter->stop();
    m_kept.beginFigure();
    FigureOptions options;
    options.numbers = false;
    const core::TracePointer &trace = m_document.trace();
    for (QAbstractButton *button : m_group->buttons()) {
        auto *frame = static_cast<FilmFrame *>(button);
        const core::StageId stage = m_stages[static_cast<std::size_t>(m_group->id(button))];
        frame->setPicture(
            trace ? thumbnailOf(contentOf(trace, atStage(m_document.selectionInTrace(), stage),
                                          m_style, options, &m_kept),
                                m_style, frame->pictureSize(), devicePixelRatioF())
                  : QImage());
    }
}

/// Marks the frames and layers that the last edit has recomputed. Fades frames that a slow pass may
/// change.
void Filmstrip::showMarks() {
    const SlowPass &pass = m_document.slowPass();
    const RecomputedStages &recomputed = m_document.recomputedStages();
    for (QAbstractButton *button : m_group->buttons()) {
        const core::StageId stage = m_stages[static_cast<std::size_t>(m_group->id(button))];
        static_cast<FilmFrame *>(button)->setMarks({recomputed.contains(stage),
                                                    pass.mayChange(stage),
                                                    pass.isSlow() && button->isChecked()});
    }
    for (QAbstractButton *button : m_layerGroup->buttons()) {
        const auto &stages = m_layerStages[static_cast<std::size_t>(m_layerGroup->id(button))];
        static_cast<LayerChip *>(button)->setRecomputed(
            std::ranges::any_of(stages, [&](core::StageId at) { return recomputed.contains(at); }),
            m_style.accent);
    }
}

/// Reserves space for all frames and layers. If they do not fit, the user scrolls.
void Filmstrip::fitFrames() {
    // Measures the widgets, because a layout ignores hidden ones, and new ones are still hidden.
    const auto fit = [this](ChipStrip *strip, const QWidget *content, int air) {
        const QLayout &layout = *content->layout();
        int width = layout.contentsMargins().left() + layout.contentsMargins().right();
        int height = 0;
        for (int i = 0; i < layout.count(); ++i) {
            const QWidget *widget = layout.itemAt(i)->widget();
            if (widget)
                widget->ensurePolished();
            const QSize size = widget ? widget->sizeHint() : layout.itemAt(i)->sizeHint();
            width += size.width() + layout.spacing();
            height = std::max(height, size.height());
        }
        strip->widget()->setMinimumWidth(width + qRound(m_style.scaled(8)));
        strip->setFixedHeight(height + air);
    };
    fit(m_strip, m_frames, 4);
    for (ChipStrip *strip : m_layerStrips)
        fit(strip, strip->widget(), 0);
    placeLayers();
}

void Filmstrip::setWindowHeight(int height) {
    if (std::exchange(m_windowHeight, height) != height)
        placeLayers();
}

/// Places the layers above the frames or, in a window that is short relative to its text size, to
/// their left.
void Filmstrip::placeLayers() {
    const bool isBeside = m_windowHeight < m_style.scaled(kLowWindow);
    int width = 0;
    for (const ChipStrip *strip : m_layerStrips)
        width = std::max(width, strip->widget()->minimumWidth());
    // A few layers take only the width that they need.
    m_layerRows->setMaximumWidth(isBeside && width > 0 ? width : QWIDGETSIZE_MAX);
    m_rows->setStretchFactor(m_layerRows, isBeside ? kLayersShare : 0);
    m_rows->setStretchFactor(m_strip, isBeside ? kFramesShare : 0);
    const auto direction = isBeside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom;
    if (m_rows->direction() == direction)
        return;
    m_rows->setDirection(direction);
    // Queued until the frames and layers have their new positions.
    QMetaObject::invokeMethod(this, &Filmstrip::showCurrentFrame, Qt::QueuedConnection);
}

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
        names.push_back({at, model().isCaptured() ? title : chipText(at, model()), title});
    }
    return names;
}

QString Filmstrip::layerName() const {
    return m_layers.size() > 1 && hasStages() ? titleOf(m_layers[m_layer]) : QString();
}

} // namespace headlight::ui
