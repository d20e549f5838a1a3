// The command line's own words, for translators.
#pragma once

#include <QCoreApplication>

namespace headlight::app {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(CommandLine)
};

} // namespace headlight::app
