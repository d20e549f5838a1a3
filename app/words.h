// Translation context of the command line.
#pragma once

#include "ui/command_line/codecs.h"
#include "ui/text/core_message.h"

namespace headlight::app {

using Words = ui::CommandLineText;

/// Returns an error. `what` and `remedy` are translated texts.
inline core::Error errorOf(const QString &what, const std::string &option, const QString &remedy) {
    return {ui::messageOf(what), option, ui::messageOf(remedy)};
}

} // namespace headlight::app
