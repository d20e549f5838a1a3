// SourceBar: how the controls share its width.
#include "ui/widgets/elided_combo_box.h"
#include "ui/window/source_bar.h"

#include <QAction>
#include <QEvent>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>

#include <algorithm>

namespace headlight::ui {

namespace {

constexpr int kMaxTitleWidth = 320; // px at a text height of 16; titles may have any length
constexpr int kMinTitleWidth = 128;
constexpr int kUsualTitle = 150; // width for which the labels' space is calculated
constexpr int kSpare = 24;       // reserve for the style's own spacing

} // namespace

/// Returns the minimum width of the other controls, without labels and with the texts at their
/// minimum.
int SourceBar::minWidthOfOthers() const {
    const QMargins margins = layout()->contentsMargins();
    int width = margins.left() + margins.right();
    for (QAction *action : actions()) {
        const QWidget *widget = widgetForAction(action);
        const bool isThere = action == m_headAction ? m_head->count() > 1 : action->isVisible();
        if (!widget || widget == m_source || !isThere || qobject_cast<const QLabel *>(widget))
            continue;
        const bool isText = widget == m_text || widget == m_sourceText;
        width +=
            layout()->spacing() + (isText ? widget->minimumWidth() : widget->sizeHint().width());
    }
    return width;
}

/// Distributes the width. On a small screen the labels are hidden; the tooltips have the same
/// information. The texts shrink before the title, because it does not scroll.
void SourceBar::shareWidth() {
    const auto scaled = [this](int pixels) { return pixels * fontMetrics().height() / 16; };
    int needed = 1150;
    needed += m_sequenceAction->isVisible() ? 100 : 0;
    needed += m_sourceTextAction->isVisible() ? 180 : 0;
    needed += m_placeAction->isVisible() ? 160 : 0;
    needed += m_layerAction->isVisible() ? 100 : 0;
    const int wished = std::min(m_source->widthOfText(), scaled(kMaxTitleWidth));
    const int least = std::min(wished, scaled(kMinTitleWidth));
    needed += std::max(0, wished * 16 / fontMetrics().height() - kUsualTitle);
    const bool roomy = width() >= scaled(needed);
    m_headAction->setVisible(roomy || m_head->count() > 1); // a single head is no choice
    m_source->setFixedWidth(roomy ? wished
                                  : std::clamp(width() - minWidthOfOthers(), least, wished));
    const auto isShown = [this](const QWidget *named) {
        return (named != m_sequence || m_sequenceAction->isVisible()) &&
               (named != m_place || m_placeAction->isVisible()) &&
               (named != m_layer || m_layerAction->isVisible()) &&
               (named != m_head || m_headAction->isVisible());
    };
    for (const auto &[label, named] : m_labels)
        label->setVisible(roomy && isShown(named));
    placeMainButton(minWidthOfOthers() + m_source->width() + scaled(kSpare) > width());
}

void SourceBar::addMainButton(QWidget *button) {
    m_mainButton = addWidget(button);
    shareWidth();
}

void SourceBar::placeMainButton(bool isCramped) {
    if (!m_mainButton || m_isCramped == isCramped)
        return;
    m_isCramped = isCramped;
    insertAction(isCramped ? m_labels.last().first : nullptr, m_mainButton);
}

void SourceBar::resizeEvent(QResizeEvent *event) {
    QToolBar::resizeEvent(event);
    shareWidth();
}

void SourceBar::changeEvent(QEvent *event) {
    QToolBar::changeEvent(event);
    const bool isMade = m_positions != nullptr; // last created control
    if (isMade && (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange))
        shareWidth();
}

} // namespace headlight::ui
