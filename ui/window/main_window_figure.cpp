// MainWindow: saving, copying and printing of the current view's figure; worksheet and handout.
#include "ui/document/files_read.h"
#include "ui/text/core_message.h"
#include "ui/views/figure_view.h"
#include "ui/window/main_window.h"
#include "ui/window/save_figure_dialog.h"
#include "ui/window/saving/figure_printing.h"
#include "ui/window/worksheet/handout_dialog.h"
#include "ui/window/worksheet/worksheet_dialog.h"

#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QPrintDialog>
#include <QPrinter>

namespace headlight::ui {

namespace {

core::Error notComplete() {
    return {messageOf(MainWindow::tr("parts of the figure are still being computed")), "",
            messageOf(MainWindow::tr("try again as soon as they are ready"))};
}

} // namespace

void MainWindow::saveCurrentFigure() {
    if (!currentView()->figure())
        return;
    SaveFigureDialog dialog(*currentView(), this);
    if (dialog.exec() == QDialog::Accepted)
        m_message->setText(dialog.savedText());
}

void MainWindow::copyCurrentFigure() {
    FigureView &view = *currentView();
    if (!view.figure())
        return;
    if (!view.isComplete())
        return showProblem(notComplete());
    // Do not copy the figure on screen, because it may lack cells of a large matrix, or paint a
    // reduced one.
    const std::unique_ptr<Figure> figure = view.figureIn(view.figureStyle());
    if (!figure)
        return;
    const core::Outcome copied = copyFigure(*figure, QSizeF(view.size()));
    if (!copied)
        showProblem(copied.error());
    else
        m_message->setText(tr("The figure is on the clipboard"));
}

core::Outcome MainWindow::print(QPrinter &printer) {
    if (core::Outcome allowed = mayWrite(m_document, printer.outputFileName()); !allowed)
        return allowed;
    FigureView &view = *currentView();
    if (!view.isComplete())
        return notComplete();
    // Print in light colours with any theme, because paper is white.
    const std::unique_ptr<Figure> figure =
        view.figureIn(FigureStyle::light(view.figureStyle().textScale));
    if (!figure)
        return core::Error{messageOf(tr("there is no figure to print yet")), "", ""};
    printer.setDocName(windowTitle().remove("[*]"));
    return printFigure(*figure, QSizeF(view.size()), printer);
}

void MainWindow::printCurrentFigure() {
    QPrinter printer(QPrinter::HighResolution);
    fitPage(printer, QSizeF(currentView()->size()));
    QPrintDialog dialog(&printer, this);
    dialog.setWindowTitle(tr("Print figure"));
    if (dialog.exec() != QDialog::Accepted)
        return;
    if (const core::Outcome printed = print(printer); !printed)
        showProblem(printed.error());
    else
        m_message->setText(printedText(printer, tr("The figure was sent to the printer")));
}

void MainWindow::printWorksheet() {
    // session() includes the author's changes to the lesson
    WorksheetDialog dialog(std::make_shared<const core::Session>(m_document.session()),
                           m_document.state(), filesReadBy(m_document), this);
    if (dialog.exec() == QDialog::Accepted)
        m_message->setText(dialog.done());
}

void MainWindow::printHandout() {
    if (!m_document.session().lesson)
        return showProblem({messageOf(tr("this session has no lesson to print")), "",
                            messageOf(tr("open a lesson, or write one in the lesson editor"))});
    HandoutDialog dialog(std::make_shared<const core::Session>(m_document.session()),
                         m_document.state(),
                         m_document.course() ? m_document.course()->lessons : QList<LessonInfo>(),
                         filesReadBy(m_document), this);
    if (dialog.exec() == QDialog::Accepted)
        m_message->setText(dialog.done());
}

} // namespace headlight::ui
