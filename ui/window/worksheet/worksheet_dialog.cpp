#include "ui/window/worksheet/worksheet_dialog.h"

#include "ui/document/lesson_worksheet.h"
#include "ui/figures/worksheet/worksheet_pages.h"
#include "ui/text/one_line.h"

#include <QCheckBox>

namespace headlight::ui {

WorksheetDialog::WorksheetDialog(const std::shared_ptr<const core::Session> &session,
                                 DocumentState now, std::vector<std::string> inputs,
                                 QWidget *parent)
    : SheetDialog({QStringLiteral("worksheet"), tr("Print worksheet"), QStringLiteral("worksheet"),
                   tr("PDF (*.pdf)"), tr("The worksheet was sent to the printer")},
                  std::move(inputs), parent),
      m_answers(addTick("Answers", tr("With &answers"),
                        tr("The same pages with the blanks filled in, for the teacher"))) {
    job().start(
        [session, state = std::move(now), tell = progress()](const std::stop_token &stop) {
            return worksheetOf(*session, state, stop, tell);
        },
        [this](core::Result<core::Worksheet> sheet) {
            const core::Outcome asks = sheet ? asksForSomething(*sheet) : sheet.error();
            if (asks)
                m_sheet = *std::move(sheet);
            take(asks);
        });
}

SheetPages WorksheetDialog::pages(SheetOfPaper paper) const {
    return worksheetPages({m_sheet}, m_answers->isChecked(), paper);
}

QString WorksheetDialog::contentTitle() const {
    return oneLine(m_sheet.title);
}

QString WorksheetDialog::proposedName() const {
    return m_answers->isChecked() ? QStringLiteral("worksheet-answers.pdf")
                                  : QStringLiteral("worksheet.pdf");
}

} // namespace headlight::ui
