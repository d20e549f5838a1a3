// Editor page for the question that a step asks before it shows its text.
#pragma once

#include "ui/panels/lesson_editor/step_page.h"

class QCheckBox;
class QLabel;
class QPushButton;

namespace headlight::ui {

class ChoiceRows;
class MarkedField;
class MessageLabel;

class QuestionPage : public StepPage {
    Q_OBJECT
  public:
    QuestionPage(Document &document, SeenNow seen, QWidget *parent = nullptr);

    void showStep(const core::LessonStep &step) override;
    void showNumbers() override;
    bool hasMarks() const override;
    void goTo(const QString &place) override;
    QWidget *firstField() const override;

  private:
    void edit(const QString &words, const std::function<void(core::Question &)> &edit);
    void showPlace(const core::LessonStep &step, const core::Answer *right);

    Document &m_document;
    SeenNow m_seen;
    QCheckBox *m_asks;
    QWidget *m_all;
    MarkedField *m_text;
    ChoiceRows *m_answers;
    MessageLabel *m_right;
    QLabel *m_shows;
    QPushButton *m_show, *m_cover, *m_ask;
};

} // namespace headlight::ui
