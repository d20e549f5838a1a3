#include "ui/figures/colour_scale.h"
