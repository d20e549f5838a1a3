// MainWindow: dialogs with computed tables: the measures of all heads, and the comparison of all
// numbers with the same computation in 64 bits.
#include "core/selection/view.h"
#include "ui/figures/model/model_figure.h"
#include "ui/window/main_window.h"
#include "ui/window/measures/measures_dialog.h"
#include "ui/window/verification/verification_dialog.h"

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

void MainWindow::checkNumbers() {
    if (auto *open = findChild<VerificationDialog *>()) {
        open->raise();
        return open->activateWindow();
    }
    auto *dialog = new VerificationDialog(m_document, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &VerificationDialog::chosen, this, [this](const core::Selection &selection) {
        m_document.select(selection);
        showView(QString::fromUtf8(core::idOf(core::View::CloseUp).data()));
    });
    dialog->show();
}

} // namespace headlight::ui
