#include "ui/figures/text.h"
