#include "ui/window/dock_widths.h"

#include <QDockWidget>
#include <QEvent>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSettings>
#include <QTimer>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr char kDockWidths[] = "window/dockWidths";
constexpr int kMinPicture = 480;     // px; docks shrink first
constexpr double kAboutAsWide = 0.1; // share by which similar window widths may differ
constexpr qsizetype kMaxKept = 8;
constexpr int kWidest = 16384;

bool isBeside(const QMainWindow &window, QDockWidget *dock) {
    const Qt::DockWidgetArea area = window.dockWidgetArea(dock);
    return !dock->isFloating() &&
           (area == Qt::LeftDockWidgetArea || area == Qt::RightDockWidgetArea);
}

} // namespace

DockWidths::DockWidths(QMainWindow &window) : QObject(&window), m_window(window) {
    window.installEventFilter(this);
    for (QDockWidget *dock :
         window.findChildren<QDockWidget *>(QString(), Qt::FindDirectChildrenOnly))
        connect(dock, &QDockWidget::visibilityChanged, this, [this](bool isVisible) {
            if (isVisible && m_window.isVisible())
                QTimer::singleShot(0, this, &DockWidths::apply); // after the layout
        });
}

void DockWidths::restore() {
    const QJsonArray all =
        QJsonDocument::fromJson(QSettings().value(kDockWidths).toByteArray()).array();
    for (const QJsonValue &one : all) {
        Kept kept{one["window"].toInt(), {}};
        const QJsonObject docks = one["docks"].toObject();
        for (auto dock = docks.begin(); dock != docks.end(); ++dock)
            if (const int width = dock->toInt(); width > 0 && width < kWidest)
                kept.docks.insert(dock.key(), width);
        if (kept.window > 0 && m_kept.size() < kMaxKept)
            m_kept << kept;
    }
}

void DockWidths::save() const {
    QJsonArray all;
    for (const Kept &kept : m_kept) {
        QJsonObject docks;
        for (auto dock = kept.docks.begin(); dock != kept.docks.end(); ++dock)
            docks.insert(dock.key(), dock.value());
        all << QJsonObject{{"window", kept.window}, {"docks", docks}};
    }
    QSettings().setValue(kDockWidths, QJsonDocument(all).toJson(QJsonDocument::Compact));
}

QList<DockWidths::Column> DockWidths::columns() const {
    QList<Column> columns;
    QMap<std::pair<int, int>, qsizetype> known; // key: left edge and width
    for (QDockWidget *dock :
         m_window.findChildren<QDockWidget *>(QString(), Qt::FindDirectChildrenOnly)) {
        // Qt does not lay out docks behind another tab.
        if (!isBeside(m_window, dock) || dock->isHidden() || !m_window.rect().contains(dock->pos()))
            continue;
        const std::pair place(dock->x(), dock->width());
        if (!known.contains(place)) {
            known.insert(place, columns.size());
            columns << Column{{}, dock->width()};
        }
        columns[known[place]].docks << dock << m_window.tabifiedDockWidgets(dock);
    }
    return columns;
}

int DockWidths::wanted(const Column &column) const {
    const auto away = [this](const Kept &kept) { return std::abs(kept.window - m_window.width()); };
    for (const QDockWidget *dock : column.docks) {
        const Kept *nearest = nullptr;
        for (const Kept &kept : m_kept)
            if (kept.docks.contains(dock->objectName()) &&
                (!nearest || away(kept) <= away(*nearest)))
                nearest = &kept;
        if (nearest)
            return nearest->docks[dock->objectName()];
    }
    return 0;
}

void DockWidths::apply() {
    keep(false);
    QList<QDockWidget *> docks;
    QList<int> widths;
    bool isOther = false;
    double sum = 0;
    for (const Column &column : columns()) {
        const int width = wanted(column);
        docks << column.docks.first();
        widths << width;
        sum += width;
    }
    const double available = std::max(0, m_window.width() - kMinPicture);
    for (qsizetype at = 0; at < docks.size(); ++at) {
        if (sum > available)
            widths[at] = std::max(1, static_cast<int>(widths[at] * available / sum));
        isOther = isOther || widths[at] != docks[at]->width();
    }
    if (isOther)
        m_window.resizeDocks(docks, widths, Qt::Horizontal);
}

void DockWidths::keep(bool all) {
    const int window = m_window.width();
    Widths widths;
    for (const Column &column : columns())
        if (all || wanted(column) == 0)
            for (const QDockWidget *dock : column.docks)
                widths.insert(dock->objectName(), column.width);
    if (widths.isEmpty())
        return;
    const auto same = std::ranges::find_if(m_kept, [&](const Kept &kept) {
        return std::abs(kept.window - window) <= kAboutAsWide * window;
    });
    Kept kept{window, {}};
    if (same != m_kept.end()) {
        kept.docks = same->docks;
        m_kept.erase(same);
    }
    kept.docks.insert(widths);
    m_kept << kept;
    if (m_kept.size() > kMaxKept)
        m_kept.removeFirst();
}

bool DockWidths::eventFilter(QObject *object, QEvent *event) {
    const auto widthsNow = [this] {
        QList<int> widths;
        for (const Column &column : columns())
            widths << column.width;
        return widths;
    };
    switch (event->type()) {
    case QEvent::Resize:
        if (m_window.isVisible())
            apply();
        break;
    case QEvent::Show:
        QTimer::singleShot(0, this, &DockWidths::apply);
        break;
    case QEvent::MouseButtonPress: // on a separator, because other presses reach other widgets
        m_pressed = widthsNow();
        break;
    case QEvent::MouseButtonRelease:
        QTimer::singleShot(0, this, [this, widthsNow] { // after the layout of the last move
            if (!m_pressed.isEmpty() && m_pressed != widthsNow())
                keep(true);
            m_pressed.clear();
        });
        break;
    default:
        break;
    }
    return QObject::eventFilter(object, event);
}

} // namespace headlight::ui
