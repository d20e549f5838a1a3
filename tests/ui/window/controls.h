// Finds the controls of a window that a user can see and use.
#pragma once

#include "ui/accessibility/item_list.h"
#include "ui/views/close_up_view.h"
#include "ui/views/figure_view.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QSlider>
#include <QTabBar>
#include <QTextBlock>
#include <QTextEdit>
#include <QWidget>

namespace headlight::test {

/// Returns the name of the group that counts as one control; empty if the widget is in no group.
inline QString controlGroupOf(const QWidget &widget) {
    for (const QWidget *each = &widget; each; each = each->parentWidget())
        for (const char *name : {"filmstrip", "sentenceStrip"})
            if (each->objectName() == name)
                return name;
    return {};
}

/// True for a widget that a click operates. Tab bars are counted by their tabs, and texts by their
/// links.
inline bool isControl(const QWidget &widget) {
    const QWidget *parent = widget.parentWidget();
    if (qobject_cast<const QComboBox *>(parent) || qobject_cast<const QAbstractSpinBox *>(parent) ||
        qobject_cast<const QTabBar *>(parent) ||
        (qobject_cast<const QAbstractItemView *>(parent) &&
         (qobject_cast<const QHeaderView *>(&widget) ||
          qobject_cast<const QAbstractButton *>(&widget))))
        return false; // a part of another control
    if (const auto *edit = qobject_cast<const QLineEdit *>(&widget))
        return !edit->isReadOnly();
    if (const auto *edit = qobject_cast<const QTextEdit *>(&widget))
        return !edit->isReadOnly();
    if (const auto *edit = qobject_cast<const QPlainTextEdit *>(&widget))
        return !edit->isReadOnly();
    return qobject_cast<const QAbstractButton *>(&widget) ||
           qobject_cast<const QComboBox *>(&widget) ||
           qobject_cast<const QAbstractSpinBox *>(&widget) ||
           qobject_cast<const QSlider *>(&widget) ||
           qobject_cast<const QAbstractItemView *>(&widget) ||
           qobject_cast<const ui::FigureView *>(&widget) || // one control
           qobject_cast<const ui::ItemListWidget *>(&widget);
}

/// Returns the visible links of a text, each target once.
inline QStringList linksOf(const QWidget &widget) {
    QStringList names, targets;
    if (const auto *label = qobject_cast<const QLabel *>(&widget)) {
        static const QRegularExpression link(R"(<a [^>]*href=['"]([^'"]*))");
        for (auto found = link.globalMatch(label->text()); found.hasNext();)
            if (const QString target = found.next().captured(1); !targets.contains(target)) {
                targets << target;
                names << "link " + target;
            }
        return names;
    }
    const auto *text = qobject_cast<const QTextEdit *>(&widget);
    if (!text || !text->isReadOnly())
        return {};
    for (QTextBlock block = text->document()->begin(); block.isValid(); block = block.next())
        for (auto at = block.begin(); !at.atEnd(); ++at) {
            const QTextFragment part = at.fragment();
            const QString target = part.charFormat().anchorHref();
            QTextCursor cursor(text->document());
            cursor.setPosition(part.position());
            if (target.isEmpty() || targets.contains(target) ||
                !text->viewport()->rect().intersects(text->cursorRect(cursor)))
                continue;
            targets << target;
            names << "link " + (part.charFormat().isImageFormat() ? target : part.text());
        }
    return names;
}

/// Returns the names of all visible, enabled widgets of the window that a click operates. Tabs and
/// links count, but menu titles do not. The filmstrip, the words, the answer, the picture and its
/// line of arithmetic count as one control each.
inline QStringList controlsOf(const QWidget &window) {
    QStringList names;
    for (QWidget *widget : window.findChildren<QWidget *>()) {
        if (widget->window() != &window || !widget->isVisible() || !widget->isEnabled() ||
            widget->visibleRegion().isEmpty())
            continue;
        if (const auto *tabs = qobject_cast<const QTabBar *>(widget)) {
            for (int index = 0; index < tabs->count(); ++index)
                if (tabs->isTabVisible(index))
                    names << "tab " + tabs->tabText(index);
            continue;
        }
        names << linksOf(*widget);
        if (!isControl(*widget))
            continue;
        if (auto *view = qobject_cast<ui::CloseUpView *>(widget)) {
            const auto *figure = static_cast<const ui::CloseUpFigure *>(view->figure());
            if (figure && !figure->strip().arithmetic.empty())
                names << "arithmetic line";
        }
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
