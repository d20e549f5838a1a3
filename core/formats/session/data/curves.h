// The curves of a run's history in files: one list each, with a number per recorded step.
#pragma once

#include "core/training/run/history.h"

namespace headlight::core {

struct Curve {
    const char *name;
    double HistoryPoint::*number;
    const char *words;
};

inline constexpr Curve kCurves[] = {
    {"loss", &HistoryPoint::loss, "of the step's batch"},
    {"accuracy", &HistoryPoint::accuracy,
     "of the step's batch: the share of examples with every answer right, for `characters` and "
     "`words` of single answers"},
    {"learning_rate", &HistoryPoint::learningRate, "η of the step"},
    {"gradient_length", &HistoryPoint::gradientLength, "the norm before clipping"},
};

} // namespace headlight::core
