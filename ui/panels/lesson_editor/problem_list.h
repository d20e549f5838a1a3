// The findings of `headlight check` for the current lesson, each with a link to its step.
#pragma once

#include "core/formats/warning.h"
#include "ui/compute/latest_job.h"
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
    /// Clears the findings, because the lesson has changed. Their space stays empty until the user
    /// leaves the page, so that no field moves during typing.
    void forget();

  signals:
    /// The check has ended with this number of problems and warnings.
    void checked(int count);
    /// `step`: −1 for the whole lesson. `place`: for example "question.answers[1].if".
    void problemChosen(headlight::core::Index step, const QString &place);

  protected:
    void hideEvent(QHideEvent *event) override;

  private:
    void keepSpaceOfList(bool keeps);
    void showFindings(const core::Findings &findings);

    Document &m_document;
    LatestJob m_job;
    QPushButton *m_check;
    QLabel *m_words;
    QListWidget *m_list;
};

} // namespace headlight::ui
