// The curves of a run's history in files: each is a list with a number for each recorded step.
#pragma once

#include "core/training/run/history.h"

namespace headlight::core {

struct Curve {
    const char *name;
    double HistoryPoint::*number;
    const char *words;
};

inline constexpr Curve kCurves[] = {
    {"loss", &HistoryPoint::loss, "loss of the step's batch"},
    {"accuracy", &HistoryPoint::accuracy,
     "accuracy on the step's batch: the share of examples with every answer right, or for "
     "`characters` and `words` the share of right answers"},
    {"learning_rate", &HistoryPoint::learningRate, "learning rate η of the step"},
    {"gradient_length", &HistoryPoint::gradientLength, "norm of the gradient before clipping"},
};

} // namespace headlight::core
