// The dock beside the views: the lesson's text, step by step.
#pragma once

#include "ui/document/document.h"

#include <QWidget>

class QAction;
class QLabel;
class QPushButton;
class QTextBrowser;

namespace headlight::ui {

class LessonPanel : public QWidget {
    Q_OBJECT
  public:
    explicit LessonPanel(Document &document, QWidget *parent = nullptr);

    /// Back, next, reset; the window puts them into its menu.
    QList<QAction *> lessonActions() const { return {m_back, m_next, m_reset}; }

  protected:
    void changeEvent(QEvent *event) override;

  private:
    void documentChanged(const ChangeEvent &event);
    void showStep();
    QString html() const;

    Document &m_document;
    QLabel *m_where;
    QTextBrowser *m_text;
    QAction *m_back, *m_next, *m_reset;
    QPushButton *m_nextButton;
};

} // namespace headlight::ui
