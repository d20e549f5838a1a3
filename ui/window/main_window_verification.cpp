// MainWindow: compares all numbers with the same computation in 64 bits.
#include "core/selection/view.h"
#include "ui/window/main_window.h"
#include "ui/window/verification/verification_dialog.h"

namespace headlight::ui {

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
