// The command line's own words, for translators.
#pragma once

#include "core/result.h"

#include <QCoreApplication>

namespace headlight::app {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(CommandLine)
};

/// In translated words; the option is as it is typed.
inline core::Error errorOf(const QString &what, const char *option, const QString &remedy) {
    return {what.toStdString(), option, remedy.toStdString()};
}

} // namespace headlight::app
