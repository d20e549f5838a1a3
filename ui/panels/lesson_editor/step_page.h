// Base class of the lesson editor's pages. Each shows one part of the current step and reports the
// user's changes.
#pragma once

#include "ui/document/document.h"
#include "ui/document/edits/lesson_edits.h"

#include <QScrollArea>

#include <functional>

class QPushButton;

namespace headlight::ui {

using StepEdit = std::function<void(headlight::core::LessonStep &)>;
/// Returns the window's current view.
using SeenNow = std::function<edits::WindowState()>;

class StepPage : public QWidget {
    Q_OBJECT
  public:
    using QWidget::QWidget;

    /// Shows the step. A field that already has the same text is not changed and keeps its cursor.
    virtual void showStep(const core::LessonStep &step) = 0;
    /// Shows problems with the marks, and which conditions hold, for the document's trace.
    virtual void showNumbers() = 0;
    /// True if the page has fields for marks.
    virtual bool hasMarks() const { return true; }
    /// Returns the field that goTo({}) moves the focus to; null if no field takes marks.
    virtual QWidget *firstField() const { return nullptr; }
    /// Moves the focus to the field with the problem: "text", "answers[1].if".
    virtual void goTo(const QString &place) = 0;

  signals:
    /// `words`: text for the undo list. Consecutive edits with the same text are merged.
    void edited(const QString &words, const headlight::ui::StepEdit &edit);
    /// Requests a change, made by a function of ui/document/edits, to be applied immediately.
    void made(const headlight::core::Result<headlight::ui::Change> &change);
};

/// Creates a button whose text is also its accessible name and wraps in a narrow dock.
QPushButton *pageButton(const char *objectName, const QString &text, const QString &toolTip);

} // namespace headlight::ui
