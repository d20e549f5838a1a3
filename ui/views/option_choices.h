// View options with a few possible values. Menus and bars offer them, and each view saves them
// under its name.
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
    QString title; ///< title in menus
    QString tip;   ///< tooltip; empty if the title is enough
    QString word;  ///< value in the settings
    std::function<bool(const FigureOptions &)> isSet;
    std::function<void(FigureOptions &)> set;
};

struct OptionChoice {
    const char *key;                 ///< key in the settings
    Choice choice;                   ///< the option applies to views with this choice
    bool isLook;                     ///< a lesson step can set it
    std::vector<OptionValue> values; ///< default first

    const OptionValue &valueIn(const FigureOptions &options) const;
    /// Sets the value stored as `word`, or the default if there is none.
    void restore(const QString &word, FigureOptions &options) const;
};

std::span<const OptionChoice> optionChoices();
/// `key` must be in the table.
const OptionChoice &optionChoice(const char *key);

/// Returns a checkable action for each value, in the order of the table. An action sets the view's
/// option. `parent` owns the actions.
QList<QAction *> makeActions(const OptionChoice &choice, FigureView &view, QObject *parent);
/// Adds an action that switches to the other of two values, if the view has the choice.
void addSwitch(QMenu &menu, const OptionChoice &choice, FigureView &view);
/// Adds to the menu the choices of range and colours that the view has.
void fillLookMenu(QMenu &menu, FigureView &view);
/// Checks the action of the view's value.
void showValue(const OptionChoice &choice, const FigureView &view, const QList<QAction *> &actions);

} // namespace headlight::ui
