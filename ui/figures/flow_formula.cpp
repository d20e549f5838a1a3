#include "ui/figures/flow_formula.h"
