// What the pages of the lesson editor have in common: each shows one part of the present step, and
// says how a person changes it.
#pragma once

#include "ui/document/document.h"
#include "ui/document/edits/lesson_edits.h"

#include <QScrollArea>

#include <functional>

class QPushButton;

namespace headlight::ui {

using StepEdit = std::function<void(headlight::core::LessonStep &)>;
/// What a person sees at the moment, asked of the window.
using SeenNow = std::function<edits::WindowState()>;

class StepPage : public QWidget {
    Q_OBJECT
  public:
    using QWidget::QWidget;

    /// A field that says the same already stays as it is, with its cursor.
    virtual void showStep(const core::LessonStep &step) = 0;
    /// What is wrong with its marks by the document's trace, and which conditions hold.
    virtual void showNumbers() = 0;
    /// It has fields into which a mark can be inserted.
    virtual bool hasMarks() const { return true; }
    /// The focus goes to the field that a problem is about: "text", "answers[1].if".
    virtual void goTo(const QString &place) = 0;

  signals:
    /// `words` for the undo list: edits of the same words that follow each other are one.
    void edited(const QString &words, const headlight::ui::StepEdit &edit);
    /// One of ui/document/edits, done at once.
    void made(const headlight::core::Result<headlight::ui::Change> &change);
};

/// Its words are its name to a screen reader, and wrap in a narrow dock.
QPushButton *pageButton(const char *objectName, const QString &text, const QString &toolTip);

/// A page that is higher than the dock scrolls.
QScrollArea *scrollingPage(QWidget *page);

} // namespace headlight::ui
