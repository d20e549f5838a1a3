// Editor page for the properties of a whole lesson.
#pragma once

#include "ui/document/document.h"

#include <QWidget>

#include <functional>

class QLineEdit;
class QSpinBox;

namespace headlight::ui {

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
    QLineEdit *m_title, *m_summary, *m_needs;
    QSpinBox *m_minutes;
};

} // namespace headlight::ui
