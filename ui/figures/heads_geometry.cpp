#include "ui/figures/heads_geometry.h"
