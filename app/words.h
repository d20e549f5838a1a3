// Translation context of the command line.
#pragma once

#include "ui/command_line/codecs.h"
#include "ui/text/core_message.h"

namespace headlight::app {

using Words = ui::CommandLineText;

/// Takes translated texts; the option is not translated.
inline core::Error errorOf(const QString &what, const std::string &option, const QString &remedy) {
    return {ui::messageOf(what), option, ui::messageOf(remedy)};
}

} // namespace headlight::app
