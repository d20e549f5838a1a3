// Finds the controls of a window that a user can see and use.
#pragma once

#include "ui/accessibility/item_list.h"
#include "ui/views/figure_view.h"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QLineEdit>
#include <QTabBar>
#include <QWidget>

namespace headlight::test {

/// Returns the name of the group that counts as one control; empty if the widget is none.
inline QString controlGroupOf(const QWidget &widget) {
    for (const QWidget *each = &widget; each; each = each->parentWidget())
        for (const char *name : {"filmstrip", "sentenceStrip"})
            if (each->objectName() == name)
                return name;
    return {};
}

/// True for a widget that a click operates. Tab bars are counted by their tabs.
inline bool isControl(const QWidget &widget) {
    const QWidget *parent = widget.parentWidget();
    if (qobject_cast<const QComboBox *>(parent) || qobject_cast<const QAbstractSpinBox *>(parent) ||
        qobject_cast<const QTabBar *>(parent))
        return false; // a part of another control
    if (const auto *edit = qobject_cast<const QLineEdit *>(&widget))
        return !edit->isReadOnly();
    return qobject_cast<const QAbstractButton *>(&widget) ||
           qobject_cast<const QComboBox *>(&widget) ||
           qobject_cast<const QAbstractSpinBox *>(&widget) ||
           qobject_cast<const ui::FigureView *>(&widget) || // one control, with its arithmetic
           qobject_cast<const ui::ItemListWidget *>(&widget);
}

/// Returns the names of all visible, enabled widgets of the window that a click operates. Tabs
/// count, but menu titles do not. The filmstrip, the words, the answer and the picture count as one
/// control each.
inline QStringList controlsOf(const QWidget &window) {
    QStringList names;
    for (const QWidget *widget : window.findChildren<QWidget *>()) {
        if (widget->window() != &window || !widget->isVisible() || !widget->isEnabled() ||
            widget->visibleRegion().isEmpty())
            continue;
        if (const auto *tabs = qobject_cast<const QTabBar *>(widget)) {
            for (int index = 0; index < tabs->count(); ++index)
                if (tabs->isTabVisible(index))
                    names << "tab " + tabs->tabText(index);
            continue;
        }
        if (!isControl(*widget))
            continue;
        QString name = controlGroupOf(*widget);
        if (name.isEmpty() || qobject_cast<const ui::ItemListWidget *>(widget))
            name = widget->accessibleName();
        if (name.isEmpty())
            name = widget->objectName();
        if (controlGroupOf(*widget).isEmpty() || !names.contains(name))
            names << name;
    }
    return names;
}

} // namespace headlight::test
