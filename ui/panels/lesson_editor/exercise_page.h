// Editor page of a step's exercise: the state that a student must reach.
#pragma once

#include "ui/panels/lesson_editor/step_page.h"

class QCheckBox;
class QLabel;
class QPushButton;

namespace headlight::ui {

class ChoiceRows;
class MarkedField;
class MessageLabel;
class SolutionCheck;

class ExercisePage : public StepPage {
    Q_OBJECT
  public:
    explicit ExercisePage(Document &document, QWidget *parent = nullptr);

    void showStep(const core::LessonStep &step) override;
    void showNumbers() override;
    bool hasMarks() const override;
    void goTo(const QString &place) override;
    QWidget *firstField() const override;

  private:
    void edit(const QString &words, const std::function<void(core::Exercise &)> &edit);

    Document &m_document;
    QCheckBox *m_sets;
    QWidget *m_all;
    MarkedField *m_text;
    ChoiceRows *m_goals;
    MarkedField *m_hints;
    QLabel *m_solution;
    MessageLabel *m_solved;
    MessageLabel *m_unsolved; // shows why the stored solution fails
    SolutionCheck *m_check;
    QPushButton *m_take, *m_try;
    QCheckBox *m_byHand;
};

} // namespace headlight::ui
