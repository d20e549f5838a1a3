// Checks in the background that the stored solution of an exercise still solves it.
#pragma once

#include "core/formats/session/data/session.h"
#include "ui/compute/latest_job.h"

#include <QObject>

#include <optional>

namespace headlight::ui {

class SolutionCheck : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;

    /// Checks the exercise of a step, unless it was the last one checked.
    void check(const core::Session &session, core::Index step);
    /// Returns the problem found by the last check; empty if the solution solves the exercise, or
    /// if the step has no solution.
    const QString &problem() const { return m_problem; }

  signals:
    void checked();

  private:
    void show(const QString &problem);

    std::optional<core::LessonStep> m_last; // step whose exercise and changes were checked last
    QString m_problem;
    LatestJob m_job;
};

} // namespace headlight::ui
