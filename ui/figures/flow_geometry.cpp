#include "ui/figures/flow_geometry.h"
