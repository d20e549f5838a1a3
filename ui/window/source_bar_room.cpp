// SourceBar: distribution of its width among the controls.
#include "ui/widgets/elided_combo_box.h"
#include "ui/window/source_bar.h"

#include <QAction>
#include <QEvent>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QStyle>

#include <algorithm>

namespace headlight::ui {

namespace {

constexpr int kMaxTitleWidth = 320; // px at a text height of 16, because titles may have any length
constexpr int kMinTitleWidth = 128;
constexpr int kUsualText = 300; // px; if the text field is narrower, the mask has no label
constexpr int kSpare = 24;      // px kept free for the style's own spacing

} // namespace

/// Returns the minimum width of the other controls, without labels and with the texts at their
/// minimum.
int SourceBar::minWidthOfOthers() const {
    const QMargins margins = layout()->contentsMargins();
    int width = margins.left() + margins.right();
    for (QAction *action : actions()) {
        const QWidget *widget = widgetForAction(action);
        if (action->isSeparator() && action->isVisible())
            width += layout()->spacing() +
                     style()->pixelMetric(QStyle::PM_ToolBarSeparatorExtent, nullptr, this);
        if (!widget || action->isSeparator() || widget == m_source || !action->isVisible() ||
            qobject_cast<const QLabel *>(widget))
            continue;
        const bool isText = widget == m_text || widget == m_sourceText;
        width +=
            layout()->spacing() + (isText ? widget->minimumWidth() : widget->sizeHint().width());
    }
    return width;
}

/// Distributes the width. On a small screen, hides the mask's label, because the tooltips have the
/// same information. The texts shrink before the title, because the title does not scroll.
void SourceBar::shareWidth() {
    const auto scaled = [this](int pixels) { return pixels * fontMetrics().height() / 16; };
    const int needed =
        minWidthOfOthers() + scaled(kUsualText) + widgetForAction(m_maskLabel)->sizeHint().width();
    const int wished = std::min(m_source->widthOfText(), scaled(kMaxTitleWidth));
    const int least = std::min(wished, scaled(kMinTitleWidth));
    const bool roomy = width() >= needed + wished;
    m_source->setFixedWidth(roomy ? wished
                                  : std::clamp(width() - minWidthOfOthers(), least, wished));
    m_maskLabel->setVisible(roomy);
    placeMainButtons(minWidthOfOthers() + m_source->width() + scaled(kSpare) > width());
}

void SourceBar::addMainButton(QWidget *button) {
    m_mainButtons << addWidget(button);
    m_isCramped.reset(); // the new button must be placed
    shareWidth();
}

void SourceBar::placeMainButtons(bool isCramped) {
    if (m_mainButtons.isEmpty() || m_isCramped == isCramped)
        return;
    m_isCramped = isCramped;
    // The last button is the most important one. If space is scarce, it comes first.
    for (qsizetype i = 0; i < m_mainButtons.size(); ++i)
        insertAction(isCramped ? m_maskLabel : nullptr,
                     m_mainButtons[isCramped ? m_mainButtons.size() - 1 - i : i]);
}

void SourceBar::resizeEvent(QResizeEvent *event) {
    QToolBar::resizeEvent(event);
    shareWidth();
}

void SourceBar::changeEvent(QEvent *event) {
    QToolBar::changeEvent(event);
    const bool isMade = m_maskLabel != nullptr; // the label is created last
    if (isMade && (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange))
        shareWidth();
}

} // namespace headlight::ui
