// A painted widget whose items screen readers see as a list, such as the words of a sentence.
#pragma once

#include <QAccessibleWidget>
#include <QWidget>

#include <map>

namespace headlight::ui {

class ItemListWidget : public QWidget {
    Q_OBJECT
  public:
    explicit ItemListWidget(QWidget *parent = nullptr);

    virtual int itemCount() const = 0;
    /// Returns the item's name with its value: "cat, weight 0.56".
    virtual QString itemName(int index) const = 0;
    /// Returns the item's rectangle in widget pixels. It may be scrolled out of the widget.
    virtual QRect itemRect(int index) const = 0;
    /// Returns the index of the current item, or −1.
    virtual int currentItem() const = 0;
    /// Acts on the item like a click.
    virtual void pressItem(int index) = 0;

  protected:
    /// Notifies screen readers that the items have changed.
    void announceItems();
    /// Notifies screen readers that the current item has changed.
    void announceCurrentItem();
};

/// The list for screen readers. Its items come first, then the widget's children.
class ItemList : public QAccessibleWidget {
  public:
    explicit ItemList(ItemListWidget *widget);
    ~ItemList() override;

    int childCount() const override;
    QAccessibleInterface *child(int index) const override;
    int indexOfChild(const QAccessibleInterface *child) const override;
    QAccessibleInterface *childAt(int x, int y) const override;
    QAccessibleInterface *focusChild() const override;

    /// Returns the widget, or null while it is being destroyed.
    ItemListWidget *widget() const;
    void forgetItems();

  private:
    mutable std::map<int, QAccessible::Id> m_items; // created on request
};

} // namespace headlight::ui
