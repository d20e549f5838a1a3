// The options of a view that have one of a few values: menus and bars offer them, and each view
// saves them under its name.
#pragma once

#include "ui/figures/table/views.h"

#include <QList>

#include <functional>
#include <span>
#include <vector>

class QAction;
class QMenu;

namespace headlight::ui {

class FigureView;

struct OptionValue {
    QString title; ///< in menus
    QString tip;   ///< empty: the title says enough
    QString word;  ///< in the settings
    std::function<bool(const FigureOptions &)> isSet;
    std::function<void(FigureOptions &)> set;
};

struct OptionChoice {
    const char *key;                 ///< in the settings
    Choice choice;                   ///< of the views that have it
    bool isLook;                     ///< a lesson's step sets it
    std::vector<OptionValue> values; ///< the default first

    const OptionValue &valueIn(const FigureOptions &options) const;
    /// Sets the value of this word, or the default if there is none.
    void restore(const QString &word, FigureOptions &options) const;
};

std::span<const OptionChoice> optionChoices();
/// `key` must be one of the table.
const OptionChoice &optionChoice(const char *key);

/// Returns checkable actions for the values, in the order of the table, that set the view's option.
/// `parent` owns them.
QList<QAction *> makeActions(const OptionChoice &choice, FigureView &view, QObject *parent);
/// Adds the range and the colours of the view to the menu, as far as the view has them.
void fillLookMenu(QMenu &menu, FigureView &view);
/// Checks the action of the view's value.
void showValue(const OptionChoice &choice, const FigureView &view, const QList<QAction *> &actions);

} // namespace headlight::ui
