#include "ui/figures/export.h"
