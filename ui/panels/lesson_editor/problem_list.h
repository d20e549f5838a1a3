// What `headlight check` says of the lesson as it stands, each line leading to its step.
#pragma once

#include "ui/compute/session_check_worker.h"
#include "ui/document/document.h"

#include <QWidget>

class QLabel;
class QListWidget;
class QPushButton;

namespace headlight::ui {

class ProblemList : public QWidget {
    Q_OBJECT
  public:
    explicit ProblemList(Document &document, QWidget *parent = nullptr);

    void check();
    /// The lesson is another one now: what was found is no longer said.
    void forget();
    bool isChecking() const { return m_checker.isChecking(); }

  signals:
    /// −1: of the lesson as a whole. `place`: "question.answers[1].if".
    void problemChosen(headlight::core::Index step, const QString &place);

  private:
    void showFindings(const core::Findings &findings);

    Document &m_document;
    SessionCheckWorker m_checker;
    QPushButton *m_check;
    QLabel *m_words;
    QListWidget *m_list;
};

} // namespace headlight::ui
