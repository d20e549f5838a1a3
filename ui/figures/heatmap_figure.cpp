#include "ui/figures/heatmap_figure.h"
