// Words that the values of options may be.
#pragma once

#include "ui/command_line/option_values.h"

namespace headlight::app {

using ui::eachOf;
using ui::wordsOfFiles;

} // namespace headlight::app
