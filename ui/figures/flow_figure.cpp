#include "ui/figures/flow_figure.h"
