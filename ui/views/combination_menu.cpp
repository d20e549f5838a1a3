#include "ui/views/combination_menu.h"

#include "ui/views/heads_view.h"
#include "ui/views/option_choices.h"

#include <QCoreApplication>
#include <QMenu>

#include <algorithm>

namespace headlight::ui {

namespace {

struct CombinationText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::CombinationMenu)
};

/// Adds the values of an option, disabled unless `isEnabled`.
void addValues(QMenu &menu, HeadsView &view, const QString &title, const char *key,
               bool isEnabled) {
    menu.addSection(title);
    for (QAction *action : makeActions(optionChoice(key), view, &menu)) {
        action->setEnabled(isEnabled);
        menu.addAction(action);
        QObject::connect(action, &QAction::triggered, &view, &HeadsView::wanted);
    }
}

/// Adds an entry for each head of the layer, which adds it to the combination or removes it.
void addHeads(QMenu &menu, HeadsView &view) {
    using T = CombinationText;
    const HeadCombination &chosen = view.options().combination;
    const bool isEnabled = chosen.isOn() && !core::isThroughLayers(chosen.combination);
    const core::Index count = view.headCount();
    const std::vector<core::Index> combined =
        isEnabled ? view.combinedHeads() : std::vector<core::Index>();
    QMenu *heads = menu.addMenu(T::tr("&Heads to combine"));
    heads->setEnabled(isEnabled && count > 1);
    heads->setToolTipsVisible(true);
    const core::Index selected = view.document().selection().head;
    heads->addAction(T::tr("All heads"), &view, [&view] { view.setHeads({}); });
    heads->addAction(T::tr("Only the selected head, %1").arg(selected), &view,
                     [&view, selected] { view.setHeads({selected}); });
    heads->addSeparator();
    for (core::Index head = 0; head < count; ++head) {
        QAction *action = heads->addAction(T::tr("Head %1").arg(head), &view,
                                           [&view, head] { view.toggleHead(head); });
        action->setCheckable(true);
        action->setChecked(std::ranges::find(combined, head) != combined.end());
        action->setToolTip(T::tr("Add or remove this head (Ctrl+click its picture)"));
    }
    for (QAction *action : heads->actions())
        QObject::connect(action, &QAction::triggered, &view, &HeadsView::wanted);
}

} // namespace

void fillCombinationMenu(QMenu &menu, HeadsView &view) {
    using T = CombinationText;
    menu.setToolTipsVisible(true);
    const HeadCombination &chosen = view.options().combination;
    addValues(menu, view, T::tr("Large picture"), "combination", view.headCount() > 0);
    addHeads(menu, view);
    const bool canMerge = chosen.isOn() && chosen.canMerge();
    addValues(menu, view, T::tr("Rows and columns"), "units", canMerge);
    addValues(menu, view, T::tr("Leave out, and renormalise the rest"), "leftOut", canMerge);
    addValues(menu, view, T::tr("Threshold"), "kept", chosen.isOn());
    menu.addSection(T::tr("Numbers of the large picture"));
    view.addSpanActions(menu);
}

QString combinationText(const HeadsView &view) {
    const HeadCombination &chosen = view.options().combination;
    if (!chosen.isOn() || view.headCount() == 0)
        return CombinationText::tr("one head");
    return titleOf(chosen.request(view.options().headLines.heads, view.headCount()),
                   view.headCount());
}

} // namespace headlight::ui
