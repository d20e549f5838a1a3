// Computes the traces of a lesson's steps for worksheets and handouts.
#pragma once

#include "core/formats/session/data/session.h"
#include "core/transformer/trace/trace.h"
#include "ui/document/state/document_state.h"

#include <functional>
#include <stop_token>

namespace headlight::ui {

/// Computes traces one after the other. Each reuses the unchanged results of the previous one.
class StepTraces {
  public:
    /// `session` was read from the lesson's file.
    StepTraces(const core::Session &session, std::stop_token stop)
        : m_session(session), m_stop(std::move(stop)) {}
    /// Errors: as core::forward(); "cancelled" once a stop is requested.
    core::Result<core::TracePointer> of(const DocumentState &state);

  private:
    const core::Session &m_session;
    std::stop_token m_stop;
    core::TracePointer m_previous;
};

/// Called for each step, with its index, its state without user edits, and its trace.
using StepVisitor = std::function<void(core::Index step, const DocumentState &state,
                                       const core::TracePointer &trace)>;

/// Computes each step of the session's lesson. Calls `done` with the number of finished steps and
/// the total. Errors: as StepTraces::of().
core::Outcome forEachStep(const core::Session &session, std::stop_token stop,
                          const StepVisitor &visit, const std::function<void(int, int)> &done = {});

} // namespace headlight::ui
