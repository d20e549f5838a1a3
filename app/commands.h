// The commands that open no window. Each returns the exit code: 0, or 1 with one line on standard
// error.
#pragma once

#include "app/arguments.h"
#include "app/standard_streams.h"
#include "core/formats/safetensors/writer.h"
#include "core/result.h"

#include <functional>
#include <stop_token>

namespace headlight::app {

int runLessons();
int runFigure(const Arguments &arguments, std::stop_token stop);
int runTrace(const Arguments &arguments, std::stop_token stop);
int runGenerate(const Arguments &arguments, std::stop_token stop);
int runTokenize(const Arguments &arguments, std::stop_token stop);
int runCourse(const Arguments &arguments, std::stop_token stop);
int runWorksheet(const Arguments &arguments, std::stop_token stop);
int runInfo(const Arguments &arguments);
int runCheck(const Arguments &arguments);
int runTasks(const Arguments &arguments);
/// Once `stop` is requested it writes the run as it is, and returns kInterrupted.
int runTrain(const Arguments &arguments, std::stop_token stop);

/// Writes to standard output (path "-") or to the path, whole or not at all; returns the exit code,
/// kInterrupted where the request came before the file stood under its name.
int writeOutput(const QString &path, std::string_view bytes, const std::stop_token &stop = {});
/// The same of what `write` gives to the sink, piece by piece.
int writeOutput(const QString &path, const std::function<core::Outcome(const core::Sink &)> &write,
                const std::stop_token &stop);

/// Whether the output may be written: it is none of the files that the arguments name, nor in one
/// of their folders. Errors: as core::notAnInput().
core::Outcome mayWrite(const Arguments &arguments);

/// Opens the source with everything that the arguments change of it, and refuses what no source of
/// this version has. Errors: those of mayWrite() too, before anything is computed.
core::Result<ui::OpenedSource> openFor(const Arguments &arguments, std::stop_token stop = {});

struct SourceAndTrace {
    ui::OpenedSource opened;
    core::TracePointer trace;
};

/// The same with its trace: computed, or read from a capture. Errors: "cancelled" once `stop` is
/// requested.
core::Result<SourceAndTrace> openAndTrace(const Arguments &arguments, std::stop_token stop);

} // namespace headlight::app
