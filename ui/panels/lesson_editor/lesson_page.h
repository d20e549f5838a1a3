// Editor page for the properties of a whole lesson.
#pragma once

#include "ui/document/document.h"

#include <QWidget>

#include <functional>

class QLineEdit;
class QSpinBox;
class QVBoxLayout;

namespace headlight::ui {

class MarkedField;

using LessonEdit = std::function<void(headlight::ui::LessonDraft &)>;

class LessonPage : public QWidget {
    Q_OBJECT
  public:
    explicit LessonPage(QWidget *parent = nullptr);

    void showLesson(const core::Session &session);
    void goTo(const QString &place);

  signals:
    void edited(const QString &words, const headlight::ui::LessonEdit &edit);

  private:
    void connectHandout();
    void addSpelling(QVBoxLayout &layout);

    QLineEdit *m_title, *m_summary, *m_needs;
    QSpinBox *m_minutes;
    MarkedField *m_aim, *m_difficulties;
};

} // namespace headlight::ui
