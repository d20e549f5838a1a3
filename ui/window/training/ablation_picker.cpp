#include "ui/window/training/ablation_picker.h"

#include "ui/text/ablation_text.h"
#include "ui/text/core_message.h"
#include "ui/text/sentences.h"

#include <QStandardItemModel>

namespace headlight::ui {

AblationPicker::AblationPicker(QWidget *parent) : QComboBox(parent) {
    setObjectName("runRace");
    setAccessibleName(tr("Compare with ablation"));
    addItem(tr("Nothing"), -1);
    for (const core::Ablation ablation : core::kAblations)
        addItem(tr("The same %1").arg(nameOf(ablation)), static_cast<int>(ablation));
}

std::optional<core::Ablation> AblationPicker::chosen() const {
    const int which = currentData().toInt();
    return which < 0 ? std::nullopt : std::optional(static_cast<core::Ablation>(which));
}

void AblationPicker::choose(std::optional<core::Ablation> ablation) {
    setCurrentIndex(std::max(0, findData(ablation ? static_cast<int>(*ablation) : -1)));
}

void AblationPicker::showFor(const core::Architecture &architecture, const core::TaskInfo &task) {
    auto *items = static_cast<QStandardItemModel *>(model());
    for (int row = 1; row < count(); ++row) {
        const auto which = static_cast<core::Ablation>(itemData(row).toInt());
        const core::Result<core::Architecture> ablated =
            core::withAblation(which, architecture, task);
        const QString says = ablated ? claimOf(which) : ended(translated(ablated.error().what));
        QStandardItem *item = items->item(row);
        item->setEnabled(ablated.ok());
        item->setToolTip(says);
        item->setData(says, Qt::AccessibleDescriptionRole);
        if (!ablated && row == currentIndex())
            setCurrentIndex(0);
    }
    const QString what =
        tr("Train a second model with one setting changed and compare both in one plot");
    setToolTip(chosen() ? claimOf(*chosen()) : what);
}

} // namespace headlight::ui
