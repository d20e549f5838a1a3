// Editor page for a step's texts: title, paragraphs, something to try, a common mistake.
#pragma once

#include "ui/panels/lesson_editor/step_page.h"

class QLineEdit;

namespace headlight::ui {

class MarkedField;

class TextPage : public StepPage {
    Q_OBJECT
  public:
    explicit TextPage(Document &document, QWidget *parent = nullptr);

    void showStep(const core::LessonStep &step) override;
    void showNumbers() override;
    void goTo(const QString &place) override;
    QWidget *firstField() const override;

  private:
    Document &m_document;
    QLineEdit *m_title;
    MarkedField *m_text, *m_tryIt, *m_mistake;
};

} // namespace headlight::ui
