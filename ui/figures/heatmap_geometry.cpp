#include "ui/figures/heatmap_geometry.h"
