#include "ui/figures/style.h"
