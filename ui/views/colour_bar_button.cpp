#include "ui/views/colour_bar_button.h"

#include "ui/views/figure_view.h"
#include "ui/views/option_choices.h"

#include <QMenu>
#include <QPainter>

namespace headlight::ui {

ColourBarButton::ColourBarButton(FigureView &view) : QToolButton(&view), m_view(view) {
    setObjectName("colourBar");
    setAccessibleName(tr("Range and colours"));
    setToolTip(tr("Change the range and the colours (K)"));
    setFocusPolicy(Qt::TabFocus);
    setCursor(Qt::PointingHandCursor);
    setPopupMode(QToolButton::InstantPopup);
    setMenu(new QMenu(this));
    connect(menu(), &QMenu::aboutToShow, this, [this] {
        menu()->clear();
        fillLookMenu(*menu(), m_view);
    });
    hide();
}

void ColourBarButton::place(const QRectF &bar) {
    const bool isShown = !bar.isEmpty();
    if (isShown)
        setGeometry(bar.adjusted(-4, -2, 4, 2).toAlignedRect());
    if (isShown == isVisibleTo(&m_view))
        return;
    setVisible(isShown);
    emit visibilityChanged();
}

void ColourBarButton::paintEvent(QPaintEvent *) {
    if (!hasFocus() && !underMouse() && !isDown())
        return; // without an outline only the painted bar is visible
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_view.figureStyle().accent, hasFocus() ? 2 : 1));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 4, 4);
}

} // namespace headlight::ui
