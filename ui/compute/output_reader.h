// The logits of one place, without the window waiting for an output layer: of a long text they are
// not there until somebody asks.
#pragma once

#include "core/analysis/output_row_id.h"
#include "core/result.h"

#include <QObject>
#include <QThreadPool>

#include <optional>
#include <stop_token>
#include <vector>

namespace headlight::ui {

class OutputReader : public QObject {
    Q_OBJECT
  public:
    explicit OutputReader(QObject *parent = nullptr);
    ~OutputReader() override;

    /// Null: it is being made and made() follows, or it could not be made.
    core::OutputRowPointer rowOf(const core::TracePointer &trace, core::OutputRowId place);
    /// Why it could not be made when it was asked for; null: it could, or is being made.
    const core::Error *failure(const core::TracePointer &trace, core::OutputRowId place) const;
    /// What could not be made is tried again when it is asked for.
    void forgetFailures();
    bool isBusy() const;

  signals:
    void made();
    void failed(const headlight::core::Error &error);

  private:
    /// One that was asked for; its trace lives no longer for it.
    struct Asked {
        std::weak_ptr<const core::Trace> trace;
        core::OutputRowId place;
        core::OutputRowPointer row;
        bool isBeingMade = false;
        std::optional<core::Error> failure{};
        std::stop_source stop{};
    };
    Asked *find(const core::TracePointer &trace, core::OutputRowId place);
    const Asked *find(const core::TracePointer &trace, core::OutputRowId place) const;
    void take(const std::weak_ptr<const core::Trace> &trace, core::OutputRowId place,
              const core::Result<core::OutputRowPointer> &row);

    std::vector<Asked> m_asked; // the last few, the newest last
    QThreadPool m_pool;         // one thread
};

} // namespace headlight::ui
