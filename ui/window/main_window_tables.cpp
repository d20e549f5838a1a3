// MainWindow: dialogs with computed tables, for the measures of all heads and for the comparison of
// all numbers with the same computation in 64 bits. Also sets the text on which induction is
// measured.
#include "core/selection/view.h"
#include "ui/document/edits/text_edits.h"
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

void MainWindow::showRandomRepeats() {
    core::Result<Change> change =
        edits::setRandomRepeats(m_document.state(), m_document.textId(), m_repeatsSeed);
    if (!change)
        return showProblem(change.error());
    if (const core::Outcome outcome = m_document.apply(*std::move(change)); !outcome)
        return showProblem(outcome.error());
    ++m_repeatsSeed;
    m_message->setText(
        tr("The text is now random tokens, repeated once. An induction head attends to what "
           "followed each token the first time. Choose the command again for other tokens."));
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
