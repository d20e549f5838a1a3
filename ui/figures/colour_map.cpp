#include "ui/figures/colour_map.h"
