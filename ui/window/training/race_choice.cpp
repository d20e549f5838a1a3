#include "ui/window/training/race_choice.h"

#include "ui/words/core_message.h"
#include "ui/words/race_words.h"
#include "ui/words/sentences.h"

#include <QStandardItemModel>

namespace headlight::ui {

RaceChoice::RaceChoice(QWidget *parent) : QComboBox(parent) {
    setObjectName("runRace");
    setAccessibleName(tr("Race against"));
    addItem(tr("Nothing"), -1);
    for (const core::RaceSwitch turned : core::kRaceSwitches)
        addItem(tr("The same %1").arg(nameOf(turned)), static_cast<int>(turned));
}

std::optional<core::RaceSwitch> RaceChoice::chosen() const {
    const int which = currentData().toInt();
    return which < 0 ? std::nullopt : std::optional(static_cast<core::RaceSwitch>(which));
}

void RaceChoice::choose(std::optional<core::RaceSwitch> turned) {
    setCurrentIndex(std::max(0, findData(turned ? static_cast<int>(*turned) : -1)));
}

void RaceChoice::showFor(const core::Architecture &architecture, const core::TaskInfo &task) {
    auto *items = static_cast<QStandardItemModel *>(model());
    for (int row = 1; row < count(); ++row) {
        const auto which = static_cast<core::RaceSwitch>(itemData(row).toInt());
        const core::Result<core::Architecture> rival = core::turned(which, architecture, task);
        const QString says = rival ? claimOf(which) : ended(translated(rival.error().what));
        QStandardItem *item = items->item(row);
        item->setEnabled(rival.ok());
        item->setToolTip(says);
        item->setData(says, Qt::AccessibleDescriptionRole);
        if (!rival && row == currentIndex())
            setCurrentIndex(0);
    }
    const QString what =
        tr("Two models learn from the same examples, one switch apart, in one plot");
    setToolTip(chosen() ? claimOf(*chosen()) : what);
}

} // namespace headlight::ui
