// The commands without a window. Each returns the exit code: 0, or 1 after one line on standard
// error.
#pragma once

#include "app/arguments.h"
#include "app/standard_streams.h"
#include "core/formats/safetensors/writer.h"
#include "core/result.h"
#include "core/transformer/run/weights_observer.h"

#include <functional>
#include <stop_token>

namespace headlight::app {

int runLessons();
int runFigure(const Arguments &arguments, std::stop_token stop);
int runTrace(const Arguments &arguments, std::stop_token stop);
int runGenerate(const Arguments &arguments, std::stop_token stop);
int runVerify(const Arguments &arguments, std::stop_token stop);
int runMeasure(const Arguments &arguments, std::stop_token stop);
int runMeasures(const Arguments &arguments, std::stop_token stop);
int runAblate(const Arguments &arguments, std::stop_token stop);
int runTokenize(const Arguments &arguments, std::stop_token stop);
int runCosine(const Arguments &arguments, std::stop_token stop);
int runCourse(const Arguments &arguments, std::stop_token stop);
int runWorksheet(const Arguments &arguments, std::stop_token stop);
int runHandout(const Arguments &arguments, std::stop_token stop);
int runRollout(const Arguments &arguments, std::stop_token stop);
int runFlow(const Arguments &arguments, std::stop_token stop);
int runCompare(const Arguments &arguments, std::stop_token stop);
int runInfo(const Arguments &arguments);
int runCheck(const Arguments &arguments);
int runTasks(const Arguments &arguments);
/// If `stop` is requested, saves the current state of the run and returns kInterrupted.
int runTrain(const Arguments &arguments, std::stop_token stop);

/// Writes atomically to the path, or to standard output (path "-"). Returns the exit code;
/// kInterrupted if `stop` was requested before the file got its final name.
int writeOutput(const QString &path, std::string_view bytes, const std::stop_token &stop = {});
/// As above, but receives the bytes in pieces from `write`.
int writeOutput(const QString &path,
                const std::function<core::Outcome(const core::ByteSink &)> &write,
                const std::stop_token &stop);

/// Writes to the output, or to standard output if none is given.
int writeResult(const Arguments &arguments, std::string_view bytes,
                const std::stop_token &stop = {});

/// Checks that no output is an input file or in an input folder. Errors: see core::notAnInput().
core::Outcome mayWrite(const Arguments &arguments);

/// Opens the source with all changes that the arguments request. Rejects what this version does not
/// support. Checks mayWrite() before anything is computed.
core::Result<ui::OpenedSource> openFor(const Arguments &arguments, std::stop_token stop = {});

struct SourceAndTrace {
    ui::OpenedSource opened;
    core::TracePointer trace;
};

/// Checks that no output is a file that the opened source was read from.
core::Outcome mayWrite(const Arguments &arguments, const ui::OpenedSource &opened);

/// Computes the trace of an opened source, or takes the trace of its capture. `observer` (may be
/// null) receives the attention weights of the pass. Errors: as openAndTrace().
core::Result<SourceAndTrace> traced(ui::OpenedSource opened, std::stop_token stop,
                                    core::WeightsObserver *observer = nullptr);

/// Opens the source and computes its trace, or reads it from a capture. Errors: "cancelled" once
/// `stop` is requested.
core::Result<SourceAndTrace> openAndTrace(const Arguments &arguments, std::stop_token stop);

} // namespace headlight::app
