// The stages that the pass after the last edit recomputed. Views mark them during a drag and for a
// short time after the last change.
#pragma once

#include "core/transformer/trace/trace.h"

#include <QObject>
#include <QTimer>

#include <vector>

namespace headlight::ui {

class RecomputedStages : public QObject {
    Q_OBJECT
  public:
    explicit RecomputedStages(QObject *parent);

    /// Marks the stages that the pass of `now` computed instead of taking them from `before`.
    void show(const core::Trace &now, const core::Trace &before);
    void clear();
    /// The marked stages, sorted. A stage with several names is listed under all of them.
    const std::vector<core::StageId> &stages() const { return m_stages; }
    bool contains(core::StageId stage) const;

  signals:
    void changed();

  private:
    void set(std::vector<core::StageId> stages);
    void end();

    QTimer m_time{this};
    std::vector<core::StageId> m_stages;
};

} // namespace headlight::ui
