#include "ui/figures/trace_heatmap.h"
