#include "ui/window/tab_room.h"

#include "ui/views/view_bar.h"

#include <QCoreApplication>
#include <QEvent>
#include <QMenu>
#include <QStyle>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>
#include <QtMath>

#include <algorithm>
#include <utility>

namespace headlight::ui {

namespace {

constexpr double kAround = 2.7;      // usual padding of a tab, in font ascents; at least kUsual px
constexpr int kUsual = 40;           // px, as in theme.cpp
constexpr int kNarrow = 14;          // px around a name if space is scarce, as in theme.cpp
constexpr double kMinTabScale = 0.7; // usual minimum of the text size, as a share of the default
constexpr double kReadable = 13;     // px; if space is scarce, large text may shrink to this size

} // namespace

TabRoom::TabRoom(QTabWidget &tabs) : QObject(&tabs), m_tabs(tabs), m_more(new QToolButton(&tabs)) {
    m_more->setObjectName("moreViews");
    m_more->setText(tr("More ▾"));
    m_more->setToolTip(tr("Open another view"));
    m_more->setAccessibleName(tr("More views"));
    m_more->setPopupMode(QToolButton::InstantPopup);
    m_more->setAutoRaise(true);
    m_more->setMenu(new QMenu(m_more));
    m_more->menu()->setToolTipsVisible(true);
    connect(m_more->menu(), &QMenu::aboutToShow, this, &TabRoom::listHidden);
    tabs.installEventFilter(this);
    tabs.tabBar()->installEventFilter(this);
}

void TabRoom::listHidden() {
    m_more->menu()->clear();
    for (int index = 0; index < m_tabs.count(); ++index) {
        if (m_tabs.isTabVisible(index))
            continue;
        QAction *action = m_more->menu()->addAction(m_tabs.tabText(index), this, [this, index] {
            m_tabs.setTabVisible(index, true);
            m_tabs.setCurrentIndex(index);
            m_tabs.currentWidget()->setFocus();
        });
        action->setToolTip(m_tabs.tabToolTip(index));
    }
}

/// Places the menu after the last visible tab.
void TabRoom::placeMore() {
    const QTabBar &bar = *m_tabs.tabBar();
    int right = 0, hidden = 0;
    for (int index = 0; index < m_tabs.count(); ++index)
        if (m_tabs.isTabVisible(index))
            right = std::max(right, bar.tabRect(index).right());
        else
            ++hidden;
    m_more->setVisible(hidden > 0);
    const QSize size = m_more->sizeHint();
    m_more->setGeometry(bar.x() + right + 4, bar.y() + (bar.height() - size.height()) / 2,
                        size.width(), size.height());
    m_more->raise();
}

bool TabRoom::eventFilter(QObject *watched, QEvent *event) {
    if (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest ||
        event->type() == QEvent::StyleChange) {
        look();
        placeMore();
        // Place the menu again later, because an event filter runs before the bar lays out its
        // tabs.
        if (!std::exchange(m_isPlacing, true))
            QMetaObject::invokeMethod(
                this,
                [this] {
                    m_isPlacing = false;
                    placeMore();
                },
                Qt::QueuedConnection);
    }
    return QObject::eventFilter(watched, event);
}

void TabRoom::look() {
    QTabBar &bar = *m_tabs.tabBar();
    QFont selected = m_tabs.font();
    selected.setWeight(QFont::DemiBold);
    const QFontMetrics metrics(selected);
    double names = 0;
    int count = 0;
    for (int index = 0; index < m_tabs.count(); ++index)
        if (m_tabs.isTabVisible(index)) {
            names += metrics.horizontalAdvance(m_tabs.tabText(index));
            ++count;
        }
    const QWidget *corner = m_tabs.cornerWidget();
    const int more = count < m_tabs.count() ? m_more->sizeHint().width() + 8 : 0;
    m_tabs.setProperty(kPreferredWidth, qCeil(kMinTabScale * names) + count * kNarrow + more);
    const double available = m_tabs.width() - (corner ? corner->sizeHint().width() : 0) - more;
    const double around = std::max<double>(kAround * metrics.ascent(), kUsual);
    const bool isNarrow = names + count * around > available;
    // Reduce the padding, and the text size if that is not enough, because Qt 6.8 would cut the
    // names. Use a style sheet, because the theme's style sheet overrides a font.
    QString size;
    if (const double left = available - count * kNarrow; left < names) {
        const double usual = QFontInfo(selected).pixelSize();
        const double least = std::min(kMinTabScale * usual, kReadable);
        size = QStringLiteral("QTabBar { font-size: %1px; }")
                   .arg(int(std::max(usual * left / names, least)));
    }
    if (m_tabs.property("narrow").toBool() == isNarrow && bar.styleSheet() == size)
        return;
    m_tabs.setProperty("narrow", isNarrow);
    if (bar.styleSheet() != size)
        bar.setStyleSheet(size);
    bar.style()->unpolish(&bar);
    bar.style()->polish(&bar);
    bar.updateGeometry();
    QEvent changed(QEvent::FontChange); // makes the bar measure its tabs again
    QCoreApplication::sendEvent(&bar, &changed);
}

} // namespace headlight::ui
