// The command line's own words, for translators.
#pragma once

#include "ui/words/core_message.h"

#include <QCoreApplication>

namespace headlight::app {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(CommandLine)
};

/// In translated words; the option is as it is typed.
inline core::Error errorOf(const QString &what, const char *option, const QString &remedy) {
    return {ui::messageOf(what), option, ui::messageOf(remedy)};
}

} // namespace headlight::app
