#include "ui/window/edge_panels.h"

#include <QApplication>
#include <QDockWidget>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QSettings>
#include <QStackedWidget>
#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace headlight::ui {

namespace {

constexpr char kOpenKey[] = "window/edgePanel";
constexpr char kWidthKey[] = "window/edgeWidth";
constexpr int kHandle = 6;          // px at the left edge that are dragged to change the width
constexpr int kUsual = 340;         // px at a text height of 16, default width
constexpr int kMinPanelWidth = 240; // px, smallest width
constexpr int kMinBeside = 296;     // px at a text height of 16; narrower views have no numbers
constexpr int kUncovered = 80;      // px of the views that stay visible

} // namespace

EdgePanels::EdgePanels(QTabWidget &tabs) : QWidget(&tabs), m_tabs(tabs) {
    setObjectName("edgePanels");
    setAttribute(Qt::WA_StyledBackground);
    setCursor(Qt::SplitHCursor); // shown over the handle; the docks set their own cursor
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(kHandle, 0, 0, 0);
    layout->setSpacing(0);
    hide();
    tabs.installEventFilter(this);
    tabs.tabBar()->installEventFilter(this);
}

void EdgePanels::add(QDockWidget &dock) {
    dock.setFeatures(QDockWidget::DockWidgetClosable);
    dock.setCursor(Qt::ArrowCursor);
    if (dock.titleBarWidget())
        for (QLabel *title : dock.titleBarWidget()->findChildren<QLabel *>())
            title->setToolTip({}); // the tooltip is about dragging, which a panel does not support
    layout()->addWidget(&dock);
    dock.hide();
    m_docks << &dock;
    dock.installEventFilter(this);
}

QDockWidget *EdgePanels::openDock() const {
    const auto open =
        std::ranges::find_if(m_docks, [](const QDockWidget *dock) { return !dock->isHidden(); });
    return open == m_docks.end() ? nullptr : *open;
}

void EdgePanels::opened(QDockWidget &dock) {
    for (QDockWidget *other : std::as_const(m_docks))
        if (other != &dock)
            other->hide();
    QWidget *focus = window()->focusWidget();
    if (focus && !isAncestorOf(focus))
        m_before = focus;
    place();
    show();
    raise();
}

void EdgePanels::close() {
    QDockWidget *open = openDock();
    if (!open)
        return;
    const QWidget *focus = window()->focusWidget();
    const bool hadFocus = focus && isAncestorOf(focus);
    open->hide();
    if (!hadFocus)
        return;
    if (m_before && m_before->isVisible())
        m_before->setFocus();
    else if (m_tabs.currentWidget())
        m_tabs.currentWidget()->setFocus();
}

int EdgePanels::pageTop() const {
    return m_tabs.tabBar()->geometry().bottom() + 1;
}

void EdgePanels::place() {
    const int scale = fontMetrics().height();
    // The panel leaves half of the width to the views if they can use it. Otherwise it covers them.
    const int half = m_tabs.width() / 2;
    const int usual =
        half * 16 >= kMinBeside * scale ? std::min(kUsual * scale / 16, half) : kUsual * scale / 16;
    const int wished = m_width > 0 ? m_width * scale / 16 : usual;
    const int least = std::max(kMinPanelWidth, layout()->minimumSize().width());
    const int width = std::max(std::min(wished, m_tabs.width() - kUncovered), least);
    const int top = pageTop();
    setGeometry(m_tabs.width() - width, top, width, m_tabs.height() - top);
    emit placed();
}

void EdgePanels::restore() {
    const QSettings settings;
    m_width = std::clamp(settings.value(kWidthKey, 0).toInt(), 0, 4096);
    const QString name = settings.value(kOpenKey).toString();
    for (QDockWidget *dock : std::as_const(m_docks))
        if (dock->objectName() == name)
            dock->show();
}

void EdgePanels::save() const {
    QSettings settings;
    const QDockWidget *open = openDock();
    settings.setValue(kOpenKey, open ? open->objectName() : QString());
    settings.setValue(kWidthKey, m_width);
}

bool EdgePanels::eventFilter(QObject *watched, QEvent *event) {
    auto *dock = m_docks.contains(watched) ? static_cast<QDockWidget *>(watched) : nullptr;
    if (dock && event->type() == QEvent::ShowToParent)
        opened(*dock);
    else if (dock && event->type() == QEvent::HideToParent && !isOpen()) {
        hide();
        emit placed();
    } else if (!dock && event->type() == QEvent::Resize && isOpen())
        place();
    return QWidget::eventFilter(watched, event);
}

void EdgePanels::keyPressEvent(QKeyEvent *event) {
    if (event->key() == Qt::Key_Escape)
        return close();
    QWidget::keyPressEvent(event);
}

void EdgePanels::mousePressEvent(QMouseEvent *event) {
    if (event->button() == Qt::LeftButton)
        m_drag = static_cast<int>(event->position().x());
}

void EdgePanels::mouseMoveEvent(QMouseEvent *event) {
    if (!m_drag)
        return;
    const int left = mapTo(&m_tabs, event->position().toPoint()).x() - *m_drag;
    m_width = std::max(1, (m_tabs.width() - left) * 16 / fontMetrics().height());
    place();
}

void EdgePanels::mouseReleaseEvent(QMouseEvent *) {
    m_drag.reset();
}

void EdgePanels::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.fillRect(rect(), palette().base());
    painter.fillRect(0, 0, 1, height(), palette().mid());
}

} // namespace headlight::ui
