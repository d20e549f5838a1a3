#include "ui/window/tab_room.h"

#include <QCoreApplication>
#include <QEvent>
#include <QStyle>
#include <QTabBar>
#include <QTabWidget>

namespace headlight::ui {

namespace {

constexpr double kAround = 2.7; // of a usual tab's name, in heights of a letter

} // namespace

TabRoom::TabRoom(QTabWidget &tabs) : QObject(&tabs), m_tabs(tabs) {
    tabs.installEventFilter(this);
    tabs.tabBar()->installEventFilter(this);
}

bool TabRoom::eventFilter(QObject *watched, QEvent *event) {
    if (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest ||
        event->type() == QEvent::StyleChange)
        look();
    return QObject::eventFilter(watched, event);
}

void TabRoom::look() {
    const QTabBar &bar = *m_tabs.tabBar();
    QFont selected = bar.font();
    selected.setWeight(QFont::DemiBold);
    const QFontMetrics metrics(selected);
    double needed = 0;
    for (int index = 0; index < m_tabs.count(); ++index)
        if (m_tabs.isTabVisible(index))
            needed += metrics.horizontalAdvance(m_tabs.tabText(index)) + kAround * metrics.ascent();
    const QWidget *corner = m_tabs.cornerWidget();
    const double room = m_tabs.width() - (corner ? corner->sizeHint().width() : 0);
    const bool isNarrow = needed > room;
    if (m_tabs.property("narrow").toBool() == isNarrow)
        return;
    m_tabs.setProperty("narrow", isNarrow);
    m_tabs.tabBar()->style()->unpolish(m_tabs.tabBar());
    m_tabs.tabBar()->style()->polish(m_tabs.tabBar());
    m_tabs.tabBar()->updateGeometry();
    QEvent changed(QEvent::FontChange); // it measures its tabs again
    QCoreApplication::sendEvent(m_tabs.tabBar(), &changed);
}

} // namespace headlight::ui
