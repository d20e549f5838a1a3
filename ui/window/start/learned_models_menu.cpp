#include "ui/window/start/learned_models_menu.h"

#include "ui/document/learned_model.h"
#include "ui/widgets/plain_text.h"

namespace headlight::ui {

LearnedModelsMenu::LearnedModelsMenu(QWidget *parent) : QMenu(tr("Trained mode&ls"), parent) {
    setToolTipsVisible(true);
    for (const LearnedModel &model : learnedModels()) {
        QAction *action = addAction(withAmpersands(model.title), this,
                                    [this, id = model.id] { emit chosen(id); });
        action->setToolTip(summaryOf(model));
        action->setStatusTip(action->toolTip());
    }
}

} // namespace headlight::ui
