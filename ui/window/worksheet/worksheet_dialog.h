// Dialog that prints a session's worksheet: small matrices to fill in by hand, and the questions of
// its lesson.
#pragma once

#include "core/worksheet/worksheet.h"
#include "ui/document/state/document_state.h"
#include "ui/window/worksheet/sheet_dialog.h"

namespace headlight::ui {

class WorksheetDialog : public SheetDialog {
    Q_OBJECT
  public:
    /// Computes the session's steps from `now` in a thread, and shows progress if this takes over a
    /// second.
    WorksheetDialog(const std::shared_ptr<const core::Session> &session, DocumentState now,
                    std::vector<std::string> inputs, QWidget *parent);

  private:
    SheetPages pages(SheetOfPaper paper) const override;
    QString contentTitle() const override;
    QString proposedName() const override;

    core::Worksheet m_sheet;
    QCheckBox *m_answers;
};

} // namespace headlight::ui
