#include "ui/figures/number_text.h"
