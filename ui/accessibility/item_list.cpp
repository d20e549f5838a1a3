#include "ui/accessibility/item_list.h"

#include <utility>

namespace headlight::ui {

namespace {

/// An item as screen readers see it. Its list owns and deletes it.
class ListedItem : public QAccessibleInterface, public QAccessibleActionInterface {
  public:
    ListedItem(ItemList &list, int index) : m_list(list), m_index(index) {}

    int index() const { return m_index; }

    bool isValid() const override {
        return m_list.isValid() && m_index < m_list.widget()->itemCount();
    }
    QObject *object() const override { return nullptr; }
    QAccessibleInterface *childAt(int, int) const override { return nullptr; }
    QAccessibleInterface *parent() const override { return &m_list; }
    QAccessibleInterface *child(int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface *) const override { return -1; }
    QString text(QAccessible::Text kind) const override {
        return isValid() && kind == QAccessible::Name ? m_list.widget()->itemName(m_index)
                                                      : QString();
    }
    void setText(QAccessible::Text, const QString &) override {}
    QRect rect() const override {
        if (!isValid())
            return {};
        const QRect place = m_list.widget()->itemRect(m_index);
        return {m_list.widget()->mapToGlobal(place.topLeft()), place.size()};
    }
    QAccessible::Role role() const override { return QAccessible::ListItem; }
    QAccessible::State state() const override {
        QAccessible::State state;
        if (!isValid()) {
            state.invalid = true;
            return state;
        }
        const ItemListWidget *widget = m_list.widget();
        state.focusable = widget->focusPolicy() != Qt::NoFocus;
        state.selectable = true;
        state.invisible = !widget->isVisible();
        state.offscreen = !widget->rect().intersects(widget->itemRect(m_index));
        state.selected = widget->currentItem() == m_index;
        state.focused = state.selected && widget->hasFocus();
        return state;
    }
    void *interface_cast(QAccessible::InterfaceType type) override {
        return type == QAccessible::ActionInterface
                   ? static_cast<QAccessibleActionInterface *>(this)
                   : nullptr;
    }
    QStringList actionNames() const override { return {pressAction()}; }
    void doAction(const QString &) override {
        if (isValid())
            m_list.widget()->pressItem(m_index);
    }
    QStringList keyBindingsForAction(const QString &) const override { return {}; }

  private:
    ItemList &m_list;
    int m_index;
};

QAccessibleInterface *makeItemList(const QString &, QObject *object) {
    auto *widget = qobject_cast<ItemListWidget *>(object);
    return widget ? new ItemList(widget) : nullptr;
}

} // namespace

ItemListWidget::ItemListWidget(QWidget *parent) : QWidget(parent) {
    QAccessible::installFactory(makeItemList); // Qt ignores a factory that is already installed
}

void ItemListWidget::announceItems() {
    if (!QAccessible::isActive())
        return;
    static_cast<ItemList *>(QAccessible::queryAccessibleInterface(this))->forgetItems();
    QAccessibleEvent event(this, QAccessible::ObjectReorder);
    QAccessible::updateAccessibility(&event);
}

void ItemListWidget::announceCurrentItem() {
    if (!QAccessible::isActive() || currentItem() < 0)
        return;
    QAccessibleEvent event(this, hasFocus() ? QAccessible::Focus : QAccessible::Selection);
    event.setChild(currentItem());
    QAccessible::updateAccessibility(&event);
}

ItemList::ItemList(ItemListWidget *widget) : QAccessibleWidget(widget, QAccessible::List) {}

ItemList::~ItemList() {
    forgetItems();
}

void ItemList::forgetItems() {
    for (const auto &[index, id] : std::exchange(m_items, {}))
        QAccessible::deleteAccessibleInterface(id);
}

ItemListWidget *ItemList::widget() const {
    return qobject_cast<ItemListWidget *>(object());
}

int ItemList::childCount() const {
    return (widget() ? widget()->itemCount() : 0) + QAccessibleWidget::childCount();
}

QAccessibleInterface *ItemList::child(int index) const {
    const int count = widget() ? widget()->itemCount() : 0;
    if (index >= count)
        return QAccessibleWidget::child(index - count);
    if (index < 0)
        return nullptr;
    const auto [place, isNew] = m_items.try_emplace(index, 0);
    if (isNew)
        place->second = QAccessible::registerAccessibleInterface(
            new ListedItem(const_cast<ItemList &>(*this), index));
    return QAccessible::accessibleInterface(place->second);
}

int ItemList::indexOfChild(const QAccessibleInterface *child) const {
    if (!child)
        return -1;
    if (const auto *item = dynamic_cast<const ListedItem *>(child))
        return item->parent() == this && item->isValid() ? item->index() : -1;
    const int widgets = QAccessibleWidget::indexOfChild(child);
    return widgets < 0 || !widget() ? -1 : widget()->itemCount() + widgets;
}

QAccessibleInterface *ItemList::childAt(int x, int y) const {
    const ItemListWidget *of = widget();
    const QPoint point = of ? of->mapFromGlobal(QPoint(x, y)) : QPoint();
    for (int index = 0; of && of->rect().contains(point) && index < of->itemCount(); ++index)
        if (of->itemRect(index).contains(point))
            return child(index);
    return QAccessibleWidget::childAt(x, y);
}

QAccessibleInterface *ItemList::focusChild() const {
    const ItemListWidget *of = widget();
    if (of && of->hasFocus() && of->currentItem() >= 0)
        return child(of->currentItem());
    return QAccessibleWidget::focusChild();
}

} // namespace headlight::ui
