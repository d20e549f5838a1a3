// MainWindow: the measures of all heads as a table, and their definitions.
#include "core/selection/view.h"
#include "ui/figures/model/model_figure.h"
#include "ui/window/main_window.h"
#include "ui/window/measures/measures_dialog.h"

namespace headlight::ui {

void MainWindow::showMeasures() {
    if (auto *open = findChild<MeasuresDialog *>()) {
        open->raise();
        return open->activateWindow();
    }
    auto *dialog = new MeasuresDialog(m_document, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &MeasuresDialog::chosen, this, [this](const core::HeadId &head) {
        m_document.select(atHead(m_document.selection(), head));
        showView(QString::fromUtf8(core::idOf(core::View::CloseUp).data()));
    });
    dialog->show();
}

} // namespace headlight::ui
