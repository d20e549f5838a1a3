// Counts the right and wrong answers in the open lesson, and repeats questions with wrong answers.
#pragma once

#include "ui/document/document.h"

#include <QObject>

#include <map>
#include <set>

class QPalette;

namespace headlight::ui {

/// Judges an answer once, by the step's numbers at the time of the answer. Skipped questions count
/// neither as right nor as wrong.
class LessonScore : public QObject {
    Q_OBJECT
  public:
    explicit LessonScore(Document &document, QObject *parent = nullptr);

    core::Index rightCount() const;
    core::Index wrongCount() const;
    /// Returns the score and, if there are wrong answers, the link lesson:wrong. Empty before the
    /// last step, and without answers.
    QString html(const QPalette &palette) const;
    /// Goes to the first step with a wrong answer and asks its question again. Other wrong answers
    /// are asked again when the user reaches their steps. Does nothing without wrong answers.
    core::Outcome askWrongAgain();

  private:
    void documentChanged(const ChangeEvent &event);
    void judge();

    Document &m_document;
    std::map<core::Index, bool> m_right; // key: the step; only steps with a chosen answer
    std::set<core::Index> m_again;       // steps whose question is asked again on arrival
};

} // namespace headlight::ui
