// Translation context of the command line.
#pragma once

#include "ui/words/core_message.h"

#include <QCoreApplication>

namespace headlight::app {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(CommandLine)
};

/// Takes translated texts; the option is not translated.
inline core::Error errorOf(const QString &what, const char *option, const QString &remedy) {
    return {ui::messageOf(what), option, ui::messageOf(remedy)};
}

} // namespace headlight::app
