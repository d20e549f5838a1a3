#include "ui/figures/heads_figure.h"
