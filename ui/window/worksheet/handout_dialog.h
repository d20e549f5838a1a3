// Handout dialog: the page for the teacher of a lesson.
#pragma once

#include "ui/document/lesson_catalogue.h"
#include "ui/document/state/document_state.h"
#include "ui/figures/worksheet/handout_pages.h"
#include "ui/window/worksheet/sheet_dialog.h"

namespace headlight::ui {

class HandoutDialog : public SheetDialog {
    Q_OBJECT
  public:
    /// Computes the lesson's steps in a thread, and shows progress if this takes over a second.
    /// `known` has the lessons of the course.
    HandoutDialog(const std::shared_ptr<const core::Session> &session, DocumentState now,
                  const QList<LessonInfo> &known, std::vector<std::string> inputs, QWidget *parent);

  private:
    SheetPages pages(SheetOfPaper paper) const override;
    QString contentTitle() const override { return m_lesson.handout.title; }
    std::optional<QByteArray> bytesFor(const QString &path) const override;
    QString proposedName() const override;

    PackedLesson m_lesson;
    QCheckBox *m_sheets, *m_answers;
};

} // namespace headlight::ui
